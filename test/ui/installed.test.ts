import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { editorCommand } from '../../scripts/vscode/server.mjs';
import { Session } from './driver';
import { until } from './wait';

const packages = resolve('out/both-packages');
const run = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' });

describe('the packages', () => {
  before(() => {
    const made = run('scripts/package.mjs', '--quiet', '--out', packages);
    assert.equal(made.status, 0, made.stderr + made.stdout);
  });

  it('are the same bytes when they are made again', () => {
    const again = resolve('out/both-packages-again');
    assert.equal(run('scripts/package.mjs', '--quiet', '--out', again).status, 0);
    assert.equal(spawnSync('diff', ['-r', packages, again]).status, 0);
  });

  it('hold no way to a network in the offline flavor', () => {
    const [offline] = readdirSync(packages).filter(name => /offline.*\.vsix$/.test(name));
    const { status, stdout } = run('scripts/verify-offline.mjs', join(packages, offline!));
    assert.equal(status, 0, stdout);
  });

  for (const [flavor, name] of [
    ['full', 'dueline'],
    ['offline', 'dueline-offline'],
  ] as const) {
    describe(`the ${flavor} one, installed`, () => {
      let session: Session;
      before(async () => {
        const [file] = readdirSync(packages).filter(entry => entry.startsWith(`${name}-1`) && entry.endsWith('.vsix'));
        session = await Session.open({ vsix: [join(packages, file!)] });
      });
      after(() => session?.close());

      it('activates with the editor', async () => {
        const found = await session.window.run(async (vscode, id) => {
          const extension = vscode.extensions.getExtension(id);
          const engine = await extension?.activate();
          return { active: extension?.isActive, path: extension?.extensionPath, flavor: engine?.flavor };
        }, `dueline.${name}`);
        assert.equal(found.active, true);
        assert.equal(found.flavor, flavor);
        assert.ok(found.path?.startsWith(session.server.data), `installed in ${found.path}`);
      });

      it('adds a task, and shows it', async () => {
        const { window } = session;
        await window.view();
        await window.palette('Dueline: Quick Add Task');
        await window.quickText.fill('Water the plants tomorrow #home');
        await window.picks('Water the plants').first().click();
        const added = (id: string) =>
          window.run(async (vscode, id) => {
            const engine = await vscode.extensions.getExtension(id)?.activate();
            return engine.query('#home').map((row: { task: { title: string } }) => row.task.title);
          }, id);
        await until('the task', 30_000, async () => (await added(`dueline.${name}`))[0] === 'Water the plants');
        await window.rows('Inbox').first().waitFor();
        await window.shot(`installed-${flavor}`);
      });

      it('offers sync in the full flavor alone', async () => {
        const commands = await session.window.run(async vscode =>
          (await vscode.commands.getCommands(true)).filter(id => /^dueline\.(sync|account)\./.test(id)),
        );
        assert.equal(commands.length > 0, flavor === 'full');
      });

      it('leaves no note of an error in the window', async () => {
        const notes = session.window.page.locator('.notification-toast').filter({ hasText: /dueline/i });
        assert.equal(await notes.count(), 0);
      });

      it('shows what is new when asked', async () => {
        await session.window.palette('Dueline: What’s New');
        const page = await session.window.frame('h1', 'Dueline 1.1.0');
        assert.equal(await page.locator('html').getAttribute('dir'), 'ltr');
        assert.equal(await page.locator('li').count(), flavor === 'full' ? 6 : 5);
        await session.window.shot(`whats-new-${flavor}`);
      });

      it('uninstalls without a trace but the tasks', async () => {
        const { server } = session;
        const id = `dueline.${name}`;
        assert.match(await editorCommand(server, '--list-extensions'), new RegExp(`^${id}$`, 'm'));
        await editorCommand(server, '--uninstall-extension', id);
        assert.doesNotMatch(await editorCommand(server, '--list-extensions'), new RegExp(`^${id}$`, 'm'));
        assert.ok(existsSync(join(server.user, 'globalStorage', id, 'store')));
      });
    });
  }
});
