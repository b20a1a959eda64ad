import { escapeText } from '../lines/contentLines';
import { formatWall } from '../lines/dateDigits';
import { dayMs } from '../time/units';
import { clockChanges, resolveZone, wallOf } from '../time/zones';

interface Change {
  /** Wall clock, under the offset before it, at which it happens. */
  readonly wall: number;
  readonly before: number;
  readonly after: number;
}

const minute = 60_000;

/**
 * The lines of a VTIMEZONE (RFC 5545 3.6.5) for a zone as IANA knows it, good from `fromYear` on. Changes that repeat
 * each year become a rule; a zone whose changes follow none (Morocco's Ramadan) has them listed one by one as far as
 * they are known, up to `toYear`. Undefined if nobody knows the zone. ical.js has no zones to write.
 */
export function timezoneLines(tzid: string, fromYear: number, toYear: number): string[] | undefined {
  const zone = resolveZone(tzid);
  if (zone === undefined) return undefined;
  const offsetAt = (instant: number) => wallOf(instant, zone) - instant;
  const begin = Date.UTC(fromYear, 0, 1);
  const changes = clockChanges(begin, Date.UTC(toYear + 1, 0, 1), zone).map((at): Change => {
    const [before, after] = [offsetAt(at - 1), offsetAt(at)];
    return { wall: at + before, before, after };
  });
  const lines = ['BEGIN:VTIMEZONE', `TZID:${escapeText(tzid)}`];
  const offset = offsetAt(begin);
  const isDst = offset > Math.min(offset, offsetAt(Date.UTC(fromYear, 6, 1)));
  lines.push(...observance({ wall: Date.UTC(fromYear - 1, 0, 1), before: offset, after: offset }, isDst));

  const lastYear = new Date(changes.at(-1)?.wall ?? 0).getUTCFullYear();
  const repeats = lastYear >= toYear - 1 ? yearlyTail(changes, toYear) : [];
  const first = repeats.length > 0 ? Math.min(...repeats.map(({ change }) => change.wall)) : Number.POSITIVE_INFINITY;
  const standard = Math.min(offset, ...changes.map(({ after }) => after));
  for (const change of changes) {
    if (change.wall < first) lines.push(...observance(change, change.after !== standard));
  }
  for (const { change, rule } of repeats) lines.push(...observance(change, change.after !== standard, rule));
  lines.push('END:VTIMEZONE');
  return lines;
}

/** The changes at the end of the list that come each year by the same rule, each as its first and that rule. */
function yearlyTail(changes: readonly Change[], toYear: number): { change: Change; rule: string }[] {
  const ofYear = (year: number) => changes.filter(({ wall }) => new Date(wall).getUTCFullYear() === year);
  const last = ofYear(toYear);
  if (last.length === 0 || last.length > 2) return [];
  const found = last.map(sample => rulesOf(sample.wall).map(rule => ({ rule, change: sample, sample })));
  let tails = found.map(candidates => candidates);
  for (let year = toYear - 1; tails.every(candidates => candidates.length > 0); year--) {
    const changesThen = ofYear(year);
    if (changesThen.length !== last.length) break;
    const next = tails.map((candidates, at) => {
      const change = changesThen[at]!;
      return candidates
        .filter(({ sample, rule }) => isSameShift(sample, change) && rulesOf(change.wall).includes(rule))
        .map(candidate => ({ ...candidate, change }));
    });
    if (next.some(candidates => candidates.length === 0)) break;
    tails = next;
  }
  const chosen = tails.map(candidates => candidates[0]!);
  // A change that occurs in one year only is not a rule.
  return chosen.every(({ change, sample }) => change !== sample) ? chosen : [];
}

const isSameShift = (a: Change, b: Change) =>
  a.before === b.before && a.after === b.after && modDay(a.wall) === modDay(b.wall);

const modDay = (wall: number) => ((wall % dayMs) + dayMs) % dayMs;

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * The yearly rules that would produce the day: last weekday of its kind, n-th weekday of its kind, weekday on or after
 * a day, day of the month.
 */
function rulesOf(wall: number): string[] {
  const date = new Date(wall);
  const day = date.getUTCDate();
  const month = date.getUTCMonth() + 1;
  const name = weekdays[date.getUTCDay()]!;
  const length = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate();
  const rules: string[] = [];
  if (day > length - 7) rules.push(`FREQ=YEARLY;BYMONTH=${month};BYDAY=-1${name}`);
  rules.push(`FREQ=YEARLY;BYMONTH=${month};BYDAY=${Math.ceil(day / 7)}${name}`);
  for (let from = Math.max(1, day - 6); from <= Math.min(day, length - 6); from++) {
    const days = Array.from({ length: 7 }, (_, at) => from + at).join(',');
    rules.push(`FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=${days};BYDAY=${name}`);
  }
  rules.push(`FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=${day}`);
  return rules;
}

function observance({ wall, before, after }: Change, isDaylight: boolean, rule?: string): string[] {
  const name = isDaylight ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${name}`,
    `DTSTART:${formatWall(wall)}`,
    `TZOFFSETFROM:${formatOffset(before)}`,
    `TZOFFSETTO:${formatOffset(after)}`,
    ...(rule ? [`RRULE:${rule}`] : []),
    `END:${name}`,
  ];
}

function formatOffset(ms: number): string {
  const total = Math.abs(Math.round(ms / 1000));
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60].map(part =>
    `${part}`.padStart(2, '0'),
  );
  if (total % 60 === 0) parts.pop();
  return `${ms < 0 && Math.abs(ms) >= minute / 60 ? '-' : '+'}${parts.join('')}`;
}
