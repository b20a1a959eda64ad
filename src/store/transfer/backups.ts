import { join } from 'node:path';
import type { EpochMs } from '../../core/kernel/model';
import type { BackupFile } from '../../core/kernel/wholeData';
import { dayMs } from '../../core/time/units';
import type { Files } from '../journal/files';

/** The user's settings of the daily backups. */
export interface BackupRules {
  readonly isDaily: boolean;
  /** The number of the newest daily copies that stay. */
  readonly keptDays: number;
}

const keptWeeks = 4;
/** Enough for trying one copy after the other. */
const keptBeforeRestore = 30;

/** `dueline-20261224T150000000Z-automatic.db`. */
const namePattern = /^dueline-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(automatic|manual|beforeRestore)\.db$/;

/** Copies in the folder `backups`, newest first. */
export function listBackups(files: Files, folder: string): BackupFile[] {
  const backups = join(folder, 'backups');
  return files
    .list(backups)
    .map(name => namePattern.exec(name))
    .filter(match => match !== null)
    .map(([name, year, month, day, hour, minute, second, ms, kind]) => ({
      path: join(backups, name),
      at: Date.UTC(
        Number(year),
        Number(month) - 1,
        Number(day),
        Number(hour),
        Number(minute),
        Number(second),
        Number(ms),
      ),
      kind: kind as BackupFile['kind'],
    }))
    .sort((a, b) => b.at - a.at);
}

export async function writeBackup(
  files: Files,
  folder: string,
  bytes: Uint8Array,
  backup: Omit<BackupFile, 'path'>,
): Promise<BackupFile> {
  const backups = join(folder, 'backups');
  files.makeFolder(backups);
  const time = new Date(backup.at).toISOString().replace(/[-:.]/g, '');
  const path = join(backups, `dueline-${time}-${backup.kind}.db`);
  await files.writeWhole(path, bytes);
  return { ...backup, path };
}

/**
 * True if no copy was made within a day. A clock that was set back leaves copies dated in the future: they do not
 * count.
 */
export const isBackupDue = (backups: readonly BackupFile[], now: EpochMs): boolean =>
  !backups.some(({ at, kind }) => kind !== 'beforeRestore' && at <= now && now - at < dayMs);

/**
 * Removes copies beyond the newest of their kind: daily ones as many as days are kept, and then the newest of each of
 * four weeks; those from before a restore {@link keptBeforeRestore}. They are counted, and their age matters to none,
 * so a clock that leaps removes nothing; copies of the future count for themselves. Copies that the user made stay.
 */
export async function rotate(
  files: Files,
  backups: readonly BackupFile[],
  { now, keptDays }: { readonly now: EpochMs; readonly keptDays: number },
): Promise<void> {
  for (const isFuture of [false, true]) {
    const ofTime = backups.filter(({ at }) => at > now === isFuture);
    const daily = ofTime.filter(({ kind }) => kind === 'automatic');
    const newestOfWeeks = new Map<number, BackupFile>();
    for (const backup of daily.slice(keptDays)) {
      const week = Math.floor(backup.at / (7 * dayMs));
      if (!newestOfWeeks.has(week)) newestOfWeeks.set(week, backup);
    }
    const weekly = new Set([...newestOfWeeks.values()].slice(0, keptWeeks));
    const beforeRestore = ofTime.filter(({ kind }) => kind === 'beforeRestore');
    const old = [...daily.slice(keptDays).filter(one => !weekly.has(one)), ...beforeRestore.slice(keptBeforeRestore)];
    for (const { path } of old) await files.remove(path);
  }
}
