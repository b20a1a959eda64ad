import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { BackupDifference, BackupFile } from '../../core/kernel/wholeData';
import { plain, t, tn } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation, showWarning } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { stampLabel } from '../../ui/text/dateText';
import { localize } from '../../ui/text/errorText';
import { accountNoun } from '../../ui/text/syncText';
import { withIcon } from '../../ui/withIcon';
import { databaseEndings, pathOnComputer } from '../common/exportedFile';
import { showReport } from '../common/reportDocument';

/** Backups and the check of everything: what concerns the data as a whole. */
export const wholeDataCommands = ({ commands, engine }: CommandServices): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.backup.create', () => backUp(engine)),
    commands.on('dueline.backup.restore', () => restore(engine)),
    commands.on('dueline.data.check', () => check(engine)),
  );

async function backUp(engine: DuelineEngine): Promise<void> {
  const { path } = await engine.data.backUpNow();
  const reveal = t('Reveal File');
  const message = t('Backup created. You can go back to it with Restore Backup.');
  if ((await showInformation(message, reveal)) === reveal)
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(path));
}

interface BackupLine extends vscode.QuickPickItem {
  readonly backup?: BackupFile;
}

async function restore(engine: DuelineEngine): Promise<Announcement | undefined> {
  const style = dateStyle(engine);
  const lines: BackupLine[] = engine.data.backups().map(backup => ({
    label: stampLabel(backup.at, style, 'full'),
    description: kindLabel(backup),
    backup,
  }));
  lines.push({ ...withIcon('folder-opened', t('Choose File…')), alwaysShow: true });
  const picked = await showQuickPick(lines, {
    title: t('Restore Backup'),
    placeHolder: t('Select a backup to restore. You can review the differences first.'),
  });
  const path = picked?.backup?.path ?? (picked && (await askFile(t('Restore Backup'))));
  if (!path) return undefined;
  const differences = await engine.data.previewBackup(path);
  if (differences.length === 0) {
    void showInformation(t('This backup matches your current data.'));
    return undefined;
  }
  await showReport(t('What restoring this backup would change'), previewLines(picked?.label ?? path, differences));
  const go = t('Restore');
  const detail = t('Your current tasks are backed up first. You can undo this.');
  const tasks = differences.filter(({ table }) => table === 'tasks').length;
  const question = tn(tasks, 'Restore this backup? {0} task differs.', 'Restore this backup? {0} tasks differ.');
  if ((await showWarning(question, { modal: true, detail }, go)) !== go) return undefined;
  return perform(
    engine,
    () => engine.data.restoreBackup(path),
    () => t('Restored the backup'),
  );
}

function kindLabel({ kind }: BackupFile): string | undefined {
  if (kind === 'manual') return undefined;
  return kind === 'automatic' ? t('automatic') : t('before a restore');
}

/** The effects of restoring, as Markdown, with at most a thousand names of each kind. */
function previewLines(name: string, differences: readonly BackupDifference[]): readonly string[] {
  const parts = (['removed', 'changed', 'added'] as const).flatMap(change => {
    const rows = differences.filter(row => row.change === change && row.table !== 'task_alarms');
    if (rows.length === 0) return [];
    const heading = {
      removed: tn(rows.length, 'Would be removed: {0}', 'Would be removed: {0}'),
      changed: tn(rows.length, 'Would be changed back: {0}', 'Would be changed back: {0}'),
      added: tn(rows.length, 'Would be restored: {0}', 'Would be restored: {0}'),
    }[change];
    const kinds = { accounts: accountNoun(), task_lists: t('list'), tasks: t('task'), task_alarms: t('reminder') };
    const lines = rows.slice(0, 1000).map(row => `- ${kinds[row.table]}: ${plain(row.name) || t('Untitled task')}`);
    const rest = rows.length > 1000 ? [`- … ${tn(rows.length - 1000, '{0} more', '{0} more')}`] : [];
    return ['', `## ${heading}`, '', ...lines, ...rest];
  });
  return [plain(name), ...parts];
}

async function askFile(title: string): Promise<string | undefined> {
  const [file] = (await vscode.window.showOpenDialog({ title, filters: { SQLite: databaseEndings } })) ?? [];
  return file && pathOnComputer(file);
}

async function check(engine: DuelineEngine): Promise<void> {
  const { ok, checks } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Checking data…') },
    () => engine.data.checkIntegrity(),
  );
  const names: Record<string, string> = {
    pages: t('Database pages'),
    references: t('References between rows'),
    tables: t('Tables and columns'),
    uniqueness: t('Duplicate tasks'),
    journal: t('Journal'),
    snapshots: t('Snapshots'),
    backups: t('Backups'),
  };
  await showReport(ok ? t('No problems found in the data') : t('Problems found in the data'), [
    ok
      ? t('All checks passed. Nothing was changed.')
      : t(
          'Nothing was changed. Restore a backup to go back to intact data, or export your tasks to save what can be read.',
        ),
    ...checks.flatMap(one => [
      '',
      `## ${one.ok ? '✓' : '✗'} ${names[one.name] ?? one.name}`,
      '',
      ...one.details.map(line => `- ${localize(line)}`),
    ]),
  ]);
}
