import type { DateValue } from '../ical/dateValues';
import { codeRecurrenceId } from '../ical/readTodo';
import type { Task } from '../kernel/model';
import { exdateLine } from '../recurrence/dateLines';
import { type OpenInstance, OverrideIndex, occurrencesOf } from '../recurrence/instances';
import { RuleBudget, shownUnits } from '../recurrence/ruleBudget';
import { wallOf } from '../time/dates';
import { dayMs } from '../time/units';
import type { Meeting, MeetingWindow } from './meeting';
import { type EventReading, inOwnZone, readEvents } from './readEvents';

interface Reader {
  /** The user's own zone. */
  readonly zone: string;
  /** The user's own addresses, in lower case: what one of them has declined is left out. */
  readonly addresses: ReadonlySet<string>;
  /** Called if a text has more than is read. */
  readonly onCut?: () => void;
}

/** The limits of one series, of one calendar, and of all texts of a calendar; meetings beyond them are left out. */
const [maxOfSeries, maxOfCalendar, maxCharacters] = [1000, 20_000, 8_000_000];

/**
 * The meetings of iCalendar texts that touch the window, by their beginnings. Canceled and declined ones are left out.
 * Yields after each event and each series, between which other work can have its turn. Never throws: what cannot be read
 * costs only itself.
 */
export function* meetingsIn(
  texts: Iterable<string>,
  window: MeetingWindow,
  reader: Reader,
): Generator<undefined, Meeting[]> {
  const { zone, addresses, onCut } = reader;
  const budget = new RuleBudget(0);
  let characters = 0;
  let found: Meeting[] = [];
  const series = new Map<string, EventReading[]>();
  const take = (reading: EventReading, instance: Pick<Task, 'dtstart' | 'due'>, dated = reading) => {
    const meeting = reading.isHidden ? undefined : meetingOf(reading, dated, instance);
    if (!meeting || !touches(meeting, window)) return;
    characters += lengthOf(reading.words);
    if (found.length < maxOfCalendar && characters <= maxCharacters) found.push(meeting);
    else onCut?.();
  };
  for (const text of texts)
    for (const reading of readEvents(text, window, addresses, onCut)) {
      yield;
      if (!reading) continue;
      const { row, uid } = reading;
      const isSingle = row.rrule === null && row.rdate === null && reading.id === undefined;
      if (isSingle) take(reading, endedOf(row, zone));
      else if (series.get(uid)?.push(reading) === undefined) series.set(uid, [reading]);
    }
  // An event that does not repeat can have a changed copy of itself, too.
  const changed = new Set([...series.values()].flat().flatMap(({ uid, id }) => (id ? [`${momentOf(id)} ${uid}`] : [])));
  if (changed.size > 0) found = found.filter(({ uid, start }) => !changed.has(`${start} ${uid}`));
  for (const readings of series.values()) {
    takeSeries(readings, window, zone, budget, take);
    yield;
  }
  if (budget.isCut) onCut?.();
  return found.sort((a, b) => a.start - b.start || a.end - b.end || (a.uid < b.uid ? -1 : 1));
}

type Take = (reading: EventReading, instance: Pick<Task, 'dtstart' | 'due'>, dated?: EventReading) => void;

/** Adds a series and its overrides. A second series with the same UID is taken separately. */
function takeSeries(
  readings: readonly EventReading[],
  window: MeetingWindow,
  userZone: string,
  budget: RuleBudget,
  take: Take,
): void {
  const masters = readings.filter(({ id }) => id === undefined);
  const overrides = overridesOf(readings, masters[0]);
  const byRow = new Map<Task, EventReading>(
    [...overrides].map(([recurrenceId, one]) => [{ ...one.row, recurrenceId }, one]),
  );
  masters.forEach((master, at) => {
    const index = new OverrideIndex(master.row, at === 0 ? [...byRow.keys()] : []);
    const slack = index.reach + 2 * dayMs;
    const range = { from: window.from - slack, to: window.to + slack };
    const allowance = budget.allowance();
    const options = { zone: zoneOf(master, userZone), ...range, limit: maxOfSeries, allowance };
    for (const instance of occurrencesOf(master.row, options)) {
      if (!allowance.spend(shownUnits)) break;
      if (!index.isPlain(instance.recurrenceId)) continue;
      const dated: OpenInstance = index.withFollowing(instance);
      take((dated.following && byRow.get(dated.following)) ?? master, ended(dated, master.row), master);
    }
  });
  const isExcluded = masters[0] && exclusionOf(masters[0], userZone);
  for (const [id, reading] of overrides) if (!isExcluded?.(id)) take(reading, endedOf(reading.row, userZone));
}

/** The overrides by the ids of their occurrences, as the series codes dates. */
function overridesOf(
  readings: readonly EventReading[],
  master: EventReading | undefined,
): ReadonlyMap<number, EventReading> {
  const codedId = (reading: EventReading) => {
    const { row, start, privateZone } = master ?? reading;
    const coding = { zone: row.timezone, isAllDay: row.isAllDay, start };
    return codeRecurrenceId(inOwnZone(reading.id!, privateZone, reading.zones), coding, reading.zones);
  };
  const overrides = readings.filter(({ id }) => id !== undefined).sort((a, b) => a.row.sequence - b.row.sequence);
  return new Map(overrides.map(one => [codedId(one), one] as const));
}

/** Wall clocks of a zone that nobody knows are counted as if they were UTC. */
const zoneOf = ({ privateZone }: EventReading, userZone: string) => (privateZone === undefined ? userZone : 'UTC');

function exclusionOf(master: EventReading, userZone: string): (id: number) => boolean {
  const { row } = master;
  const isExcluded = exdateLine(row.exdate, row, zoneOf(master, userZone));
  return id => isExcluded(id, row.timezone === null ? id : wallOf(id, row.timezone));
}

/** Start and end of a row's own. */
function endedOf(row: Task, zone: string): Pick<Task, 'dtstart' | 'due'> {
  if (row.duration === null) return row;
  const [instance] = occurrencesOf({ ...row, rrule: null, rdate: null, exdate: null }, { zone });
  return instance ? ended(instance, row) : row;
}

const ended = ({ dtstart, due }: Pick<Task, 'dtstart' | 'due'>, { isAllDay }: Pick<Task, 'isAllDay'>) => ({
  dtstart,
  due: due ?? (isAllDay ? dtstart! + dayMs : dtstart),
});

/** `dated` is the event by whose zone the dates of the occurrence are coded. */
function meetingOf(
  { uid, words }: EventReading,
  dated: EventReading,
  { dtstart, due }: Pick<Task, 'dtstart' | 'due'>,
): Meeting {
  const { row, zones, privateZone } = dated;
  const instant = (value: number) =>
    privateZone === undefined ? value : (zones.toInstant(privateZone, value) ?? value);
  const start = instant(dtstart!);
  const isFloating = row.timezone === null && privateZone === undefined;
  return { uid, start, end: Math.max(start, instant(due!)), isAllDay: row.isAllDay, isFloating, ...words };
}

const momentOf = (date: DateValue): number => ('at' in date ? date.at : date.civil);

const lengthOf = ({ title, location = '', link = '', text = '' }: EventReading['words']): number =>
  title.length + location.length + link.length + text.length;

/** A day of grace on both sides for the user's zone, which may be another one when the meetings are shown. */
const touches = ({ start, end }: Meeting, { from, to }: MeetingWindow): boolean =>
  start < to + dayMs && Math.max(end, start + 1) > from - dayMs;
