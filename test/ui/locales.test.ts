import assert from 'node:assert/strict';
import { readWords } from '../../scripts/l10n/faults';
import { walks } from '../support/languages';
import { englishFinder, textsOn } from '../support/spokenTexts';
import { Session } from './support/driver';
import { until } from './support/wait';

/**
 * Every language once a night; otherwise one for each way to ask for it: the editor's language, the system, and the setting,
 * which is the one from right to left. Pages show each language in a tier below.
 */
const chosen = process.env.DUELINE_UI_ALL === '1' ? walks : walks.filter(({ editor }, at) => at === 0 || editor);

/** One walk in each language, past what only the editor shows: its own menus and views, with the words of the manifest. */
describe('the window in each language', () => {
  /** One window for all: a reload brings each language as a start would, for half of what a window of its own costs. */
  let session: Session;
  before(async () => {
    const british = walks.find(({ locale }) => locale === 'en-gb')!;
    session = await Session.open({ locale: chosen[0]!.locale, env: british.env, timezone: 'Europe/Berlin' });
  });
  after(() => session?.close());
  afterEach(async function () {
    await session.window.tidy(this.currentTest);
  });

  /** The state after a first start in that language, with one task. */
  const begin = async (inbox: string, title: string, language: string) => {
    await session.window.run(
      async (vscode, name, title, language) => {
        const engine = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        for (const { task } of engine.query('is:open')) await engine.deleteTask(task.id);
        await engine.updateList(engine.lists()[0].id, { name });
        await engine.createTask(engine.lists()[0].id, { title });
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await vscode.workspace.getConfiguration().update('dueline.display.language', language, true);
      },
      inbox,
      title,
      language,
    );
  };

  for (const { locale, editor = locale, settings, add, direction } of chosen) {
    const name = editor === locale ? locale : `${locale}, by the ${settings ? 'setting' : 'system'}`;
    it(`speaks it in trees, menus and the walkthrough: ${name}`, async () => {
      const { window } = session;
      const [, title] = add;
      const words = readWords(`l10n/bundle.l10n.${locale}.json`);
      const english = englishFinder(locale);
      /** VS Code takes the manifest's words from its own language, not from the setting. */
      const manifest = readWords(editor === 'en' ? 'package.nls.json' : `package.nls.${editor}.json`);
      const known = new Set(
        editor === 'en' ? Object.values(manifest).flatMap(text => [text, ...text.split('\n')]) : [],
      );
      /** Waits: what is drawn last may come a moment after what was waited for. */
      const onlyIn = async (part: string, more: readonly string[] = []) => {
        let left: string[] = [];
        await until(`only ${locale} in ${part}`, 10_000, async () => {
          left = english(await textsOn(window.page, more)).filter(text => !known.has(text));
          return left.length === 0;
        }).catch(() => assert.deepEqual(left, [], part));
      };

      const inbox = words.Inbox ?? 'Inbox';
      await begin(inbox, title, (settings?.['dueline.display.language'] as string | undefined) ?? 'auto');
      // The window came up in the first of them.
      if (locale !== chosen[0]!.locale) await session.speak(editor);
      await window.view();
      const today = await window.frame('.empty', words['Nothing due today.'] ?? 'Nothing due today.');
      assert.equal(await today.locator('html').getAttribute('dir'), direction);
      await window.openPane(manifest['view.filters']!);
      await window
        .rows(words.Overdue ?? 'Overdue')
        .first()
        .waitFor();
      await window.expand(inbox);
      await onlyIn('the sidebar');

      await window.rows(title).first().click({ button: 'right' });
      await window.page.locator('.monaco-menu').last().waitFor();
      await onlyIn('the menu of a task');
      await window.page.keyboard.press('Escape');

      await window.command('dueline.openWalkthrough');
      await window.page.getByText(manifest['walkthrough.add.title']!).first().waitFor();
      await onlyIn('the walkthrough', ['.gettingStartedSlideDetails']);
    });
  }
});
