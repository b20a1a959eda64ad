import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { MarkdownString } from 'vscode';
import type { WidgetKind } from '../../src/query/agenda/widgets';
import { Editor } from '../support/vscode/editor';
import { clear, endless, fill, layoutKinds, openWidget, rowsOf, shows, taskNamed } from './support/widgets';

const dayMs = 86_400_000;

const hostile: Record<string, string> = {
  'HTML and scripts': '<img src=x onerror=alert(1)><script>alert(2)</script><b>bold</b>',
  'directions turned': 'abc \u202e\u2066\u202dtfel ot thgir\u202c',
  'a hundred thousand characters': `long ${'x'.repeat(100_000)}`,
  lines: 'one\ntwo\r\n\n\tthree',
  'marks upon marks': `zalgo ${'e\u0301\u0316\u0348'.repeat(400)}`,
  'template and placeholder signs': `\${alert(1)} {0} %s &lt; &amp; $(sync)`,
};

/** The limits of a widget's page: many rows, titles meant to break it, and little room. */
describe('a widget under load', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ size: { width: 1200, height: 800 } });
  });
  after(() => editor?.close());
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const elements = (page: Frame) => page.evaluate(`document.querySelectorAll('*').length`) as Promise<number>;
  const overflow = (page: Frame) =>
    page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`) as Promise<number>;

  const twoTasks = async () => {
    await clear(editor);
    await fill(
      editor,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'A rather long title that needs two lines', day: 0, tags: ['release'], priority: 1 },
        { list: 'Home', title: 'Repeating', day: 0, rrule: 'FREQ=DAILY', time: 23 * 60 },
      ],
    );
  };

  describe('five thousand tasks', () => {
    before(async () => {
      await clear(editor);
      await fill(editor, ['Work'], []);
      const listId = editor.engine.lists().find(({ name }) => name === 'Work')!.id;
      const due = Math.floor(editor.clock.now() / dayMs) * dayMs;
      const titles = Array.from({ length: 5000 }, (_, at) => `Row ${String(at).padStart(4, '0')}`);
      await editor.engine.apply(
        titles.map(title => ({ type: 'create' as const, listId, input: { title, due, isAllDay: true } })),
      );
    });

    // Today shows a part of them, Tasks as a list shows all.
    for (const kind of [...layoutKinds, 'tasks'] as const)
      it(`are drawn a screen at a time in ${kind}, the last of them on End`, async () => {
        const page = await openWidget(editor, kind, 'Row 0000');
        assert.ok((await elements(page)) < 2500, `${await elements(page)} elements`);
        await rowsOf(page, 'Row 0000').click();
        await editor.page.keyboard.press('End');
        await page.locator('.active', { hasText: kind === 'today' ? '4,800 more' : 'Row 4999' }).waitFor();
        assert.ok((await elements(page)) < 2500, `${await elements(page)} elements`);
        await editor.page.keyboard.press('Home');
        await rowsOf(page, 'Row 0001').waitFor();
      });

    it('are shown two hundred and then five hundred at a time in Today', async () => {
      const page = await openWidget(editor, 'today', 'Row 0000');
      assert.match((await page.locator('.group').first().textContent()) ?? '', /5,000/);
      await rowsOf(page, 'Row 0000').click();
      await editor.page.keyboard.press('End');
      await page.locator('.active', { hasText: '4,800 more' }).waitFor();
      await editor.page.keyboard.press('Enter');
      await rowsOf(page, 'Row 0200').and(page.locator('.active')).waitFor();
      await editor.page.keyboard.press('End');
      await page.locator('.rest', { hasText: '4,300 more' }).click();
      await rowsOf(page, 'Row 0700').and(page.locator('.active')).waitFor();
    });

    it('are selected from the previous line, even from the one for more', async () => {
      const page = await openWidget(editor, 'today', 'Row 0000');
      const selected = page.locator('.row[aria-selected=true]');
      const press = (key: string) => editor.page.keyboard.press(key);
      await rowsOf(page, 'Row 0000').click();
      await press('End');
      await page.locator('.active', { hasText: '4,800 more' }).waitFor();
      await press('Shift+ArrowUp');
      await rowsOf(page, 'Row 0199').and(page.locator('.active')).waitFor();
      assert.equal(await selected.count(), 1);
      await press('ArrowUp');
      await press('Shift+ArrowDown');
      await press('Shift+ArrowDown');
      await page.locator('.active', { hasText: '4,800 more' }).waitFor();
      assert.equal(await selected.count(), 2);
      await press('Enter');
      await rowsOf(page, 'Row 0200').and(page.locator('.active')).waitFor();
      await press('Shift+ArrowDown');
      await rowsOf(page, 'Row 0201').and(page.locator('.active')).waitFor();
      assert.deepEqual(
        (await selected.allTextContents()).map(text => /Row \d+/.exec(text)?.[0]),
        ['Row 0200', 'Row 0201'],
      );
      await press('Home');
      await rowsOf(page, 'Row 0003').click();
      const heading = page.locator('.group').first();
      await heading.click();
      await rowsOf(page, 'Row 0000').waitFor({ state: 'detached' });
      await heading.click();
      await rowsOf(page, 'Row 0000').waitFor();
      await press('Shift+ArrowDown');
      await rowsOf(page, 'Row 0000').and(page.locator('.active')).waitFor();
      assert.equal(await selected.count(), 1);
    });

    it('have a name while their details are being loaded', async () => {
      const page = await openWidget(editor, 'tasks', 'Row 0000');
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

  // A page stays open all day, and each comment of a template is a node.
  describe('tasks that come and go', () => {
    beforeEach(twoTasks);

    const nodes = (page: Frame) =>
      page.evaluate(`document.evaluate('count(//node())', document).numberValue`) as Promise<number>;

    for (const kind of layoutKinds)
      it(`leave nothing in ${kind}`, async () => {
        const page = await openWidget(editor, kind, 'A rather');
        const counts: number[] = [];
        for (const title of ['One', 'Another', 'A third']) {
          await fill(editor, [], [{ list: 'Work', title, day: 0 }]);
          await rowsOf(page, title).waitFor();
          await editor.engine.deleteTask(taskNamed(editor, title)!.id);
          await rowsOf(page, title).waitFor({ state: 'detached' });
          counts.push(await nodes(page));
        }
        assert.deepEqual(counts, [counts[0], counts[0], counts[0]]);
      });
  });

  describe('titles from other programs', () => {
    before(async () => {
      await clear(editor);
      const lines = Object.values(hostile).map(title => ({
        list: 'Work',
        title,
        day: 0,
        tags: [title.slice(0, 2000)],
      }));
      const unseen = { list: 'Work', title: '\u200b\u200d\ufeff', day: 0 };
      await fill(editor, ['Work'], [...lines, unseen, { list: 'Work', title: 'Plain', day: 0 }]);
    });

    for (const kind of layoutKinds)
      it(`are text in ${kind}, of limited size and inside its width`, async () => {
        const page = await openWidget(editor, kind, kind === 'month' ? /./ : 'Plain');
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

    it('are text of limited size in the tree', async () => {
      const tree = editor.tree();
      await tree.expand('Work');
      const { item } = await tree.row('<img src=x onerror=alert(1)>');
      assert.equal(typeof item.label, 'string');
      assert.ok(typeof item.tooltip === 'string' || !(item.tooltip as MarkdownString | undefined)?.supportHtml);
      const { label, description } = await tree.row('long xxx');
      assert.ok(label.length + description.length < 1500);
    });
  });

  describe('narrow and wide pages', () => {
    beforeEach(twoTasks);
    afterEach(() => editor.resize(1200, 800));

    for (const width of [220, 480, 1600])
      it(`are readable at ${width} px`, async () => {
        await editor.resize(width, 700);
        for (const kind of layoutKinds) {
          const page = await openWidget(editor, kind, 'A rather');
          await shows(page, `no overflow of ${kind}`, async () => (await overflow(page)) === 0);
          const box = await rowsOf(page, 'A rather').first().locator('.title').boundingBox();
          assert.ok((box?.width ?? 0) > 40, `${kind}: ${box?.width} px`);
        }
      });

    it('show a short tag completely next to a long list name, and a short name at its natural width', async () => {
      const long = 'A list with a name that no row at this width has room for';
      await fill(editor, [long], [{ list: long, title: 'In the long one', day: 0, tags: ['now'] }]);
      await editor.resize(320, 700);
      const page = await openWidget(editor, 'today', 'In the long one');
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

    it('center the dot of a list on its name if lists are stacked', async () => {
      await editor.resize(320, 700);
      const page = await openWidget(editor, 'lists', 'A rather');
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

    it('show the keys from the first one on', async () => {
      await editor.resize(320, 400);
      const page = await openWidget(editor, 'today', 'A rather');
      await rowsOf(page, 'A rather').click();
      await editor.page.keyboard.press('?');
      const help = page.locator('.help');
      await help.waitFor();
      assert.ok((await help.evaluate(one => one.scrollHeight - one.clientHeight)) > 0);
      assert.equal(await help.evaluate(one => one.scrollTop), 0);
      await editor.page.keyboard.press('Escape');
    });

    it('shift nothing after the first paint', async () => {
      for (const kind of layoutKinds) {
        const page = await openWidget(editor, kind, 'A rather');
        const shifted = await page.evaluate(`(async () => {
          let sum = 0;
          const add = entries => entries.forEach(one => (sum += one.value));
          const observer = new PerformanceObserver(list => add(list.getEntries()));
          observer.observe({ type: 'layout-shift', buffered: true });
          for (let at = 0; at < 6; at++) await new Promise(requestAnimationFrame);
          add(observer.takeRecords());
          return sum;
        })()`);
        assert.ok((shifted as number) < 0.01, `${kind}: ${shifted}`);
      }
    });

    it('learn a new size once, even in a column that was moved', async () => {
      const page = await openWidget(editor, 'lists', 'A rather');
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

  describe('the user’s system settings', () => {
    beforeEach(twoTasks);

    const selected = async (kind: WidgetKind) => {
      const page = await openWidget(editor, kind, 'A rather');
      await rowsOf(page, 'A rather')
        .first()
        .click({ modifiers: ['Control'] });
      return page;
    };

    it('put the buttons of a selected row on the background of the row', async () => {
      const page = await selected('today');
      const [row, buttons] = (await page.evaluate(`(row => [
        getComputedStyle(row).backgroundColor,
        getComputedStyle(row.querySelector('.acts')).backgroundImage,
      ])(document.querySelector('.row.selected'))`)) as [string, string];
      assert.ok(buttons.includes(row), `${row}, ${buttons}`);
    });

    it('show selection and focus in forced colors', async () => {
      await editor.page.emulateMedia({ forcedColors: 'active' });
      for (const kind of layoutKinds) {
        const page = await selected(kind);
        const outline = await page.evaluate(`getComputedStyle(document.querySelector('.selected')).outlineStyle`);
        assert.equal(outline, 'solid', kind);
      }
      await editor.page.emulateMedia({ forcedColors: null });
    });

    it('collapse a completed row at once if motion is reduced', async () => {
      await editor.page.emulateMedia({ reducedMotion: 'reduce' });
      const page = await openWidget(editor, 'upNext', 'A rather');
      await endless(page);
      await rowsOf(page, 'A rather').locator('.check').click();
      await rowsOf(page, 'A rather').waitFor({ state: 'detached' });
    });
  });
});
