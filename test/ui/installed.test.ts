import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { zipSync } from 'fflate';
import { readWords } from '../../scripts/l10n/faults';
import { syncWords } from '../../scripts/manifest';
import { readPackage } from '../../scripts/package/check';
import { packageOnce } from '../../scripts/package/once';
import { editorCommand } from '../../scripts/vscode/server';
import { isFullOnly } from '../../src/contributions/manifest';
import { type Walk, walks } from '../support/languages';
import { textsOn } from '../support/spokenTexts';
import { foreignSyncWords } from '../support/syncWords';
import { Session } from './support/driver';
import { until } from './support/wait';

const flavors = [
  ['full', 'dueline'],
  ['offline', 'dueline-offline'],
] as const;

const american: Walk = {
  locale: 'en',
  add: ['Water the plants tomorrow #home', 'Water the plants', /^Tomorrow/],
  releaseNotes: 'What’s New in Dueline 1.1.0',
  direction: 'ltr',
};

/** Each language once a night; otherwise English, and one with other words and the other direction. */
const languagesOf = (flavor: string): readonly Walk[] => {
  const others = walks.filter(({ settings }) => !settings);
  if (process.env.DUELINE_UI_ALL === '1') return [american, ...others];
  return [american, ...others.filter(({ locale }) => flavor === 'full' && locale === 'ar')];
};

