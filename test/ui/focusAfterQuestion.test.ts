import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { rowKeys } from '../../media/rows/rowKeys';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import { asksAboutSubtasks, fill } from './support/widgetPages';

const timeoutMs = 30_000;

/** The keys of a widget that ask something. Enter opens the task's page, and the focus goes there. */
/** A link and a text open without a question. */
const withoutQuestion = ['open', 'openLink', 'editAsText'];
const askingKeys = [...Object.keys(rowKeys).filter(key => !withoutQuestion.includes(rowKeys[key]!)), '/'];

/**
 * A busy editor hands the focus to the frames of its pages late: here every other time. The host’s own message comes
 * late, too: the next key may have asked by then.
 */
const handOnLate = `(() => {
  const { postMessage } = MessagePort.prototype;
  let count = 0;
  globalThis.late = { onTheirWay: 0, end: () => Object.assign(MessagePort.prototype, { postMessage }) };
  MessagePort.prototype.postMessage = function (message, ...rest) {
    const isOfHost = message?.channel === 'message' && message.args?.message?.type === 'focus';
    const isLate = isOfHost || (message?.channel === 'focus' && count++ % 2 === 0);
    if (!isLate) return postMessage.call(this, message, ...rest);
    late.onTheirWay++;
    setTimeout(() => {
      postMessage.call(this, message, ...rest);
      late.onTheirWay--;
    }, 120);
  };
})()`;

/** A page takes the focus by itself a moment later. Longer timers, such as that of midnight, have no part in it. */
const countTimers = `(() => {
  const { setTimeout: after, clearTimeout: clear } = globalThis;
  const waiting = (globalThis.timersOnTheirWay = new Set());
  globalThis.setTimeout = (work, ms = 0, ...rest) => {
    const end = () => (waiting.delete(timer), work(...rest));
    const timer = after(end, ms);
    if (ms <= 1000) waiting.add(timer);
    return timer;
  };
  globalThis.clearTimeout = timer => (waiting.delete(timer), clear(timer));
})()`;

/** The places of a widget: the view that shows it, and the words of its page for the place. */
const places = {
  sidebar: { command: ['dueline.today.focus'], page: '.as-sidebar' },
  panel: { command: ['dueline.widgets.week.focus'], page: '.as-panel' },
  tab: { command: ['dueline.openWidget', 'today'], page: '.as-editor' },
} as const;

