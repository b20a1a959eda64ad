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
/** The interval at which a file is checked. */
const fileMs = 10_000;
/** Reading a calendar lets everything else have its turn after so long. */
const turnMs = 12;

/**
 * The calendars that the user has chosen, and their meetings. For each calendar, a file next to the store keeps what
 * was read. Any process may read the files; the window that syncs reads calendars on servers.
 */
export class Calendars implements Meetings, Disposable {
  readonly #owned = new Disposables();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly onDidChange = this.#changes.event;
  readonly #cache: CalendarCache;
  #opening: Promise<Sidecar> | undefined;
  #calendars: readonly Calendar[] = [];
  readonly #known = new Map<string, CachedCalendar>();
  readonly #watched = new Map<string, string>();
  #files: Promise<void> = Promise.resolve();
  /** The day for which files were read last. */
  #day: Day | undefined;
  #refresh: Promise<void> | undefined;
  #isDisposed = false;

  constructor(private readonly parts: CalendarParts) {
    this.#cache = new CalendarCache(parts.folder);
  }

  get calendars(): readonly CalendarState[] {
    return this.#calendars.map(calendar => {
      const {
        readAt,
        isCut,
        problem = isCut ? engineMessage('calendarCut') : undefined,
      } = this.#known.get(calendar.id) ?? {};
      return { ...calendar, ...(readAt === undefined ? {} : { readAt }), ...(problem ? { problem } : {}) };
    });
  }

  async open(): Promise<void> {
    await this.#opened();
    await this.#readFiles();
  }

  #opened(): Promise<Sidecar> {
    this.#opening ??= this.parts.sidecar().then(sidecar => {
      this.#owned.add(
        sidecar.onDidChange(({ map, keys }) => {
          const isOld = (id: string) => sidecar.get(states, id) !== stateOf(this.#known.get(id));
          const old = map === states ? keys.filter(isOld) : [];
          for (const id of old) this.#known.delete(id);
          if (map === chosen || old.length > 0) this.#load(sidecar);
        }),
      );
      this.#load(sidecar);
      this.#cache.deleteOthers(this.#calendars.map(({ id }) => id)).catch(this.parts.onError);
      return sidecar;
    });
    return this.#opening;
  }

  /** Loads the current calendars, with their caches. */
  #load(sidecar: Sidecar): void {
    const before = this.#calendars;
    this.#calendars = sidecar.entries<Omit<Calendar, 'id'>>(chosen).map(([id, calendar]) => ({ id, ...calendar }));
    const ids = new Set(this.#calendars.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
    for (const id of ids) if (!this.#known.has(id)) this.#known.set(id, this.#cache.read(id));
    this.#deleteCaches(before.filter(({ id }) => !ids.has(id)));
    this.#watch();
    this.#changes.fire();
  }

  /** Once more, after another window has removed them: a read under way here writes its cache again. */
  #deleteCaches(gone: readonly Calendar[]): void {
    for (const { id } of gone) this.#files = this.#files.then(() => this.#cache.delete(id)).catch(this.parts.onError);
  }

  #watch(): void {
    if (this.#isDisposed) return;
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

  readonly #onFile = () => void this.#readFiles();

  between(from: Day, to: Day): readonly ShownMeeting[] {
    if (!this.#opening) void this.open().catch(this.parts.onError);
    // Views ask when a day begins, and series are expanded for the days around it.
    else if (this.#day !== today(this.parts.clock)) void this.#readFiles();
    const [begin, end] = [civilMs(addDays(from, -1)), civilMs(addDays(to, 2))];
    return this.#calendars.flatMap(calendar =>
      (this.#known.get(calendar.id)?.meetings ?? [])
        .filter(({ start, end: last }) => start < end && last >= begin)
        .map(meeting => ({ ...meeting, calendar })),
    );
  }

  busyMinutes(day: Day, from = Number.NEGATIVE_INFINITY): number | undefined {
    const meetings = this.between(day, day);
    const { clock, startHour } = this.parts;
    const read = windowAround(today(clock));
    const isRead = civilMs(day) >= read.from && civilMs(day) < read.to;
    if (this.#calendars.length === 0 || !isRead) return undefined;
    const bounds = dayBounds(day, clock.timeZone, startHour());
    const [start, end] = [Math.max(bounds.instantStart, from), bounds.instantEnd];
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
    const existing = this.#calendars.find(one => one.kind === input.kind && one.address === input.address);
    if (existing && input.kind !== 'feed') return;
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

  refresh(): Promise<void> {
    this.#refresh ??= Promise.all([this.#readFiles(), this.#readEach(({ kind }) => kind !== 'file')]).then(() => {
      this.#refresh = undefined;
    });
    return this.#refresh;
  }

  /** They wait for no server. */
  #readFiles(): Promise<void> {
    this.#day = today(this.parts.clock);
    this.#files = this.#files.then(() => this.#readEach(({ kind }) => kind === 'file'));
    return this.#files;
  }

  /** One after the other. */
  async #readEach(isMeant: (calendar: Calendar) => boolean): Promise<void> {
    try {
      const sidecar = await this.#opened();
      for (const calendar of this.#calendars.filter(isMeant))
        if (!this.#isDisposed) await this.#keep(sidecar, calendar, false).catch(this.parts.onError);
    } catch (error) {
      this.parts.onError(error);
    }
  }

  /** Reads a calendar and stores its changes, unless it was removed meanwhile. */
  async #keep(sidecar: Sidecar, calendar: Calendar, mustSucceed: boolean): Promise<void> {
    const { id } = calendar;
    const isGone = () => this.#isDisposed || !(mustSucceed || this.#calendars.some(one => one.id === id));
    const next = await this.#read(calendar, mustSucceed);
    if (!next || isGone()) return;
    this.#known.set(id, next);
    await this.#cache.write(id, next).finally(() => this.#changes.fire());
    if (isGone()) return this.#cache.delete(id);
    await sidecar.put(states, [[id, stateOf(next)]]);
  }

  /**
   * Reads the current state of a calendar; undefined if it has not changed. After a failure, the previous meetings
   * stay.
   */
  async #read(calendar: Calendar, mustSucceed: boolean): Promise<CachedCalendar | undefined> {
    const { clock, remote, onError } = this.parts;
    const before = this.#known.get(calendar.id) ?? this.#cache.read(calendar.id);
    const day = today(clock);
    const span = `${day} ${clock.timeZone}`;
    const isOfToday = before.span === span;
    try {
      const reader: CalendarReader | undefined = calendar.kind === 'file' ? fileReader : remote;
      const found = await reader?.read(calendar, windowAround(day), isOfToday ? before.mark : null);
      const digest = found ? hashOf([found.texts, found.addresses]) : before.digest;
      if (found && !(isOfToday && digest === before.digest)) {
        const expanded = await this.#expanded(found, day);
        return expanded && { ...expanded, span, digest, problem: undefined };
      }
      const mark = found ? found.mark : before.mark;
      return before.problem || mark !== before.mark ? { ...before, mark, problem: undefined } : undefined;
    } catch (error) {
      if (mustSucceed) throw error;
      if (this.#isDisposed) return undefined;
      onError(error);
      const problem = messageOf(error);
      return problem.text === before.problem?.text ? undefined : { ...before, problem };
    }
  }

  /** Undefined if it was disposed meanwhile. */
  async #expanded({ texts, mark, addresses = [] }: CalendarTexts, day: Day) {
    const { clock } = this.parts;
    let isCut = false;
    const onCut = () => {
      isCut = true;
    };
    const reader = { zone: clock.timeZone, addresses: new Set(addresses), onCut };
    const meetings = await inTurns(meetingsIn(texts, windowAround(day), reader), () => this.#isDisposed);
    return meetings && { mark, readAt: clock.now(), meetings, isCut };
  }

  #remote(): RemoteCalendars {
    if (!this.parts.remote) throw new DuelineError('unsupported', engineMessage('noNetwork'));
    return this.parts.remote;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const path of this.#watched.values()) unwatchFile(path, this.#onFile);
    this.#owned.dispose();
  }
}

/** Runs the steps; whenever they have taken some milliseconds, everything else has its turn, and may end them. */
async function inTurns<T>(steps: Iterator<unknown, T>, isOver: () => boolean): Promise<T | undefined> {
  let began = performance.now();
  while (!isOver()) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < turnMs) continue;
    await new Promise(resolve => setImmediate(resolve));
    began = performance.now();
  }
  return undefined;
}

/** Differs after each change of a calendar's cache. It is a hash, because a server's message may contain a secret address. */
const stateOf = (known: CachedCalendar | undefined): string | undefined =>
  known && hashOf([known.digest, known.span, known.mark, known.problem?.text]);

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

const windowAround = (day: Day): MeetingWindow => ({
  from: civilMs(addDays(day, -daysBefore)),
  to: civilMs(addDays(day, daysAfter + 1)),
});
