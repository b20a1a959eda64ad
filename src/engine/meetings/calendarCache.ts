import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '../../core/kernel/message';
import type { EpochMs } from '../../core/kernel/model';
import type { Meeting } from '../../core/meetings/meeting';

/** A calendar as it was read last. */
export interface CachedCalendar {
  readonly mark: string | null;
  /** The day and the zone for which its series were expanded. */
  readonly span: string;
  readonly readAt?: EpochMs;
  readonly meetings: readonly Meeting[];
  readonly problem: Message | undefined;
}

const nothing: CachedCalendar = { mark: null, span: '', meetings: [], problem: undefined };

/** A file for each calendar, beside the store. It can be deleted: the calendar is then read again. */
export class CalendarCache {
  #count = 0;

  constructor(private readonly folder: string) {}

  #path = (id: string) => join(this.folder, `meetings-${id}.json`);

  read(id: string): CachedCalendar {
    try {
      const found: unknown = JSON.parse(readFileSync(this.#path(id), 'utf8'));
      return isCached(found) ? found : nothing;
    } catch {
      return nothing;
    }
  }

  /** Whole or not at all, for the user alone. */
  async write(id: string, calendar: CachedCalendar): Promise<void> {
    const aside = `${this.#path(id)}.${process.pid}-${this.#count++}`;
    try {
      await writeFile(aside, JSON.stringify({ version: 1, ...calendar }), { mode: 0o600 });
      await rename(aside, this.#path(id));
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  delete = (id: string): Promise<void> => rm(this.#path(id), { force: true });
}

/** Someone may have written into it, and a later version may do otherwise. */
function isCached(found: unknown): found is CachedCalendar {
  const { version, span, meetings } = (found ?? {}) as { version?: unknown; span?: unknown; meetings?: unknown };
  return version === 1 && typeof span === 'string' && Array.isArray(meetings) && meetings.every(isMeeting);
}

function isMeeting(found: unknown): found is Meeting {
  const { start, end, title, link = 'https:' } = (found ?? {}) as Record<string, unknown>;
  const hasTimes = Number.isFinite(start) && Number.isFinite(end);
  return hasTimes && typeof title === 'string' && typeof link === 'string' && /^https?:/i.test(link);
}
