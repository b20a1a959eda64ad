import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DuelineApi } from '../../src/api';
import { acceptAll, dismiss, duelineApi, eventually, extensionId, isOffline, run } from './support/api';

const extension = () => vscode.extensions.getExtension(extensionId)!;
const contributed = (): string[] =>
  extension().packageJSON.contributes.commands.map(({ command }: { command: string }) => command);

type Settings = readonly (readonly [id: string, value: unknown])[];

/** The user's settings, for commands that switch a setting over. */
const settingsNow = (): Settings =>
  [extension().packageJSON.contributes.configuration]
    .flat()
    .flatMap(({ properties }: { properties: object }) => Object.keys(properties))
    .map(id => [id, vscode.workspace.getConfiguration().inspect(id)?.globalValue] as const);

async function putBack(before: Settings): Promise<void> {
  for (const [id, value] of before) {
    if (vscode.workspace.getConfiguration().inspect(id)?.globalValue !== value)
      await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
  }
}

/** The test has ended: even if it ran out of time, it must not go on closing what the next ones open. */
let isOver = false;

/** Runs a command and leaves every question that it asks, as someone does who opened it by mistake. */
async function leave(command: string, ...args: unknown[]): Promise<void> {
  let done = false;
  const running = Promise.resolve(vscode.commands.executeCommand(command, ...args)).finally(() => {
    done = true;
  });
  running.catch(() => undefined);
  while (!done && !isOver) {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    if (!done) await vscode.commands.executeCommand('notifications.clearAll');
  }
  await running;
}

describe('every contributed command', () => {
  let api: DuelineApi;
  before(async () => {
    api = await duelineApi();
    await vscode.workspace
      .getConfiguration('files')
      .update('simpleDialog.enable', true, vscode.ConfigurationTarget.Global);
  });
  afterEach(() => {
    isOver = true;
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace
      .getConfiguration('files')
      .update('simpleDialog.enable', undefined, vscode.ConfigurationTarget.Global);
  });

  it('runs, and changes no list if its questions are canceled', async function () {
    this.timeout(300_000);
    const id = await api.createTask(api.lists()[0]!.id, { title: 'Stays as it is' });
    const lists = api.lists().length;
    const before = settingsNow();
    try {
      for (const command of contributed()) {
        await leave(command).catch(error => assert.fail(`${command}: ${error.message}`));
      }
    } finally {
      await putBack(before);
    }
    assert.ok(api.task(id));
    assert.equal(api.lists().length, lists);
  });
});

describe('commands on the data as a whole', () => {
  it('shows the results of a check in a document', async () => {
    await run('dueline.data.check');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^# /);
    assert.ok(text.match(/^## ✓ /gm)!.length >= 6, text);
    assert.doesNotMatch(text, /^## ✗/m);
  });

  it('explains a filter in words, with counts', async () => {
    const api = await duelineApi();
    await api.createTask(api.lists()[0]!.id, { title: 'Explained', tags: ['why'] });
    await run('dueline.filter.explain', { filterId: 'tag:why' });
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^# #why/);
    assert.match(text, /\*\*[^*]+: 1\*\*/);
  });

  it('previews a backup, and restores nothing if the user cancels', async () => {
    const api = await duelineApi();
    const folder = mkdtempSync(join(tmpdir(), 'dueline-copy-'));
    try {
      await api.exportDatabase(join(folder, 'copy.db'));
      assert.ok(existsSync(join(folder, 'copy.db')));
      const running = run('dueline.backup.restore');
      await dismiss();
      await running;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('repeating tasks', () => {
  const day = 86_400_000;
  const due = Date.UTC(2030, 0, 7);

  it('delete one occurrence by the first choice of Delete, and skip one', async () => {
    const api = await duelineApi();
    const id = await api.createTask(api.lists()[0]!.id, {
      title: 'Each day',
      due,
      isAllDay: true,
      rrule: 'FREQ=DAILY',
    });
    const running = run('dueline.delete', { taskId: id, occurrence: due + 2 * day });
    await acceptAll(running);
    assert.match(api.task(id)?.exdate ?? '', /20300109/);
    await run('dueline.skipOccurrence', { taskId: id });
    const next = await eventually('the next one', () => api.query('"Each day"')[0]);
    assert.equal(next.due, due + day);
  });
});

describe('the trash', () => {
  it('restores the row that Restore is called on', async () => {
    const api = await duelineApi();
    const id = await api.createTask(api.lists()[0]!.id, { title: 'Thrown away' });
    await api.deleteTask(id);
    const engine = api as unknown as { trash(): Promise<{ key: string; task: { title: string } }[]> };
    const entry = (await engine.trash()).find(({ task }) => task.title === 'Thrown away')!;
    await run('dueline.restore', { trashKey: entry.key });
    assert.equal(api.query('"Thrown away"').length, 1);
  });
});

describe('the walkthrough', () => {
  it('has six steps in each flavor, with existing pictures and known commands', async () => {
    const [walkthrough] = extension().packageJSON.contributes.walkthroughs;
    const known = new Set(await vscode.commands.getCommands(true));
    for (const flavor of isOffline ? ['offline'] : ['full', 'offline']) {
      const steps = walkthrough.steps.filter(({ when }: { when?: string }) => {
        if (!when) return true;
        return when.includes('!=') ? flavor === 'full' : flavor === 'offline';
      });
      assert.equal(steps.length, 6);
    }
    for (const step of walkthrough.steps) {
      const { svg, image } = step.media;
      for (const picture of svg ? [svg] : [...new Set<string>(Object.values(image))])
        assert.ok(existsSync(join(extension().extensionPath, picture)), picture);
      const links = [...step.description.matchAll(/\(command:([\w.]+)\)/g)].map(match => match[1]!);
      const events = step.completionEvents.flatMap((event: string) => /^onCommand:(.*)/.exec(event)?.[1] ?? []);
      assert.deepEqual(
        [...links, ...events].filter(id => !known.has(id)),
        [],
      );
    }
  });
});
