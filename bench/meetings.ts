import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Meeting } from '../src/core/meetings/meeting';
import { meetingsIn } from '../src/core/meetings/meetingsIn';
import { addDays, civilMs, type Day } from '../src/core/time/dates';
import { event } from '../test/core/meetings/fixtures';
import { calendar } from '../test/core/support/icalFile';
import { ofSeveral, type Report } from './reference/figure';

const [many, series] = [10_000, 300];
const today = '2026-11-29' as Day;
const notes = 'What is to be talked about\\n'.repeat(5);
const compact = (day: Day) => day.replaceAll('-', '');

/** A feed of ten years: most meetings are over, and some go on. */
function feedText(): string {
  const events = Array.from({ length: many }, (_, at) => {
    const day = compact(addDays(today, at < series ? -at : 60 - Math.floor((at * 3650) / many)));
    const time = `T${String(8 + (at % 9)).padStart(2, '0')}0000`;
    return event(
      `${at}@example.org`,
      ...[`SUMMARY:Meeting ${at} of the team`, `DTSTART;TZID=Europe/Berlin:${day}${time}`, 'DURATION:PT45M'],
      ...['LOCATION:Room 5', `DESCRIPTION:${notes}`, 'SEQUENCE:0', 'STATUS:CONFIRMED'],
      ...(at < series ? [`RRULE:FREQ=WEEKLY;INTERVAL=${1 + (at % 4)}`, `EXDATE;TZID=Europe/Berlin:${day}${time}`] : []),
    );
  });
  return calendar(...events.flat());
}

/** A feed of 10,000 events: to read it, and what stays of it in memory. */
export async function run(report: Report): Promise<void> {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const text = feedText();
  const window = { from: civilMs(addDays(today, -14)), to: civilMs(addDays(today, 57)) };
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < 8; round++) {
    const before = heap();
    const begin = performance.now();
    const steps = meetingsIn([text], window, { zone: 'Europe/Berlin', addresses: new Set() });
    let step = steps.next();
    while (!step.done) step = steps.next();
    const found = step.value;
    times.push(performance.now() - begin);
    const kept: readonly Meeting[] = JSON.parse(JSON.stringify(found));
    found.length = 0;
    sizes.push(heap() - before);
    if (kept.length === 0) throw new Error('The feed shows nothing.');
  }
  report(ofSeveral('read a feed of 10,000 events, ms', times.slice(1), 300));
  report(ofSeveral('what stays of it, MB', sizes, 8));
}
