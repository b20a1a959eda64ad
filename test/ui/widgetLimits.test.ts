import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { WidgetKind } from '../../src/core/agenda/widgets';
import { Session } from './support/driver';
import { until } from './support/wait';
import { clear, fill, openKinds, openWidget, rowsOf } from './support/widgetPages';

const hostile: Record<string, string> = {
  'HTML and scripts': '<img src=x onerror=alert(1)><script>alert(2)</script><b>bold</b>',
  'directions turned': 'abc \u202e\u2066\u202dtfel ot thgir\u202c',
  'a hundred thousand characters': `long ${'x'.repeat(100_000)}`,
  lines: 'one\ntwo\r\n\n\tthree',
  'marks upon marks': `zalgo ${'e\u0301\u0316\u0348'.repeat(400)}`,
  'template and placeholder signs': `\${alert(1)} {0} %s &lt; &amp; $(sync)`,
};

/** What a widget's page bears: many rows, titles meant to break it, and little room. */
describe('a widget under load', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1200, height: 800 } });
    await session.window.command('workbench.action.closeSidebar');
  });
  after(() => session?.close());

  const elements = (page: Frame) => page.evaluate(`document.querySelectorAll('*').length`) as Promise<number>;
  const overflow = (page: Frame) =>
    page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`) as Promise<number>;

  describe('five thousand tasks', () => {
    before(async () => {
      const tasks = Array.from({ length: 5000 }, (_, at) => ({
        list: 'Work',
        title: `Row ${String(at).padStart(4, '0')}`,
        day: 0,
      }));
      await session.window.run(async (vscode, tasks) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
        const listId = await api.createList({ name: 'Work' });
        const due = Date.UTC(new Date().getFullYear(), new Date().getMonth(), new Date().getDate());
        await api.apply(tasks.map(({ title }) => ({ type: 'create', listId, input: { title, due, isAllDay: true } })));
      }, tasks);
    });

    for (const kind of openKinds)
      it(`are drawn a screenful at a time in ${kind}, the last of them on End`, async () => {
        const page = await openWidget(session.window, kind, 'Row 0000');
        assert.ok((await elements(page)) < 2500, `${await elements(page)} elements`);
        await rowsOf(page, 'Row 0000').click();
        await session.window.page.keyboard.press('End');
        await page.locator('.active', { hasText: kind === 'today' ? '4,800 more' : 'Row 4999' }).waitFor();
        assert.ok((await elements(page)) < 2500, `${await elements(page)} elements`);
        await session.window.page.keyboard.press('Home');
        await rowsOf(page, 'Row 0001').waitFor();
      });

    it('are shown two hundred and then five hundred at a time in Today', async () => {
      const page = await openWidget(session.window, 'today', 'Row 0000');
      assert.match((await page.locator('.group').first().textContent()) ?? '', /5,000/);
      await rowsOf(page, 'Row 0000').click();
      await session.window.page.keyboard.press('End');
      await page.locator('.active', { hasText: '4,800 more' }).waitFor();
      await session.window.page.keyboard.press('Enter');
      await rowsOf(page, 'Row 0200').and(page.locator('.active')).waitFor();
      await session.window.page.keyboard.press('End');
      await page.locator('.rest', { hasText: '4,300 more' }).click();
      await rowsOf(page, 'Row 0700').and(page.locator('.active')).waitFor();
    });

    it('have a name while their words are on their way', async () => {
      const page = await openWidget(session.window, 'tasks', 'Row 0000');
      const names = await page.evaluate(`(async () => {
        const list = document.querySelector('dueline-rows');
        list.offset = 50_000;
        await list.updateComplete;
        const rows = [...document.querySelectorAll('.row')];
        list.offset = 0;
        return rows.map(row => row.ariaLabel);
      })()`);
      assert.deepEqual([...new Set(names as string[])], ['Loading…']);
    });
  });

  describe('titles that other programs wrote', () => {
    before(async () => {
      await clear(session.window);
      const lines = Object.values(hostile).map(title => ({
        list: 'Work',
        title,
        day: 0,
        tags: [title.slice(0, 2000)],
      }));
      const unseen = { list: 'Work', title: '\u200b\u200d\ufeff', day: 0 };
      await fill(session.window, ['Work'], [...lines, unseen, { list: 'Work', title: 'Plain', day: 0 }]);
    });

    for (const kind of openKinds)
      it(`are text in ${kind}, of bounded size and inside its width`, async () => {
        const page = await openWidget(session.window, kind, kind === 'month' ? /./ : 'Plain');
        // A day has room for some of them only.
        if (kind === 'month') await page.locator('.accent .head .link').click();
        await rowsOf(page, 'Plain').waitFor();
        await rowsOf(page, '<img src=x onerror=alert(1)>').waitFor();
        await rowsOf(page, 'Untitled task').waitFor();
        assert.equal(await page.locator('dueline-widget :is(img, script, b)').count(), 0);
        const titles = (await page.locator('.title').allTextContents()).map(text => text.trim());
        assert.ok(titles.every(title => title.length <= 310 && !/[\u202a-\u202e\u2066-\u2069]/.test(title)));
        assert.equal(await overflow(page), 0);
        assert.ok(((await page.evaluate('document.body.innerHTML.length')) as number) < 200_000);
        const tall = await page.locator('.row').evaluateAll(rows => rows.filter(row => row.clientHeight > 42).length);
        assert.equal(tall, 0);
      });

    it('are text of bounded size in the tree', async () => {
      const { window } = session;
      await window.view();
      await window.rows('Work').first().click();
      const row = window.rows('<img src=x onerror=alert(1)>');
      await row.first().waitFor();
      assert.equal(await row.first().locator('img').count(), 0);
      assert.ok(((await window.rows('long xxx').first().textContent()) ?? '').length < 1500);
      await window.command('workbench.action.closeSidebar');
    });
  });

  describe('little and much room', () => {
    before(async () => {
      await clear(session.window);
      await fill(
        session.window,
        ['Work', 'Home'],
        [
          { list: 'Work', title: 'A rather long title that needs two lines', day: 0, tags: ['release'], priority: 1 },
          { list: 'Home', title: 'Repeating', day: 0, rrule: 'FREQ=DAILY', time: 23 * 60 },
        ],
      );
    });

    afterEach(() => session.window.resize(1200, 800));

    for (const width of [220, 480, 1600])
      it(`reads well at ${width} px`, async () => {
        await session.window.resize(width + 60, 700);
        for (const kind of openKinds) {
          const page = await openWidget(session.window, kind, 'A rather');
          await until(`no overflow of ${kind}`, 10_000, async () => (await overflow(page)) === 0);
          const box = await rowsOf(page, 'A rather').first().locator('.title').boundingBox();
          assert.ok((box?.width ?? 0) > 40, `${kind}: ${box?.width} px`);
          await session.window.picture(`widget-${kind}-${width}`);
        }
      });

    it('leaves a short tag whole beside the long name of a list, and a short name as wide as it is', async () => {
      const long = 'A list with a name that no row at this width has room for';
      await fill(session.window, [long], [{ list: long, title: 'In the long one', day: 0, tags: ['now'] }]);
      await session.window.resize(380, 700);
      const page = await openWidget(session.window, 'today', 'In the long one');
      const room = (row: string, fact: number) =>
        rowsOf(page, row)
          .locator('.fact')
          .nth(fact)
          .evaluate(one => [
            one.clientWidth,
            Math.max(...[...one.children].map(part => part.scrollWidth - part.clientWidth)),
          ]);
      assert.equal((await room('In the long one', 1))[1], 0);
      const [width, hidden] = await room('In the long one', 0);
      assert.ok(width! > 100 && hidden! > 0, `${width} px, ${hidden} px hidden`);
      assert.ok((await room('A rather', 0))[0]! < 60);
    });

    it('puts the dot of a list amid the height of its name where lists are one below the other', async () => {
      await session.window.resize(380, 700);
      const page = await openWidget(session.window, 'lists', 'A rather');
      const middles = await page
        .locator('.group')
        .filter({ hasText: 'Work' })
        .locator('.dot, .name')
        .evaluateAll(parts =>
          parts.map(part => part.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2),
        );
      assert.equal(middles.length, 2);
      assert.ok(Math.abs(middles[0]! - middles[1]!) <= 1, middles.join(' '));
    });

    it('shows the keys from the first of them on', async () => {
      await session.window.resize(380, 400);
      const page = await openWidget(session.window, 'today', 'A rather');
      await rowsOf(page, 'A rather').click();
      await session.window.page.keyboard.press('?');
      const help = page.locator('.help');
      await help.waitFor();
      assert.ok((await help.evaluate(one => one.scrollHeight - one.clientHeight)) > 0);
      assert.equal(await help.evaluate(one => one.scrollTop), 0);
      await session.window.page.keyboard.press('Escape');
    });

    it('shifts nothing after the first paint', async () => {
      for (const kind of openKinds) {
        const page = await openWidget(session.window, kind, 'A rather');
        const shifted = await page.evaluate(`new Promise(done => {
          let sum = 0;
          new PerformanceObserver(list => list.getEntries().forEach(one => (sum += one.value))).observe({ type: 'layout-shift', buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum), 100)));
        })`);
        assert.ok((shifted as number) < 0.01, `${kind}: ${shifted}`);
      }
    });

    it('hears of a new size once, also in a column that was moved', async () => {
      const page = await openWidget(session.window, 'lists', 'A rather');
      const drawn = await page.evaluate(`(async () => {
        const settled = async () => { for (let at = 0; at < 3; at++) await new Promise(requestAnimationFrame); };
        const list = document.querySelector('dueline-rows');
        const column = list.closest('section');
        for (let at = 0; at < 3; at++) column.parentNode.insertBefore(column, column.nextSibling);
        await settled();
        const draw = list.requestUpdate;
        let drawn = 0;
        list.requestUpdate = (...what) => { drawn++; return draw.apply(list, what); };
        list.style.maxWidth = list.clientWidth - 20 + 'px';
        await settled();
        delete list.requestUpdate;
        list.style.maxWidth = '';
        return drawn;
      })()`);
      assert.equal(drawn, 1);
    });
  });

  describe('what a person asks of their system', () => {
    const selected = async (kind: WidgetKind) => {
      const page = await openWidget(session.window, kind, 'A rather');
      await rowsOf(page, 'A rather')
        .first()
        .click({ modifiers: ['Control'] });
      return page;
    };

    it('lays the buttons of a selected row on the ground of the row', async () => {
      const page = await selected('today');
      const [row, buttons] = (await page.evaluate(`(row => [
        getComputedStyle(row).backgroundColor,
        getComputedStyle(row.querySelector('.acts')).backgroundImage,
      ])(document.querySelector('.row.selected'))`)) as [string, string];
      assert.ok(buttons.includes(row), `${row}, ${buttons}`);
    });

    it('shows selection and focus in forced colors', async () => {
      await session.window.page.emulateMedia({ forcedColors: 'active' });
      for (const kind of openKinds) {
        const page = await selected(kind);
        const outline = await page.evaluate(`getComputedStyle(document.querySelector('.selected')).outlineStyle`);
        assert.equal(outline, 'solid', kind);
      }
      await session.window.picture('widget-forced-colors');
      await session.window.page.emulateMedia({ forcedColors: null });
    });

    it('folds a completed row away at once where motion is reduced', async () => {
      await session.window.page.emulateMedia({ reducedMotion: 'reduce' });
      const page = await openWidget(session.window, 'upNext', 'A rather');
      await rowsOf(page, 'A rather').locator('.check').click();
      await rowsOf(page, 'A rather').waitFor({ state: 'detached' });
      await session.window.page.emulateMedia({ reducedMotion: null });
    });
  });
});
