import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { readWords } from '../../scripts/l10n/faults.mjs';
import { widgetKinds } from '../../src/core/agenda/widgets';
import { Session } from './support/driver';
import { walks } from './support/languages';
import { englishFinder, textsOn } from './support/texts';
import { until } from './support/wait';

/** One window for all: a reload brings each language as a start would, for half of what a window of its own costs. */
let session: Session;
before(async () => {
  const british = walks.find(({ locale }) => locale === 'en-gb')!;
  session = await Session.open({ locale: walks[0]!.locale, env: british.env, timezone: 'Europe/Berlin' });
});
after(() => session?.close());

/** Says in which language Dueline is to speak. */
const set = (language: string) =>
  session.window.run(async (vscode, language) => {
    await vscode.workspace.getConfiguration().update('dueline.display.language', language, true);
  }, language);

/** No task and no editor of the language before; the Inbox is named by the language of the very first start. */
async function clear(inbox: string, language = 'auto'): Promise<void> {
  await session.window.run(async (vscode, name) => {
    const engine = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    for (const { task } of engine.query('is:open')) await engine.deleteTask(task.id);
    await engine.updateList(engine.lists()[0].id, { name });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }, inbox);
  await set(language);
}

for (const walk of walks) {
  const { locale, editor = locale, add, direction } = walk;
  const by = walk.settings ? 'setting' : 'system';
  const name = editor === locale ? locale : `${locale}, by the ${by} in an editor that speaks ${editor}`;
  describe(`the interface in ${name}`, () => {
    let words: Record<string, string>;
    const english = englishFinder(locale);
    /** What the manifest says, VS Code takes from its own language, not from the setting. */
    const manifest = readWords(editor === 'en' ? 'package.nls.json' : `package.nls.${editor}.json`);
    const word = (text: string) => words[text] ?? text;
    const shots = `locale-${locale}${editor === locale ? '' : '-set'}`;

    before(async () => {
      words = readWords(`l10n/bundle.l10n.${locale}.json`);
      if (walk !== walks[0]) {
        await clear(word('Inbox'), walk.settings?.['dueline.display.language'] as string | undefined);
        await session.speak(editor);
      }
      await session.window.view();
    });

    /** Waits: what is drawn last may come a moment after what was waited for. */
    const onlyIn = async (part: string, more: readonly string[] = []) => {
      let left: string[] = [];
      await until(`only ${locale} in ${part}`, 10_000, async () => {
        const found = english(await textsOn(session.window.page, more));
        const known = new Set(
          editor === 'en' ? Object.values(manifest).flatMap(text => [text, ...text.split('\n')]) : [],
        );
        left = found.filter(text => !known.has(text));
        return left.length === 0;
      }).catch(() => assert.deepEqual(left, [], part));
    };
    const directionOf = (frame: Frame) => frame.locator('html').getAttribute('dir');

    it('shows empty trees and the Today widget in it', async () => {
      const { window } = session;
      const today = await window.frame('.empty', word('Nothing due today.'));
      assert.equal(await directionOf(today), direction);
      await window.rows(word('Inbox')).first().waitFor();
      await window.pane(manifest['view.filters']!).first().waitFor();
      await window.rows(word('Overdue')).first().waitFor();
      await onlyIn('the sidebar');
    });

    it('understands quick add in its own words', async () => {
      const { window } = session;
      const [typed, title, when] = add;
      await window.command('workbench.action.closeQuickOpen');
      void window.command('dueline.quickAdd');
      await window.quickText.waitFor();
      await window.quickText.fill(typed);
      await window.picks(title).first().waitFor();
      await onlyIn('quick add');
      await window.picture(`${shots}-quick-add`);
      await window.picks(title).first().click();
      const rows = () =>
        window.run(async (vscode, id) => {
          const engine = await vscode.extensions.getExtension(id)?.activate();
          return engine.query('is:open').map((row: { task: { title: string; tags: string[] } }) => row.task);
        }, 'dueline.dueline');
      await until('the task', 30_000, async () => (await rows())[0]?.title === title);
      assert.equal((await rows())[0].tags.length, 1);
      await window.expand(word('Inbox'));
      const row = window.rows(title).first();
      await row.waitFor();
      const shown = ((await row.locator('.label-description').textContent()) ?? '').replace(/[\u2066-\u2069]/g, '');
      assert.match(shown, when);
      await onlyIn('the tree with a task');
      await window.picture(`${shots}-tree`);
    });

    it('opens the menu of a task in it', async () => {
      const { window } = session;
      await window.rows(add[1]).first().click({ button: 'right' });
      await window.page.locator('.monaco-menu').last().waitFor();
      try {
        await onlyIn('the menu of a task');
      } finally {
        await window.page.keyboard.press('Escape');
      }
    });

    it('opens the task form in it, laid out its way', async () => {
      const { window } = session;
      await window.rows(add[1]).first().click();
      const form = await window.frame('dueline-task #notes');
      assert.equal(await directionOf(form), direction);
      await onlyIn('the task form');
      await window.picture(`${shots}-form`);
    });

    it('draws every widget in it, laid out its way', async () => {
      const { window } = session;
      for (const kind of widgetKinds) {
        await window.command('workbench.action.closeAllEditors');
        await window.command('dueline.openWidget', kind);
        const page = await window.frame(`dueline-widget[data-kind="${kind}"], body.as-editor dueline-widget`);
        assert.equal(await directionOf(page), direction);
        await onlyIn(`the widget ${kind}`);
        if (kind === 'week') await window.picture(`${shots}-week`);
      }
    });

    it('tells in it what was done', async () => {
      const { window } = session;
      await window.command('workbench.action.closeAllEditors');
      void window.command('dueline.backup.create');
      await window.page
        .locator('.notifications-center, .notification-toast')
        .first()
        .waitFor({ timeout: 1000 })
        .catch(() => undefined);
      await window.notification(/Dueline|\.db|./);
      await onlyIn('a notification');
      await window.command('notifications.clearAll');
    });

    it('says in it why a query cannot be read', async () => {
      const { window } = session;
      void window.command('dueline.filter.apply');
      await window.quickText.waitFor();
      await window.quickText.fill('titel:x');
      await window.picks('titel').first().waitFor();
      await onlyIn('the message on a query');
      await window.page.keyboard.press('Escape');
    });

    it('guides a newcomer in it', async () => {
      const { window } = session;
      await window.command('workbench.action.closeAllEditors');
      await window.command('dueline.openWalkthrough');
      await window.page.getByText(manifest['walkthrough.add.title']!).first().waitFor();
      await onlyIn('the walkthrough', ['.gettingStartedSlideDetails']);
    });

    it('shows what is new in it', async () => {
      const { window } = session;
      await window.command('dueline.whatsNew');
      const page = await window.frame('h1', 'Dueline 1.1.0');
      assert.equal(await directionOf(page), direction);
      assert.equal(await page.locator('h1').textContent(), walk.news);
      assert.equal(await page.locator('li').count(), 6);
      await window.picture(`${shots}-whats-new`);
    });
  });
}

describe('the language setting', () => {
  before(() => clear('Inbox'));

  it('turns open pages at once, words and direction', async () => {
    const { window } = session;
    const arabic = readWords('l10n/bundle.l10n.ar.json');
    await window.command('dueline.openWidget', 'week');
    await window.frame('body.as-editor dueline-widget', 'This week');
    for (const [language, words, direction] of [
      ['ar', arabic['This week']!, 'rtl'],
      ['auto', 'This week', 'ltr'],
    ] as const) {
      await set(language);
      const page = await window.frame('body.as-editor dueline-widget', words);
      assert.equal(await page.locator('html').getAttribute('dir'), direction);
      await window.frame('.empty', language === 'ar' ? arabic['Nothing due today.']! : 'Nothing due today.');
    }
  });
});
