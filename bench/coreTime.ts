import ICAL from 'ical.js';
import type { Task } from '../src/core/model';
import { occurrencesOf, type Series } from '../src/core/recurrence/instances';
import { alarmsBetween } from '../src/core/reminders/alarms';
import { fromWall } from '../src/core/time/dates';
import { anAlarm, aTask } from '../test/core/support/series';
import { median, type Report } from './reference/figure';

const zone = 'Europe/Berlin';
const day = 86_400_000;
const rules = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,WE,FR',
  'FREQ=WEEKLY;INTERVAL=2',
  'FREQ=MONTHLY;BYMONTHDAY=15',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
];

/** Both kinds of work by turns, so that what the machine does meanwhile hits both; the results must agree. */
function pair(
  rounds: number,
  ours: () => number,
  theirs: () => number,
): { ours: number; theirs: number; count: number } {
  const times = { ours: [] as number[], theirs: [] as number[] };
  let count = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    count = ours();
    const between = performance.now();
    const reference = theirs();
    times.ours.push(between - start);
    times.theirs.push(performance.now() - between);
    if (count !== reference) throw new Error(`${count} occurrences, but ${reference} by the reference.`);
  }
  return { ours: median(times.ours), theirs: median(times.theirs), count };
}

/** A thousand series, begun `years` before 2026, nine o'clock in Berlin. */
function series(years: number): { rows: Series[]; wall: number[] } {
  const begin = Date.UTC(2026 - years, 0, 1, 9);
  const wall = Array.from({ length: 1000 }, (_, index) => begin + (index % 28) * day);
  const rows = wall.map((at, index) =>
    aTask({ dtstart: fromWall(at, zone), timezone: zone, rrule: rules[index % rules.length]! }),
  );
  return { rows, wall };
}

function iterated(wall: readonly number[], from: number, to: number): number {
  let count = 0;
  wall.forEach((at, index) => {
    const recur = ICAL.Recur.fromString(rules[index % rules.length]!);
    const start = ICAL.Time.fromDateTimeString(new Date(at).toISOString().slice(0, 19));
    const iterator = recur.iterator(start);
    for (let next = iterator.next(); next; next = iterator.next()) {
      const time = next.toUnixTime() * 1000;
      if (time >= to) break;
      if (time >= from) count++;
    }
  });
  return count;
}

function expanded(rows: readonly Series[], from: number, to: number): number {
  const range = { zone, from: fromWall(from, zone), to: fromWall(to, zone) };
  let count = 0;
  for (const row of rows) for (const _ of occurrencesOf(row, range)) count++;
  return count;
}

/** Expanding series, zones and all, against ical.js's bare iterator, which knows no zone. */
export async function run(report: Report): Promise<void> {
  const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];
  for (const [years, goal] of [
    [0, 1],
    [5, 0.5],
  ] as const) {
    const { rows, wall } = series(years);
    const found = pair(
      7,
      () => expanded(rows, from, to),
      () => iterated(wall, from, to),
    );
    report({
      name: years === 0 ? 'series over a year' : `series begun ${years} years ago`,
      ratio: found.ours / found.theirs,
      goal,
      detail: `1000 series, ${found.count} occurrences: ${found.ours.toFixed(1)} ms, ical.js ${found.theirs.toFixed(1)} ms`,
    });
  }
  reportAlarms(report);
}

/** The alarms of a day among very many, against asking the platform for the wall clock of each due value. */
function reportAlarms(report: Report): void {
  const begin = Date.UTC(2026, 0, 1);
  const spread = Array.from({ length: 100_000 }, (_, index) => {
    const isAllDay = index % 3 === 0;
    const due = begin + (index % 730) * day + (isAllDay ? 0 : (index % 1440) * 60_000);
    const timezone = isAllDay ? null : zone;
    const rrule = index % 100 === 1 ? 'FREQ=WEEKLY' : null;
    return aTask({ id: index, due, timezone, isAllDay, rrule, alarms: [anAlarm(15)] });
  });
  // Rows of one plain shape, as the store gives them.
  const tasks = JSON.parse(JSON.stringify(spread)) as Task[];
  const from = begin + 400 * day;
  const context = { zone, allDayAlarmTime: '09:00' };
  const formatter = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric' });
  const ours: number[] = [];
  const theirs: number[] = [];
  let count = 0;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    count = alarmsBetween(tasks, from, from + day, context).length;
    const between = performance.now();
    for (const task of tasks) formatter.format(task.due!);
    ours.push(between - start);
    theirs.push(performance.now() - between);
  }
  report({
    name: 'alarms of a day',
    ratio: median(ours) / median(theirs),
    goal: 1,
    detail: `${tasks.length} tasks with alarms, ${count} fire: ${median(ours).toFixed(1)} ms; the platform formats each time in ${median(theirs).toFixed(1)} ms`,
  });
}
