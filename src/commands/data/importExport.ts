import * as vscode from 'vscode';
import type { DuelineEngine, ExchangeFormat, ImportReport } from '../../api';
import type { FilterTarget, ListTarget } from '../../contributions/commandTargets';
import { checkImportSize } from '../../core/exchange/importSize';
import type { Id } from '../../core/kernel/model';
import { today } from '../../core/time/dates';
import { isolate, plain, t, tn } from '../../shared/l10n';
import { filterById } from '../../ui/builtInFilters';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation, showWarning } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { localize } from '../../ui/text/errorText';
import { announceExport, databaseEndings, exportUri, pathOnComputer, saveExport } from '../common/exportedFile';
import { showReport } from '../common/reportDocument';
import { pickList } from '../common/targets';

export const importExportCommands = (
  { commands, engine }: CommandServices,
  storeFolder: vscode.Uri,
): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.import', () => importFile(engine)),
    commands.on('dueline.export', target => exportFile(engine, target)),
    commands.on('dueline.data.reveal', () => revealData(storeFolder)),
  );

/** Shows the folder of the tasks and their backups; it works without a store too. */
export const revealData = (storeFolder: vscode.Uri) => vscode.commands.executeCommand('revealFileInOS', storeFolder);

const formats = (): readonly { format: ExchangeFormat; label: string; extensions: string[] }[] => [
  { format: 'ics', label: t('iCalendar (all details)'), extensions: ['ics'] },
  { format: 'json', label: t('JSON (all details)'), extensions: ['json'] },
  { format: 'csv', label: t('CSV (including Todoist)'), extensions: ['csv'] },
  { format: 'todotxt', label: t('todo.txt'), extensions: ['txt'] },
  { format: 'markdown', label: t('Markdown'), extensions: ['md'] },
];

/** The files that are read, by the programs that write them. */
const sources = (): readonly { format?: ExchangeFormat; label: string; detail: string; extensions: string[] }[] => [
  { format: 'csv', label: 'CSV', detail: t('Todoist, spreadsheets'), extensions: ['csv'] },
  { format: 'ics', label: 'iCalendar', detail: t('Calendar and task apps'), extensions: ['ics'] },
  { format: 'markdown', label: 'Markdown', detail: t('Checklists, Obsidian Tasks'), extensions: ['md'] },
  { format: 'todotxt', label: 'todo.txt', detail: t('todo.txt apps'), extensions: ['txt'] },
  {
    format: 'json',
    label: 'JSON',
    detail: t('Dueline, Taskwarrior, beads; issues of GitHub, GitLab and Jira'),
    // Also the form that has one task on each line.
    extensions: ['json', 'jsonl'],
  },
  { label: 'SQLite', detail: t('All lists and tasks, exported by Dueline'), extensions: databaseEndings },
];

/** Some dialogs show all files, whatever was selected: the ending says what a file is, except that any text may be a `.txt`. */
const sourceOf = ({ path }: vscode.Uri) =>
  sources().find(({ format, extensions }) => format !== 'todotxt' && extensions.includes(endingOf(path)));

const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

async function importFile(engine: DuelineEngine): Promise<void> {
  const source = await showQuickPick(sources().map(withEndings), {
    title: t('Import Tasks'),
    placeHolder: t('Select a format'),
    matchOnDetail: true,
  });
  if (!source) return;
  const filters = { [source.label]: source.extensions };
  const [file] =
    (await vscode.window.showOpenDialog({ title: t('Import Tasks'), openLabel: t('Import'), filters })) ?? [];
  if (!file) return;
  const { format } = sourceOf(file) ?? source;
  if (!format) return importDatabase(engine, file);
  checkImportSize((await vscode.workspace.fs.stat(file)).size);
  const list = await pickList(engine, {
    placeholder: t('Select a list to import into'),
    accepts: one => !one.isReadOnly,
    newName: file.path
      .split('/')
      .at(-1)!
      // "Work [2203306141].csv" is what Todoist's backup calls a project.
      .replace(/( \[\d+\])?\.[^.]+$/, ''),
  });
  if (!list) return;
  const bytes = await vscode.workspace.fs.readFile(file);
  const { result: report, step } = await engine.stepOf(() => engine.importReported(format, bytes, list.id));
  void announceImport(file.path.split('/').at(-1)!, list.name, report, step);
}

/**
 * Announces the result of an import, with a way back and, if entries were left out, to the reasons. The message may be
 * answered after hours: its Undo means this import.
 */
