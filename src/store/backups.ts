import { join } from 'node:path';
import type { EpochMs } from '../core/model';
import type { Files } from './files';

/** A copy of the whole database, a plain SQLite file. */
export interface Backup {
  readonly path: string;
  /** Epoch milliseconds. */
  readonly at: EpochMs;
  readonly kind: 'automatic' | 'manual';
}

/** What a person may tune about the daily copies. */
export interface BackupRules {
  readonly isDaily: boolean;
  /** Days of which each keeps its newest copy. */
  readonly keptDays: number;
}

const dayMs = 86_400_000;
const keptWeeks = 4;

const namePattern = /^dueline-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(automatic|manual)\.db$/;

/** Copies in the folder `backups`, newest first. */
export function listBackups(files: Files, folder: string): Backup[] {
  const place = join(folder, 'backups');
  return files
    .list(place)
    .map(name => namePattern.exec(name))
    .filter(match => match !== null)
    .map(([name, year, month, day, hour, minute, second, ms, kind]) => ({
      path: join(place, name),
      at: Date.UTC(
        Number(year),
        Number(month) - 1,
        Number(day),
        Number(hour),
        Number(minute),
        Number(second),
        Number(ms),
      ),
      kind: kind as Backup['kind'],
    }))
    .sort((a, b) => b.at - a.at);
}

export async function writeBackup(
  files: Files,
  folder: string,
  bytes: Uint8Array,
  backup: Omit<Backup, 'path'>,
): Promise<Backup> {
  const place = join(folder, 'backups');
  files.makeFolder(place);
  const time = new Date(backup.at).toISOString().replace(/[-:.]/g, '');
  const path = join(place, `dueline-${time}-${backup.kind}.db`);
  await files.writeWhole(path, bytes);
  return { ...backup, path };
}

/** True where no copy was made within a day. A clock that was set back leaves copies of the future: they count for nothing. */
export const isBackupDue = (backups: readonly Backup[], now: EpochMs): boolean =>
  !backups.some(({ at }) => at <= now && now - at < dayMs);

/**
 * Removes automatic copies beyond the newest of each of the last days and of the weeks in the month before. What a person
 * made stays.
 */
export async function rotate(
  files: Files,
  backups: readonly Backup[],
  { now, keptDays }: { readonly now: EpochMs; readonly keptDays: number },
): Promise<void> {
  const kept = new Set<string>();
  for (const { at, kind, path } of backups) {
    if (kind === 'manual') continue;
    const age = Math.floor((now - at) / dayMs);
    const slot = age < keptDays ? `day ${age}` : `week ${Math.floor(at / (7 * dayMs))}`;
    const tooOld = age >= keptDays + keptWeeks * 7;
    if (tooOld || kept.has(slot)) await files.remove(path);
    kept.add(slot);
  }
}
