import { createHash, randomUUID } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { DuelineError, messageOf } from '../../core/kernel/errors';
import { type Disposable, Disposables, Emitter } from '../../core/kernel/events';
import type { EpochMs, Id } from '../../core/kernel/model';
import type { Sidecar } from '../../core/kernel/sidecar';
import type {
  Calendar,
  CalendarReader,
  CalendarState,
  CalendarTexts,
  Meetings,
  RemoteCalendars,
  ShownMeeting,
} from '../../core/meetings/calendars';
import { busyMinutesIn, meetingsOn, momentsOf } from '../../core/meetings/days';
import type { MeetingWindow } from '../../core/meetings/meeting';
import { meetingsIn } from '../../core/meetings/meetingsIn';
import type { Clock } from '../../core/time/clock';
import { addDays, civilMs, type Day, dayBounds, today } from '../../core/time/dates';
import { engineMessage } from '../messages';
import { type CachedCalendar, CalendarCache } from './calendarCache';
import { fileReader } from './fileCalendar';

interface CalendarParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly sidecar: () => Promise<Sidecar>;
  readonly startHour: () => number;
  /** Absent from the offline flavor and the command line. */
  readonly remote: RemoteCalendars | undefined;
  readonly onError: (error: unknown) => void;
}

/** In the sidecar: the calendars that were chosen, and which state of their meetings is in the cache. */
const [chosen, states] = ['calendars', 'calendarStates'] as const;
/** Days before and after today. */
const [daysBefore, daysAfter] = [14, 56];
/** A file is looked at so often. */
const fileMs = 10_000;

/**
 * The calendars that the user has chosen, and their meetings. What was read is in a file for each calendar, beside the
 * store. Any process may read the files; the window that syncs reads what is elsewhere.
 */