describe('the packages', () => {
  for (const [flavor, name] of flavors) {
    const id = `dueline.${name}`;
    /**
     * One window in all languages: what the package has to prove is that it holds the words, which a reload into another
     * language shows as well as an installation does. The Inbox keeps the name of the first start.
     */
    describe(`the ${flavor} one, installed`, () => {
      let session: Session;
      before(async () => {
        // One of the two does all of this in Restricted Mode, too.
        const [whole, restricted] = [flavor === 'full', flavor === 'offline'];
        session = await Session.open({ vsix: [await packageOnce(flavor)], whole, restricted });
      });
      after(() => session?.close());

      const tasks = (query: string) =>
        session.window.run(
          async (vscode, id, query) => {
            const engine = await vscode.extensions.getExtension(id)?.activate();
            return engine.query(query).map((row: { task: { title: string } }) => row.task.title);
          },
          id,
          query,
        );

      it('activates with the editor', async () => {
        const found = await session.window.run(async (vscode, id) => {
          const extension = vscode.extensions.getExtension(id);
          const engine = await extension?.activate();
          const { isTrusted } = vscode.workspace;
          return { active: extension?.isActive, path: extension?.extensionPath, flavor: engine?.flavor, isTrusted };
        }, id);
        assert.equal(found.isTrusted, flavor === 'full');
        assert.equal(found.active, true);
        assert.equal(found.flavor, flavor);
        assert.ok(found.path?.startsWith(session.server.data), `installed in ${found.path}`);
      });

      const done: string[] = [];
      for (const walk of languagesOf(flavor)) {
        const { locale, editor = locale, add, direction } = walk;
        const manifest = readWords(editor === 'en' ? 'package.nls.json' : `package.nls.${editor}.json`);
        const title = (key: string) => `Dueline: ${manifest[key]!.replace(/ ?…$/, '')}`;

        /**
         * Reloads into the language, for which the system's region is the window's for good: the setting decides which
         * English is meant.
         */
        const speak = async () => {
          const { window } = session;
          await window.command('workbench.action.closeAllEditors');
          await window.run(
            async (vscode, language) => {
              await vscode.workspace.getConfiguration().update('dueline.display.language', language, true);
            },
            editor === locale ? 'auto' : locale,
          );
          await session.speak(editor);
        };

        it(`in ${locale}: keeps what was done, adds and completes a task, offers sync only in the full flavor, and shows what is new`, async () => {
          if (walk !== american) await speak();
          const { window } = session;
          const [typed, text] = add;
          await window.view();
          await window.rows('Inbox').first().waitFor();
          assert.deepEqual((await tasks('is:done')).sort(), [...done].sort());
          await window.palette(title('command.quickAdd'));
          await window.quickText.fill(typed);
          await window.picks(text).first().click();
          await until('the task', 30_000, async () => (await tasks('is:open'))[0] === text);
          // The first task that is ever added opens its list.
          if (done.length > 0) await window.expand('Inbox');
          await window.tick(text);
          await until('its completion', 30_000, async () => (await tasks('is:done')).includes(text));
          done.push(text);
          await window.picture(`installed-${flavor}-${locale}`);

          const commands = await window.run(async vscode =>
            (await vscode.commands.getCommands(true)).filter(one => one.startsWith('dueline')),
          );
          assert.equal(commands.some(isFullOnly), flavor === 'full');
          const settings = await window.run(vscode => Object.keys(vscode.workspace.getConfiguration('dueline')));
          assert.equal(settings.includes('sync'), flavor === 'full');
          await window.command('dueline.openWidget', 'lists');
          const page = await window.frame('body.as-editor dueline-widget');
          const shown = await textsOn(window.page);
          await until('the focus in the page', 60_000, () => page.evaluate<boolean>('document.hasFocus()'));
          await window.page.keyboard.press('F1');
          await window.quickText.waitFor();
          await window.quickText.fill('>Dueline: ');
          await window.picks(title('command.quickAdd')).first().waitFor();
          const palette = (await window.picks(/^Dueline: /).allTextContents()).join('\n');
          await window.page.keyboard.press('Escape');
          const ofServers = (text: string) => syncWords.test(text) || foreignSyncWords.test(text);
          if (flavor === 'offline') assert.deepEqual([...shown, ...palette.split('\n')].filter(ofServers), []);

          const notes = window.page.locator('.notification-toast').filter({ hasText: /dueline/i });
          assert.equal(await notes.count(), 0, 'no note of an error');
          await window.palette(title('command.whatsNew'));
          const notesPage = await window.frame('h1', 'Dueline 1.1.0');
          assert.equal(await notesPage.locator('h1').textContent(), walk.releaseNotes);
          assert.equal(await notesPage.locator('html').getAttribute('dir'), direction);
          assert.equal(await notesPage.locator('li').count(), flavor === 'full' ? 6 : 5);
        });
      }

      it('is uninstalled without a trace except the tasks', async () => {
        const { server } = session;
        assert.match(await editorCommand(server, '--list-extensions'), new RegExp(`^${id}$`, 'm'));
        await editorCommand(server, '--uninstall-extension', id);
        assert.doesNotMatch(await editorCommand(server, '--list-extensions'), new RegExp(`^${id}$`, 'm'));
        assert.ok(existsSync(join(server.user, 'globalStorage', id, 'store')));
      });
    });
  }

  describe('an update from the previous version', () => {
    let session: Session;
    before(async () => {
      session = await Session.open({ vsix: [await olderPackage()], whole: true });
      await session.window.view();
      await session.window.rows('Inbox').first().waitFor();
    });
    after(() => session?.close());

    const offers = () =>
      session.window.page.locator('.notification-toast').filter({ hasText: 'Dueline was updated to version 1.1.0' });
    const pages = async () => {
      const found = await Promise.all(
        session.window.page.frames().map(frame =>
          frame
            .locator('h1', { hasText: '1.1.0' })
            .count()
            .catch(() => 0),
        ),
      );
      return found.reduce((sum, count) => sum + count, 0);
    };

    it('shows nothing after a fresh installation, offers what is new once, and opens nothing by itself', async () => {
      const { window } = session;
      assert.equal(await offers().count(), 0);
      assert.equal(await pages(), 0);
      await editorCommand(session.server, '--install-extension', await packageOnce('full'), '--force');
      await window.reload();
      await offers().first().waitFor();
      const version = await window.run(
        vscode => vscode.extensions.getExtension('dueline.dueline')?.packageJSON.version,
      );
      assert.equal(version, '1.1.0');
      assert.equal(await pages(), 0);
      await window.picture('update-offered');
      await offers().first().getByRole('button', { name: 'What’s New' }).click();
      await window.frame('h1', 'What’s New in Dueline 1.1.0');
      await window.picture('update-whats-new');

      await window.command('workbench.action.closeAllEditors');
      await window.reload();
      await window.view();
      await window.rows('Inbox').first().waitFor();
      // Anything that is shown at the start is there once a later message of ours is.
      void window.command('dueline.backup.create');
      await window.page.locator('.notification-toast').filter({ hasText: 'Backup created' }).first().waitFor();
      assert.equal(await offers().count(), 0);
    });
  });
});

/** The full package as the version before: the same files under the number 1.0.0. */
async function olderPackage(): Promise<string> {
  const entries = readPackage(await packageOnce('full'));
  for (const path of ['extension/package.json', 'extension.vsixmanifest']) {
    const text = new TextDecoder().decode(entries.get(path)).replace(/(["\s]version"?[:=]\s*")1\.1\.0"/gi, '$11.0.0"');
    entries.set(path, new TextEncoder().encode(text));
  }
  const file = resolve('out/dueline-older.vsix');
  writeFileSync(file, zipSync(Object.fromEntries(entries)));
  return file;
}