async function announceImport(name: string, list: string, report: ImportReport, step?: string): Promise<void> {
  const { created, updated, skipped } = report;
  const [undo, why] = [t('Undo'), t('Show Details')];
  const count = skipped.length;
  const lost = [
    ...(report.left > 0 ? [tn(report.left, '{0} entry could not be read.', '{0} entries could not be read.')] : []),
    ...(report.partly > 0
      ? [tn(report.partly, '{0} entry could only be read in part.', '{0} entries could only be read in part.')]
      : []),
    ...(report.isGuess
      ? [
          t(
            'The file is not UTF-8 and was read as Windows-1252. If letters are wrong, save it as UTF-8 and import it again.',
          ),
        ]
      : []),
  ];
  // The reasons go to a document and not to the log: they quote the file.
  const showReasons = () => showReport(plain(name), [...lost, '', ...skipped.map(reason => `- ${localize(reason)}`)]);
  if (created + updated === 0) {
    const nothing =
      report.left > 0
        ? t('Nothing was imported from {0}.', isolate(name))
        : t('{0} contains no new tasks.', isolate(name));
    const picked = await showWarning([nothing, ...lost].join(' '), ...(count > 0 ? [why] : []));
    if (picked === why) await showReasons();
    return;
  }
  const done = t('Imported into {0}: {1} new, {2} updated.', isolate(list), created, updated);
  const buttons = count > 0 ? [undo, why] : [undo];
  const picked = await showInformation([done, ...lost].join(' '), ...buttons);
  if (picked === undo) await vscode.commands.executeCommand('dueline.undo', step);
  else if (picked === why) await showReasons();
}

async function exportFile(engine: DuelineEngine, target: ExportTarget): Promise<void> {
  const database = { format: undefined, label: t('SQLite database (everything)'), extensions: ['db'] };
  const picked = await showQuickPick([...formats(), ...(target === undefined ? [database] : [])].map(withEndings), {
    title: t('Export Tasks'),
    placeHolder: t('Select a format'),
  });
  if (!picked) return;
  if (!picked.format) return exportDatabase(engine);
  const file = await vscode.window.showSaveDialog({
    title: t('Export Tasks'),
    filters: { [picked.label]: [...picked.extensions] },
    saveLabel: t('Export'),
    defaultUri: exportUri(`${nameFor(engine, target)}.${picked.extensions[0]}`),
  });
  if (!file) return;
  const text = engine.exportTasks(picked.format, ...chosenBy(engine, target));
  await saveExport(engine, file, text);
  void announceExport(file);
}

const withEndings = <T extends { extensions: readonly string[] }>(one: T) => ({
  ...one,
  description: one.extensions.map(ending => `.${ending}`).join(', '),
});

type ExportTarget = ListTarget | FilterTarget | undefined;

/** The file name that is suggested to the user. */
function nameFor(engine: DuelineEngine, target: ExportTarget): string {
  const filter = typeof target === 'object' && 'filterId' in target ? filterById(target.filterId)?.name : undefined;
  const name = filter ?? listOf(engine, target)?.name ?? `dueline-${today(engine.clock)}`;
  return name.replace(/[\\/:*?"<>|\x00-\x1f]+/g, '-').trim() || 'dueline';
}

function listOf(engine: DuelineEngine, target: ExportTarget) {
  const id =
    typeof target === 'number' ? target : typeof target === 'object' && 'listId' in target ? target.listId : undefined;
  return engine.lists().find(one => one.id === id);
}

/** A list exports all it holds, done tasks included; not what another list of its name holds. */
function chosenBy(engine: DuelineEngine, target: ExportTarget): [query?: string, lists?: readonly Id[]] {
  if (typeof target === 'object' && 'filterId' in target) return [filterById(target.filterId)?.query];
  const list = listOf(engine, target);
  return list ? ['show:done', [list.id]] : [];
}

/** One plain SQLite file, for any program that reads them. */
async function exportDatabase(engine: DuelineEngine): Promise<void> {
  const file = await vscode.window.showSaveDialog({
    title: t('Export Database'),
    saveLabel: t('Export'),
    filters: { SQLite: ['db'] },
    defaultUri: exportUri(`dueline-${today(engine.clock)}.db`),
  });
  if (!file) return;
  if (file.scheme !== 'file') throw new Error(t('The database must be saved on this computer.'));
  await engine.exportDatabase(file.fsPath);
  void announceExport(file);
}

async function importDatabase(engine: DuelineEngine, file: vscode.Uri): Promise<void> {
  const { lists, tasks, skipped } = await engine.data.importDatabase(pathOnComputer(file));
  const done = t('Imported {0} and {1}.', tn(tasks, '{0} task', '{0} tasks'), tn(lists, '{0} list', '{0} lists'));
  const skippedText = skipped > 0 ? ` ${tn(skipped, '{0} already exists.', '{0} already exist.')}` : '';
  void showInformation(done + skippedText);
}
