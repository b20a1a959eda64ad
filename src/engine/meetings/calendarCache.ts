import { readFileSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '../../core/kernel/message';
import type { EpochMs } from '../../core/kernel/model';
import type { Meeting } from '../../core/meetings/meeting';

/** A calendar as it was last read. */
export interface CachedCalendar {
  readonly mark: string | null;
  /** The day and the zone for which its series were expanded. */
  readonly span: string;
  /** The hash of its texts. */
  readonly digest: string;
  readonly readAt?: EpochMs;
  readonly meetings: readonly Meeting[];
  /** True if it has more meetings than are read of one calendar. */
  readonly isCut: boolean;
  readonly problem: Message | undefined;
}

const emptyCalendar: CachedCalendar = {
  mark: null,
  span: '',
  digest: '',
  meetings: [],
  isCut: false,
  problem: undefined,
};

/** A file for each calendar, next to the store. It can be deleted: the calendar is then read again. */
export class CalendarCache {
  #count = 0;

  constructor(private readonly folder: string) {}

  #path = (id: string) => join(this.folder, `meetings-${id}.json`);

  read(id: string): CachedCalendar {
    try {
      const found: unknown = JSON.parse(readFileSync(this.#path(id), 'utf8'));
      return isCached(found) ? found : emptyCalendar;
    } catch {
      return emptyCalendar;
    }
  }

  /** Writes the file completely or not at all; only the user can read it. */
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

  /** Deletes the files of calendars that were removed while another window read them. */
  async deleteOthers(ids: readonly string[]): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const id = /^meetings-(\w+)\.json$/.exec(name)?.[1];
      if (id !== undefined && !ids.includes(id)) await this.delete(id);
    }
  }

  delete = (id: string): Promise<void> => rm(this.#path(id), { force: true });
}

/** The file may have been edited, or written by a later version. */
function isCached(found: unknown): found is CachedCalendar {
  const { version, span, digest, meetings, problem } = (found ?? {}) as Record<string, unknown>;
  const isText = (value: unknown) => typeof value === 'string';
  const isProblem = problem === undefined || isText((problem as Partial<Message> | null)?.text);
  return (
    version === 1 && isText(span) && isText(digest) && isProblem && Array.isArray(meetings) && meetings.every(isMeeting)
  );
}

function isMeeting(found: unknown): found is Meeting {
  const meeting = (found ?? {}) as Record<string, unknown>;
  const { start, end, uid, title, link = 'https:', location = '', text = '' } = meeting;
  const hasTimes = Number.isFinite(start) && Number.isFinite(end);
  const hasTexts = [uid, title, link, location, text].every(value => typeof value === 'string');
  const hasFacts = ['isAllDay', 'isFloating', 'isBusy', 'isPrivate'].every(name => typeof meeting[name] === 'boolean');
  return hasTimes && hasTexts && hasFacts && /^https?:/i.test(link as string);
}
