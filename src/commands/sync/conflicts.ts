import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { contextKeys } from '../../contributions/ids';
import type { Id } from '../../core/kernel/model';
import type { FieldResolutions, Resolution, SyncConflict, SyncStatus } from '../../core/sync/syncState';
import { isolate, t } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import type { Services } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { stampLabel } from '../../ui/text/dateText';
import { withIcon } from '../../ui/withIcon';
import { type ConflictAnswer, ConflictPages } from './conflictPage';
import { conflictReason } from './conflictText';
import { keptMessage } from './conflictVersions';
import { closeDiffOf, conflictIdOf, type SyncDocuments } from './virtualDocuments';

type ConflictServices = Pick<Services, 'commands' | 'announce' | 'engine' | 'extensionUri'>;

export function conflictCommands(
  { commands, announce, engine, extensionUri }: ConflictServices,
  syncing: SyncStatus,
  texts: SyncDocuments,
): vscode.Disposable {
  const resolve = async (conflict: SyncConflict, how: Resolution | FieldResolutions) => {
    const { id } = conflict;
    const resolved = await perform(
      engine,
      () => syncing.resolveConflict(id, how),
      () => messageFor(how, conflict),
    );
    await closeDiffOf(id);
    return resolved;
  };
  const answer = async (conflict: SyncConflict, how: ConflictAnswer) => {
    if (how === 'compare') await texts.openConflict(conflict.id);
    else if (how === 'delete') {
      await vscode.commands.executeCommand('dueline.delete', conflict.taskId);
      if (engine.task(conflict.taskId)?.isDeleted !== false) await syncing.resolveConflict(conflict.id, 'server');
    } else announce(await resolve(conflict, how));
  };
  const pages = new ConflictPages(engine, syncing, extensionUri, answer);
  const decide = (how: Resolution) => async (target: unknown) => {
    const id = conflictIdOf(target) ?? conflictIdOf(activeDiff()) ?? (await pickConflict(engine, syncing))?.id;
    const conflict = syncing.conflicts().find(one => one.id === id);
    if (!conflict) return undefined;
    if (conflict.reason === 'duplicate' && how !== 'both') return decideDuplicate(engine, syncing, texts, conflict);
    return resolve(conflict, how);
  };
  const open = async (id: string, isOfRow = false) => {
    const conflict = syncing.conflicts().find(one => one.id === id);
    if (conflict?.reason === 'duplicate') return decideDuplicate(engine, syncing, texts, conflict);
    if (conflict) pages.open(conflict, isOfRow);
    return undefined;
  };
  const publish = () => {
    const has = syncing.conflicts().length > 0 || syncing.emptiedLists().length > 0;
    void vscode.commands.executeCommand('setContext', contextKeys.hasConflicts, has);
  };
  const watching = syncing.onDidChangeState(publish);
  publish();

  return vscode.Disposable.from(
    watching,
    pages,
    commands.on('dueline.sync.showConflicts', async () => {
      const picked = await pickConflict(engine, syncing);
      if (picked?.id) return open(picked.id);
      if (picked?.listId !== undefined) await decideEmptied(engine, syncing, picked.listId);
      return undefined;
    }),
    commands.on('dueline.sync.resolve', async target => {
      const isOfRow = typeof target === 'object';
      const taskId = isOfRow ? target.taskId : target;
      const known = syncing.conflicts().find(one => one.id === taskId || one.taskId === taskId);
      const id = known?.id ?? (await pickConflict(engine, syncing))?.id;
      return id === undefined ? undefined : open(id, isOfRow);
    }),
    commands.on('dueline.sync.useMine', decide('mine')),
    commands.on('dueline.sync.useServer', decide('server')),
    commands.on('dueline.sync.keepBoth', decide('both')),
  );
}

const activeDiff = () => {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
};

function messageFor(how: Resolution | FieldResolutions, conflict: SyncConflict): string {
  const title = isolate(conflict.title);
  if (typeof how !== 'string') return t('Resolved the conflict in {0}', title);
  return how === 'both' ? t('Kept both versions of {0}', title) : keptMessage(conflict, how);
}