describe('the focus after a question', () => {
  let session: Session;
  before(async () => {
    session = await sharedSession({ theme: 'dark', size: { width: 1280, height: 900 } });
    await session.window.page.evaluate(handOnLate);
    await asksAboutSubtasks(session.window, 'ask');
    writeFileSync(join(session.folder, 'source.txt'), 'source');
    // To be snoozed.
    const alarms = [{ reference: 'ABSOLUTE', minutesBefore: -Math.ceil(Date.now() / 60_000) - 600 }] as const;
    await fill(
      session.window,
      ['Work', 'Home'],
      [
        { list: 'Work', title: 'Pack the books', day: 0, time: 600, alarms },
        { list: 'Work', title: 'Take the atlas along', parent: 'Pack the books' },
      ],
    );
  });
  after(async () => {
    await session?.window.page.evaluate('late.end()');
    if (session) await asksAboutSubtasks(session.window);
  });
  beforeEach(async () => {
    await session.window.command('workbench.action.closeAllEditors');
    await session.window.run(
      async (vscode, path) => {
        await vscode.window.showTextDocument(vscode.Uri.file(path));
      },
      join(session.folder, 'source.txt'),
    );
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await session.window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
    const text = await session.window.run(vscode => vscode.window.visibleTextEditors[0]?.document.getText());
    if (text !== undefined) assert.equal(text, 'source', 'no key went into the file');
  });

  const keyboard = () => session.window.page.keyboard;
  /** The row that the page's keys mean; nothing if another part of the window has the focus. */
  const focusedRow = (page: Frame) =>
    page.evaluate<string>(`(() => {
      const at = document.hasFocus() ? document.activeElement : null;
      return document.getElementById(at?.getAttribute('aria-activedescendant'))?.textContent ?? '';
    })()`);
  const isOnTask = async (page: Frame) => /Pack the books/.test(await focusedRow(page));
  const backOnTask = (page: Frame, after: string) =>
    withFocusNamed(until(`the focus on the row after ${after}`, timeoutMs, () => isOnTask(page)));
  /** Adds to a failure which element has the focus instead. */
  const withFocusNamed = <T>(waited: Promise<T>): Promise<T> =>
    waited.catch(async error => {
      const where = await Promise.all(
        session.window.page.frames().map(async frame => {
          const at = await frame
            .evaluate<string>(`(() => {
            const at = document.activeElement;
            return \`\${document.hasFocus()} \${at?.tagName}#\${at?.id}.\${at?.className}\`;
          })()`)
            .catch(String);
          return `${frame.url().slice(0, 60)} ${at}`;
        }),
      );
      throw new Error(`${error.message}\n${where.join('\n')}`);
    });
  const isAsked = async () =>
    (await session.window.quickInput.isVisible()) ||
    (await session.window.page.locator('.monaco-dialog-box').isVisible());

  const taskIn = (page: Frame) => page.locator(':is(.row, .card)', { hasText: 'Pack the books' }).first();

  /** The widget in that place, with the focus on the task. */
  const widgetIn = async (place: keyof typeof places): Promise<Frame> => {
    const { command, page: where } = places[place];
    await session.window.command(...(command as readonly [string, ...string[]]));
    const page = await session.window.frame(`body${where} :is(.row, .card)`, 'Pack the books');
    await taskIn(page).click({ position: { x: 60, y: 4 } });
    await withFocusNamed(until('the row to have the focus', timeoutMs, () => isOnTask(page)));
    return page;
  };

  for (const place of ['sidebar', 'panel', 'tab'] as const) {
    it(`${place}: returns to the row from every key that asks, an answer and a command of the row’s menu`, async () => {
      const page = await widgetIn(place);
      for (const key of askingKeys) {
        await keyboard().press(key);
        await withFocusNamed(until(`a question after ${key}`, timeoutMs, isAsked));
        await keyboard().press('Escape');
        await until('the question to close', timeoutMs, async () => !(await isAsked()));
        await backOnTask(page, key);
      }
      await keyboard().press('p');
      await session.window.picks('High').first().waitFor();
      await keyboard().press('Enter');
      await session.window.quickInput.waitFor({ state: 'hidden' });
      await backOnTask(page, 'an answer');
      await keyboard().press('Shift+F10');
      await session.window.menu('Rename Task…');
      await session.window.quickInput.waitFor();
      await keyboard().press('Escape');
      await session.window.quickInput.waitFor({ state: 'hidden' });
      await backOnTask(page, 'the menu');
    });
  }

  it('stays in the file after a click there while a question is open', async () => {
    const page = await widgetIn('sidebar');
    const frames = [page, page.parentFrame()!];
    for (const frame of frames) await frame.evaluate(countTimers);
    // The task's preview may be in front of the file.
    await session.window.run(
      async (vscode, path) => {
        await vscode.window.showTextDocument(vscode.Uri.file(path), { viewColumn: 2, preserveFocus: true });
      },
      join(session.folder, 'source.txt'),
    );
    await keyboard().press('d');
    await session.window.picks('Tomorrow').first().waitFor();
    const lines = session.window.page.locator('.editor-instance .view-lines').first();
    await lines.click({ position: { x: 5, y: 400 } });
    await session.window.quickInput.waitFor({ state: 'hidden' });
    // The focus would come with what the page hears, or with what its host answers then; each can be late. Or the page takes it.
    for (const word of ['said', 'heard', 'answered', 'settled']) {
      await session.window.run(async (vscode, word) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        await api.updateTask(api.query('title:"Pack the books"')[0].task.id, { tags: [word] });
      }, word);
      await taskIn(page).filter({ hasText: word }).waitFor();
      await until('nothing late', timeoutMs, () => session.window.page.evaluate<boolean>('late.onTheirWay === 0'));
      for (const frame of frames)
        await until('no timer', timeoutMs, () => frame.evaluate<boolean>('timersOnTheirWay.size === 0'));
    }
    assert.equal(await focusedRow(page), '');
  });
});
