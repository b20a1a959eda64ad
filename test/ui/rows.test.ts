import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import { clear, fill, rowsOf } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 30_000;

/** Trees and widgets have one click, one set of keys and one look in common. */
describe('rows in trees and widgets', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await sharedSession({ theme: 'dark', size: { width: 1280, height: 1000 } }, await packageOnce('full'));
    window = session.window;
    await window.view();
  });
  beforeEach(async () => {
    await window.command('workbench.action.closeAllEditors');
    await clear(window);
    // Those of the test before look the same, and go while they are clicked.
    await row('Pay the rent').waitFor({ state: 'detached' });
    const today = await window.frame('body.as-sidebar');
    await rowsOf(today, 'Call the bank').first().waitFor({ state: 'detached' });
    await fill(
      window,
      ['Work'],
      [
        { list: 'Work', title: 'Call the bank', day: 0 },
        { list: 'Work', title: 'Sign the lease', day: 1 },
      ],
    );
    await window.command('dueline.lists.focus');
    const list = window.rows('Work').first();
    if ((await list.getAttribute('aria-expanded')) !== 'true') await list.locator('.monaco-tl-twistie').click();
    await window.rows('Sign the lease').first().waitFor();
    // Rows that are there may be drawn once more for an earlier change, which takes the focus from a field of the tree.
    // One that comes while its list is open comes last.
    await fill(window, [], [{ list: 'Work', title: 'Pay the rent' }]);
    await window.rows('Pay the rent').first().waitFor();
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const row = (title: string) => window.pane('Lists').locator('.monaco-list-row', { hasText: title }).first();
  const press = async (...keys: string[]) => {
    for (const key of keys) await window.page.keyboard.press(key);
  };
  const tabs = () => window.page.locator('.editor-group-container .tab').allInnerTexts();
  const tabsAre = (...titles: string[]) =>
    until(`the tabs ${titles}`, timeoutMs, async () => (await tabs()).join().trim() === titles.join()).catch(async () =>
      assert.deepEqual(await tabs(), titles),
    );
  const formIs = (title: string) =>
    window.frame(`dueline-task #title`).then(async page => {
      await until(`the form of ${title}`, timeoutMs, async () => (await page.locator('#title').inputValue()) === title);
      return page;
    });
  /** The element with the focus: the row of a tree with its words, else the element's kind. */
  const focused = () =>
    window.page.evaluate<string>(`(() => {
      const at = document.activeElement;
      return at?.closest('.pane-body .monaco-list')?.querySelector('.monaco-list-row.focused')?.textContent ?? at?.tagName;
    })()`);
  const focusIs = (title: string) =>
    until(`the focus on ${title}`, timeoutMs, async () => (await focused()).includes(title)).catch(async () =>
      assert.match(await focused(), new RegExp(title)),
    );

  it('a click in a tree shows the task in one tab, reused by the next click, and keeps the focus', async () => {
    await row('Call the bank').click();
    await tabsAre('Call the bank');
    await focusIs('Call the bank');
    await row('Pay the rent').click();
    await tabsAre('Pay the rent');
    await formIs('Pay the rent');
    await focusIs('Pay the rent');
    await press('F2');
    await window.answer('Rename Task', 'Pay the bill');
    await tabsAre('Pay the bill');
    await focusIs('Pay the bill');
    await press('ArrowUp', 'Space');
    await row('Sign the lease').waitFor({ state: 'detached' });
    await window.pictures('rows-preview');
  });

  it('Enter and a double click open it permanently, with the focus and the keys of the form', async () => {
    await row('Call the bank').click();
    await tabsAre('Call the bank');
    await press('Enter');
    await until('the focus in the form', timeoutMs, async () => (await focused()) === 'IFRAME');
    await row('Sign the lease').dblclick();
    await tabsAre('Call the bank', 'Sign the lease');
    await until('the focus in the form', timeoutMs, async () => (await focused()) === 'IFRAME');
    await row('Pay the rent').click();
    await tabsAre('Call the bank', 'Sign the lease', 'Pay the rent');
    await row('Call the bank').click();
    await focusIs('Call the bank');
    assert.equal((await tabs()).length, 3);
    // The form has its keys after a double click too.
    await window.command('workbench.action.closeAllEditors');
    await row('Sign the lease').dblclick();
    const page = await formIs('Sign the lease');
    await until('the focus in the form', timeoutMs, () => page.evaluate<boolean>('document.hasFocus()'));
    await press('Control+Enter');
    await tabsAre();
  });

  it('Enter on a list collapses it, as before', async () => {
    await row('Work').click({ position: { x: 120, y: 8 } });
    await row('Pay the rent').waitFor({ state: 'detached' });
    await press('Enter');
    await row('Pay the rent').waitFor();
    assert.deepEqual(await tabs(), []);
  });

  it('a letter is a letter while the user types, and if the keys are turned off', async () => {
    await row('Sign the lease').click();
    await press('F3');
    await window.page.locator('.monaco-tree-type-filter').first().waitFor();
    await window.page.keyboard.type('dspt1');
    assert.equal(await window.quickInput.isVisible(), false);
    await press('Escape', 'Escape');
    const set = (value: boolean | undefined) =>
      window.run(async (vscode, value) => {
        const target = vscode.ConfigurationTarget.Global;
        await vscode.workspace.getConfiguration().update('dueline.tree.letterKeys', value ?? undefined, target);
      }, value);
    await set(false);
    try {
      // A second click on the row of the first one would be a double click, which leads into the form.
      await row('Call the bank').click();
      await focusIs('Call the bank');
      // The key of the priority finds a row by its title instead.
      await press('p');
      await focusIs('Pay the rent');
      assert.equal(await window.quickInput.isVisible(), false);
    } finally {
      await set(undefined);
    }
  });

  describe('appearance', () => {
    const make = (titles: Record<string, object>) =>
      window.run(async (vscode, titles) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const list = api.lists().find((one: { name: string }) => one.name === 'Work').id;
        const now = new Date();
        const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
        for (const [title, { day, ...rest }] of Object.entries(titles) as [string, { day?: number }][]) {
          const due = day === undefined ? {} : { due: today + day * 86_400_000, isAllDay: true };
          await api.createTask(list, { title, ...due, ...rest });
        }
      }, titles);
    interface Parts {
      start: number;
      svg: string;
      details: string;
      isCut: boolean;
    }
    /** The beginning of a row's title, its icon, and the parts after it. */
    const parts = async (title: string) => {
      await row(title).waitFor();
      return window.page.evaluate<Parts>(`(() => {
        const rows = [...document.querySelectorAll('.pane-body .monaco-list-row')];
        const at = rows.find(one => one.textContent.includes(${JSON.stringify(title)}));
        const icon = at.querySelector('.custom-view-tree-node-item-icon');
        const image = icon ? getComputedStyle(icon).backgroundImage : '';
        return {
          start: at.querySelector('.label-name').getBoundingClientRect().x,
          svg: atob(/base64,([^")]+)/.exec(image)?.[1] ?? ''),
          details: at.querySelector('.label-description')?.textContent ?? '',
          isCut: [...at.querySelectorAll('.monaco-icon-label-container')].some(one => one.scrollWidth > one.clientWidth),
        };
      })()`);
    };

    it('distinguishes priorities by shape, next to an overdue date', async () => {
      await make({
        'High one': { priority: 1, day: -1 },
        'Medium one': { priority: 5 },
        'Low one': { priority: 9 },
        'Begun one': { status: 1, priority: 1 },
      });
      const rows = await Promise.all(['High one', 'Medium one', 'Low one', 'Begun one', 'Pay the rent'].map(parts));
      const [high, , , begun, none] = rows;
      assert.equal(new Set(rows.map(({ svg }) => svg)).size, 5, 'five icons');
      assert.equal(high!.svg.match(/m0 2/g)?.length, 3);
      assert.equal(none!.svg, '');
      assert.match(begun!.svg, /fill="#/);
      assert.match(high!.details, /overdue/);
      assert.equal(new Set(rows.map(({ start }) => Math.round(start))).size, 1, 'titles aligned');
      const page = await window.frame('body.as-sidebar .row', 'High one');
      assert.equal(await rowsOf(page, 'High one').locator('.check.high .glyph').count(), 1);
      await window.pictures('rows-look');
    });

    it('keeps the date and shortens the title if the sidebar is narrow', async () => {
      await make({
        'A long title that does not fit': { day: 1, alarms: [{ minutesBefore: 5 }], tags: ['home'] },
        'With a time, and too long as well': { day: 1, isAllDay: false },
      });
      const { page } = window;
      const drag = async (width: number) => {
        const box = (await page.locator('.part.sidebar').boundingBox())!;
        await page.mouse.move(box.x + box.width, 500);
        await page.mouse.down();
        await page.mouse.move(box.x + width, 500, { steps: 5 });
        await page.mouse.up();
      };
      await drag(240);
      await until('a short title with its date', timeoutMs, async () => {
        const { details, isCut } = await parts('A long').catch(() => parts('A lon'));
        const title = await row('A lon').locator('.label-name').textContent();
        return details.replace(/[\u2068\u2069]/g, '') === 'Tomorrow' && /^A lon.*…$/.test(title ?? '') && !isCut;
      });
      assert.match((await row('A lon').getAttribute('aria-label')) ?? '', /A long title that does not fit/);
      await until('the day without its time', timeoutMs, async () => {
        const { details, isCut } = await parts('With a');
        return details.replace(/[\u2068\u2069]/g, '') === 'Tomorrow' && !isCut;
      });
      await window.pictures('rows-narrow');
      await drag(560);
      await until('all of it', timeoutMs, async () =>
        (await parts('A long title that does not fit')).details.includes('#home'),
      );
      await drag(300);
    });
  });
});
