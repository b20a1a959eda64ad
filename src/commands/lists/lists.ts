import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { ListTarget } from '../../contributions/commandTargets';
import { isDuelineError } from '../../core/kernel/errors';
import type { Id, TaskList } from '../../core/kernel/model';
import { isolate, plain, t, tn } from '../../shared/l10n';
import { type Announcement, perform, performOnList } from '../../ui/announcements';
import { showInputBox, showQuickPick } from '../../ui/dialogs';
import { explain } from '../../ui/errors';
import { showWarning } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { engineSettings, writeSetting } from '../../ui/settings/settings';
import { useWorkspaceList, workspaceList } from '../../ui/settings/workspaceList';
import { listIcon } from '../../ui/text/listIcon';
import { accountNames, deletedForAll, stopSyncing } from '../../ui/text/syncText';
import { listFor } from '../common/targets';
import { pickAccount } from './pickAccount';
import { taskCount } from './taskCount';

export const manageListCommands = ({ commands, engine }: CommandServices): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.list.new', name => newList(engine, typeof name === 'string' ? name : '')),
    commands.onRow('dueline.list.rename', async target => {
      const list = await listFor(engine, target, {
        placeholder: t('Select a list to rename'),
        accepts: isWritable,
      });
      const name = list && (await askName(engine, t('Rename List'), list.name, list.id));
      if (!list || name === undefined || name === list.name) return undefined;
      return perform(
        engine,
        () => engine.updateList(list.id, { name }),
        () => t('Renamed {0} to {1}', isolate(list.name), isolate(name)),
      );
    }),
    commands.onRow('dueline.list.delete', async target => {
      const list = await listFor(engine, target, { placeholder: t('Select a list to delete') });
      return list && deleteList(engine, list);
    }),
    commands.onRow('dueline.list.hide', async target => {
      const list = await listFor(engine, target, { placeholder: t('Select a list to hide or show') });
      if (list) await engine.updateList(list.id, { isVisible: !list.isVisible });
    }),
    commands.on('dueline.list.choose', () => chooseLists(engine)),
    commands.onRow('dueline.list.color', async target => {
      const list = await listFor(engine, target, {
        placeholder: t('Select a list to set its color'),
        accepts: isWritable,
      });
      const color = list && (await askColor());
      if (list && color !== undefined) await engine.updateList(list.id, { color });
    }),
    commands.onRow('dueline.list.setDefault', async target => setDefault(engine, target)),
    commands.onRow('dueline.list.setDefaultWorkspace', async target => {
      const list = await listFor(engine, target, {
        placeholder: t('Select the list for new tasks in this workspace'),
        accepts: isWritable,
      });
      if (!list) return;
      const isOff = workspaceList() === list.id;
      await useWorkspaceList(isOff ? undefined : list.id);
      engine.configure(engineSettings());
      const name = isolate(list.name);
      const message = isOff
        ? t('New tasks in this workspace are no longer added to {0}', name)
        : t('New tasks in this workspace are added to {0}', name);
      vscode.window.setStatusBarMessage(message, 5000);
    }),
  );

/** The lists that the sidebar shows, of all at once. */
async function chooseLists(engine: DuelineEngine): Promise<Announcement | undefined> {
  const accounts = accountNames(engine);
  const rows = engine.lists().map(list => ({
    label: isolate(list.name),
    ...(list.accountId === null ? {} : { description: isolate(accounts.get(list.accountId) ?? '') }),
    picked: list.isVisible,
    list,
  }));
  const picked = await showQuickPick(rows, { title: t('Lists in the Sidebar'), canPickMany: true });
  if (!picked) return undefined;
  const shown = new Set(picked.map(({ list }) => list.id));
  const offered = new Set(rows.map(({ list }) => list.id));
  const changes = engine
    .lists()
    .filter(({ id, isVisible }) => offered.has(id) && isVisible !== shown.has(id))
    .map(({ id }) => ({ id, patch: { isVisible: shown.has(id) } }));
  if (changes.length === 0) return undefined;
  return perform(
    engine,
    () => engine.updateLists(changes),
    () => t('Showing {0}', tn(shown.size, '{0} list', '{0} lists')),
  );
}

const isWritable = (list: TaskList) => !list.isReadOnly;

async function newList(engine: DuelineEngine, suggestedName: string): Promise<Announcement | undefined> {
  const name = await askName(engine, t('New List'), suggestedName);
  if (name === undefined) return undefined;
  const target = engine.accounts().length === 0 ? { accountId: null } : await pickAccount(engine);
  if (!target) return undefined;
  const create = () => engine.createList({ name, accountId: target.accountId });
  return performOnList(engine, create, t('Created list {0}', isolate(name)));
}

