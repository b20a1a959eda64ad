import * as vscode from 'vscode';
import type { ExchangeFormat } from '../api';
import type { FilterTarget, ListTarget } from '../ids';
import { isolate, t, tn } from '../views/l10n';
import type { Parts } from '../views/parts';
import { announce } from './history';
import { onCommand } from './register';
import { pickList } from './targets';

export const dataCommands = (parts: Parts, storeFolder: vscode.Uri): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.import', () => importFile(parts)),
    onCommand('dueline.export', target => exportFile(parts, target)),
    onCommand('dueline.data.exportDatabase', () => exportDatabase(parts)),
    onCommand('dueline.data.reveal', () => vscode.commands.executeCommand('revealFileInOS', storeFolder)),
  );

const formats = (): readonly { format: ExchangeFormat; label: string; extensions: string[] }[] => [
  { format: 'ics', label: t('iCalendar (all details)'), extensions: ['ics'] },
  { format: 'json', label: t('JSON (all details)'), extensions: ['json'] },
  { format: 'csv', label: t('CSV, also Todoist’s'), extensions: ['csv'] },
  { format: 'todotxt', label: t('todo.txt'), extensions: ['txt'] },
  { format: 'markdown', label: t('Markdown'), extensions: ['md'] },
];

async function importFile(parts: Parts): Promise<void> {
  const filters = Object.fromEntries([
    [t('Task files'), formats().flatMap(({ extensions }) => extensions)],
    ...formats().map(({ label, extensions }) => [label, extensions]),
  ]);
  const [file] =
    (await vscode.window.showOpenDialog({ title: t('Import Tasks'), openLabel: t('Import'), filters })) ?? [];
  if (!file) return;
  const ending = file.path.split('.').at(-1)!.toLowerCase();
  const format = formats().find(({ extensions }) => extensions.includes(ending))?.format;
  if (!format) throw new Error(t('Dueline does not know files that end in .{0}.', ending));
  const list = await pickList(parts, {
    placeholder: t('Import into which list?'),
    accepts: one => !one.isReadOnly,
    mayCreate: true,
  });
  if (!list) return;
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const { created, updated, skipped } = await parts.engine.importTasks(format, text, list.id);
  const done = t('Imported into {0}: {1} new, {2} updated.', isolate(list.name), created, updated);
  const left =
    skipped.length > 0
      ? ` ${tn(skipped.length, '{0} entry could not be read.', '{0} entries could not be read.')}`
      : '';
  for (const reason of skipped) parts.log.info(`Import passed over: ${reason}`);
  void vscode.window.showInformationMessage(done + left);
}

async function exportFile(parts: Parts, target: ListTarget | FilterTarget | undefined): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    formats().map(one => ({ ...one, description: one.extensions.map(ending => `.${ending}`).join(', ') })),
    { title: t('Export Tasks'), placeHolder: t('In which format?') },
  );
  if (!picked) return;
  const file = await vscode.window.showSaveDialog({
    title: t('Export Tasks'),
    filters: { [picked.label]: [...picked.extensions] },
    saveLabel: t('Export'),
  });
  if (!file) return;
  const text = parts.engine.exportTasks(picked.format, queryFor(parts, target));
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  announce(t('Exported to {0}', file.path.split('/').at(-1)!));
}

/** A list exports all it holds, done tasks included. */
function queryFor(parts: Parts, target: ListTarget | FilterTarget | undefined): string | undefined {
  const id =
    typeof target === 'number' ? target : typeof target === 'object' && 'listId' in target ? target.listId : undefined;
  const list = parts.engine.lists().find(one => one.id === id);
  return list ? `list:"${list.name.replace(/"/g, '\\"')}" show:done` : undefined;
}

/** One plain SQLite file, for any program that reads them. */
async function exportDatabase(parts: Parts): Promise<void> {
  const day = new Date(parts.engine.clock.now()).toISOString().slice(0, 10);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    title: t('Export Database'),
    saveLabel: t('Export'),
    filters: { SQLite: ['db'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `dueline-${day}.db`) } : {}),
  });
  if (!file) return;
  if (file.scheme !== 'file') throw new Error(t('A database needs a place on this computer’s disk.'));
  await parts.engine.exportDatabase(file.fsPath);
  announce(t('Exported to {0}', file.path.split('/').at(-1)!));
}