export class Calendars implements Meetings, Disposable {
  readonly #owned = new Disposables();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly onDidChange = this.#changes.event;
  readonly #cache: CalendarCache;
  readonly #files: CalendarReader = fileReader;
  #opening: Promise<Sidecar> | undefined;
  #calendars: readonly Calendar[] = [];
  readonly #known = new Map<string, CachedCalendar>();
  readonly #watched = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: CalendarParts) {
    this.#cache = new CalendarCache(parts.folder);
  }

  get calendars(): readonly CalendarState[] {
    return this.#calendars.map(calendar => {
      const { readAt, problem } = this.#known.get(calendar.id) ?? {};
      return { ...calendar, ...(readAt === undefined ? {} : { readAt }), ...(problem ? { problem } : {}) };
    });
  }

  async open(): Promise<void> {
    await this.#opened();
    await this.#readAll(({ kind }) => kind === 'file');
  }

  #opened(): Promise<Sidecar> {
    this.#opening ??= this.parts.sidecar().then(sidecar => {
      this.#owned.add(
        sidecar.onDidChange(({ map, keys }) => {
          if (map === states) for (const key of keys) this.#known.delete(key);
          if (map === chosen || map === states) this.#load(sidecar);
        }),
      );
      this.#load(sidecar);
      return sidecar;
    });
    return this.#opening;
  }

  /** Takes the calendars in as they are now, with what the cache has of them. */
  #load(sidecar: Sidecar): void {
    this.#calendars = sidecar.entries<Omit<Calendar, 'id'>>(chosen).map(([id, calendar]) => ({ id, ...calendar }));
    const ids = new Set(this.#calendars.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
    for (const id of ids) if (!this.#known.has(id)) this.#known.set(id, this.#cache.read(id));
    this.#watch();
    this.#changes.fire();
  }

  #watch(): void {
    const files = new Map(this.#calendars.flatMap(({ id, kind, address }) => (kind === 'file' ? [[id, address]] : [])));
    for (const [id, path] of this.#watched)
      if (files.get(id) !== path) {
        unwatchFile(path, this.#onFile);
        this.#watched.delete(id);
      }
    for (const [id, path] of files)
      if (!this.#watched.has(id)) {
        watchFile(path, { interval: fileMs, persistent: false }, this.#onFile);
        this.#watched.set(id, path);
      }
  }

  readonly #onFile = () => void this.#readAll(({ kind }) => kind === 'file');

  between(from: Day, to: Day): readonly ShownMeeting[] {
    if (!this.#opening) void this.open().catch(this.parts.onError);
    const [begin, end] = [civilMs(addDays(from, -1)), civilMs(addDays(to, 2))];
    return this.#calendars.flatMap(calendar =>
      (this.#known.get(calendar.id)?.meetings ?? [])
        .filter(({ start, end: last }) => start < end && last >= begin)
        .map(meeting => ({ ...meeting, calendar })),
    );
  }

  busyMinutes(day: Day): number | undefined {
    const meetings = this.between(day, day);
    if (this.#calendars.length === 0) return undefined;
    const { clock, startHour } = this.parts;
    const bounds = dayBounds(day, clock.timeZone, startHour());
    const { instantStart: start, instantEnd: end } = bounds;
    return Math.round(busyMinutesIn(meetingsOn(meetings, bounds, clock.timeZone), { start, end }, clock.timeZone));
  }

  /** When a meeting of today begins or ends next. */
  nextBoundary(): EpochMs {
    const { clock } = this.parts;
    const now = clock.now();
    const day = today(clock);
    const times = this.between(day, day).flatMap(meeting => Object.values(momentsOf(meeting, clock.timeZone)));
    return times.reduce((next, time) => (time > now && time < next ? time : next), Number.POSITIVE_INFINITY);
  }

  offered = async (accountId: Id) => this.#remote().offered(accountId);

  async add(input: Omit<Calendar, 'id'>): Promise<void> {
    const sidecar = await this.#opened();
    const same = this.#calendars.find(one => one.kind === input.kind && one.address === input.address);
    if (same && input.kind !== 'feed') return;
    const id = createHash('sha256').update(randomUUID()).digest('hex').slice(0, 12);
    const isFeed = input.kind === 'feed';
    const calendar = isFeed ? { ...input, address: await this.#remote().keepFeed(id, input.address) } : input;
    try {
      await this.#keep(sidecar, { id, ...calendar }, true);
      await sidecar.put(chosen, [[id, calendar]]);
    } catch (error) {
      this.#known.delete(id);
      if (isFeed) await this.#remote().forget(id);
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    const sidecar = await this.#opened();
    await sidecar.edit(writer => {
      writer.set(chosen, id, undefined);
      writer.set(states, id, undefined);
    });
    await this.#cache.delete(id);
    await this.parts.remote?.forget(id);
  }

  async refresh(): Promise<void> {
    await this.#readAll(() => true);
  }

  /** One after the other. */
  #readAll(isMeant: (calendar: Calendar) => boolean): Promise<void> {
    const run = this.#last.then(async () => {
      const sidecar = await this.#opened();
      for (const calendar of this.#calendars.filter(isMeant)) await this.#keep(sidecar, calendar, false);
    });
    this.#last = run.catch(this.parts.onError);
    return this.#last as Promise<void>;
  }

  /** Reads a calendar, and keeps what is new. A failure keeps the meetings that were read before. */
  async #keep(sidecar: Sidecar, calendar: Calendar, mustSucceed: boolean): Promise<void> {
    const { clock } = this.parts;
    const before = this.#known.get(calendar.id) ?? this.#cache.read(calendar.id);
    const day = today(clock);
    const span = `${day} ${clock.timeZone}`;
    let next: CachedCalendar;
    try {
      const reader = calendar.kind === 'file' ? this.#files : this.parts.remote;
      if (!reader) return;
      const found = await reader.read(calendar, windowAround(day), before.span === span ? before.mark : null);
      if (!found && !before.problem) return;
      next = found ? this.#read(found, day, span) : { ...before, problem: undefined };
    } catch (error) {
      if (mustSucceed) throw error;
      this.parts.onError(error);
      const problem = messageOf(error);
      if (problem.text === before.problem?.text) return;
      next = { ...before, problem };
    }
    await this.#cache.write(calendar.id, next);
    this.#known.set(calendar.id, this.#cache.read(calendar.id));
    await sidecar.put(states, [[calendar.id, `${next.mark ?? ''} ${next.readAt ?? ''} ${next.problem?.text ?? ''}`]]);
    this.#changes.fire();
  }

  #read({ texts, mark, addresses = [] }: CalendarTexts, day: Day, span: string): CachedCalendar {
    const { clock } = this.parts;
    const reader = { zone: clock.timeZone, addresses: new Set(addresses) };
    const meetings = meetingsIn(texts, windowAround(day), reader);
    return { mark, span, readAt: clock.now(), meetings, problem: undefined };
  }

  #remote(): RemoteCalendars {
    if (!this.parts.remote) throw new DuelineError('unsupported', engineMessage('noNetwork'));
    return this.parts.remote;
  }

  dispose(): void {
    for (const path of this.#watched.values()) unwatchFile(path, this.#onFile);
    this.#owned.dispose();
  }
}

const windowAround = (day: Day): MeetingWindow => ({
  from: civilMs(addDays(day, -daysBefore)),
  to: civilMs(addDays(day, daysAfter + 1)),
});