async function askName(engine: DuelineEngine, title: string, value: string, own?: Id): Promise<string | undefined> {
  const taken = new Set(
    engine
      .lists()
      .filter(list => list.id !== own)
      .map(list => list.name.toLocaleLowerCase()),
  );
  const name = await showInputBox({
    title,
    value,
    prompt: t('List name'),
    validateInput: text => {
      if (plain(text) === '') return t('A list name is required.');
      return taken.has(plain(text).toLocaleLowerCase())
        ? { message: t('A list with this name already exists.'), severity: vscode.InputBoxValidationSeverity.Warning }
        : undefined;
    },
  });
  return name === undefined ? undefined : plain(name);
}

async function setDefault(engine: DuelineEngine, target: ListTarget | undefined): Promise<void> {
  const list = await listFor(engine, target, {
    placeholder: t('Select the default list for new tasks'),
    accepts: isWritable,
  });
  if (list) await writeSetting('dueline.defaultList', list.name);
}

/** Colors that read on light and dark alike; any other is a hexadecimal number away. */
async function askColor(): Promise<number | undefined> {
  const named: readonly (readonly [string, number])[] = [
    [t('Blue'), 0x3b82f6],
    [t('Green'), 0x16a34a],
    [t('Orange'), 0xd97706],
    [t('Pink'), 0xdb2777],
    [t('Violet'), 0x7c3aed],
    [t('Cyan'), 0x0891b2],
    [t('Red'), 0xdc2626],
    [t('Lime'), 0x65a30d],
    [t('Gray'), 0x6b7280],
  ];
  const lines = named.map(([label, rgb]) => ({
    label,
    iconPath: listIcon({ color: rgb, isReadOnly: false }),
    rgb: rgb as number | undefined,
  }));
  const other = { label: t('Other…'), rgb: undefined };
  const picked = await showQuickPick([...lines, other], { title: t('Color') });
  if (!picked) return undefined;
  if (picked.rgb !== undefined) return opaque(picked.rgb);
  const hex = await showInputBox({
    title: t('Color'),
    placeHolder: '#3b82f6',
    validateInput: text =>
      /^#?[0-9a-f]{6}$/i.test(text.trim()) ? undefined : t('Enter six hexadecimal digits, for example #3b82f6.'),
  });
  return hex === undefined ? undefined : opaque(Number.parseInt(hex.trim().replace('#', ''), 16));
}

/** Signed ARGB, as the store holds it. */
const opaque = (rgb: number) => 0xff000000 | rgb | 0;

async function deleteList(engine: DuelineEngine, list: TaskList): Promise<Announcement | undefined> {
  const count = taskCount(engine, list.id);
  const account = engine.accounts().find(({ id }) => id === list.accountId);
  const tasks = tn(count, 'It contains {0} task.', 'It contains {0} tasks.');
  const where = account ? deletedForAll(account) : t('The list is stored on this computer only. You can undo this.');
  const remove = t('Delete List');
  // Someone else's list is refused before anything is sent: no need to frighten with a question.
  const picked = list.isReadOnly
    ? remove
    : await showWarning(
        t('Delete the list {0}?', isolate(list.name)),
        { modal: true, detail: `${tasks} ${where}` },
        remove,
      );
  if (picked !== remove) return undefined;
  try {
    return await perform(
      engine,
      () => engine.deleteList(list.id),
      () => t('Deleted list {0}', isolate(list.name)),
    );
  } catch (error) {
    if (!account || !(isDuelineError(error, 'readOnly') || isDuelineError(error, 'server'))) throw error;
    void offerInstead(engine, list, error);
    return undefined;
  }
}

/** Offers other ways to get rid of a list that its server does not delete. */
async function offerInstead(engine: DuelineEngine, list: TaskList, error: unknown): Promise<void> {
  const why = isDuelineError(error, 'readOnly')
    ? explain(error)
    : t('The list {0} was not deleted: {1}', isolate(list.name), explain(error));
  const stop = stopSyncing(list);
  const hide = t('Hide List');
  const picked = await showWarning(why, ...(list.isSynced ? [stop.title] : []), hide);
  if (picked === hide) await engine.updateList(list.id, { isVisible: false });
  else if (picked !== undefined) await vscode.commands.executeCommand(stop.command, ...stop.arguments);
}