interface ConflictChoice extends vscode.QuickPickItem {
  readonly id?: string;
  readonly listId?: Id;
}

async function pickConflict(engine: DuelineEngine, syncing: SyncStatus): Promise<ConflictChoice | undefined> {
  const lists = new Map(engine.lists().map(list => [list.id, isolate(list.name)]));
  const style = dateStyle(engine);
  const emptied = syncing.emptiedLists().map<ConflictChoice>(listId => ({
    ...withIcon('warning', lists.get(listId) ?? ''),
    detail: t('All or most of its tasks are gone from the server. Nothing was deleted here.'),
    listId,
  }));
  const conflicts = syncing.conflicts().map<ConflictChoice>(conflict => ({
    ...withIcon(conflict.other ? 'files' : 'git-compare', isolate(conflict.title) || t('(no title)')),
    description: [
      lists.get(conflict.listId),
      conflict.other && lists.get(conflict.other.listId),
      stampLabel(conflict.at, style),
    ]
      .filter(Boolean)
      .join(' · '),
    detail: conflictReason(conflict),
    id: conflict.id,
  }));
  if (emptied.length + conflicts.length === 0) {
    void showInformation(t('No conflicts.'));
    return undefined;
  }
  return showQuickPick([...emptied, ...conflicts], {
    title: t('Conflicts'),
    placeHolder: t('Select a conflict to compare both versions'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
}

/** Asks whether to keep both copies; if not, shows them and asks in which list to keep the task. */
async function decideDuplicate(
  engine: DuelineEngine,
  syncing: SyncStatus,
  texts: SyncDocuments,
  { id, title: text, listId, other }: SyncConflict,
): Promise<Announcement | undefined> {
  const names = new Map(engine.lists().map(list => [list.id, isolate(list.name)]));
  const [first = '', second = ''] = [names.get(listId), names.get(other!.listId)];
  const title = isolate(text) || t('(no title)');
  const both = { label: t('Keep Both'), detail: t('They will not be suggested as duplicates again.') };
  const merge = { label: t('Merge…'), detail: t('Compare both versions and select which list to keep the task in.') };
  const picked = await showQuickPick([both, merge], { title: t('{0} is in two lists', title) });
  if (picked === both)
    return perform(
      engine,
      () => syncing.resolveConflict(id, 'both'),
      () => t('Kept both versions of {0}', title),
    );
  if (picked !== merge) return undefined;
  await texts.openDuplicate(id, [first, second]);
  const choice = (how: Resolution, name: string, from: string) => ({
    label: t('Keep in {0}', name),
    detail: t('The copy in {0} is deleted. Its values are kept under Show Conflicts.', from),
    how,
  });
  const chosen = await showQuickPick([choice('mine', first, second), choice('server', second, first)], {
    title: t('Select which list to keep {0} in', title),
    ignoreFocusOut: true,
  });
  const kept =
    chosen &&
    (await perform(
      engine,
      () => syncing.resolveConflict(id, chosen.how),
      () => t('Kept {0} in {1}', title, chosen.how === 'mine' ? first : second),
    ));
  await closeDiffOf(id);
  return kept;
}

async function decideEmptied(engine: DuelineEngine, syncing: SyncStatus, listId: Id): Promise<void> {
  const list = engine.lists().find(({ id }) => id === listId);
  const ask = { label: t('Check the server again'), how: 'askAgain' as const };
  const remove = {
    label: t('Delete the tasks here too'),
    detail: t('They are moved to the trash.'),
    how: 'deleteHere' as const,
  };
  const picked = await showQuickPick([ask, remove], {
    title: t('Tasks in {0} are gone from the server', isolate(list?.name ?? '')),
  });
  if (!picked) return;
  await syncing.decideEmptied(listId, picked.how);
  await vscode.commands.executeCommand('dueline.sync.list', listId);
}
