import fc from 'fast-check';
import type { NewRow } from '../../../src/core/kernel/rowEdit';
import { wednesday } from './filterStore';

const hour = 3_600_000;
const dayStart = Math.floor(wednesday / (24 * hour)) * 24 * hour;

/** Within ten days, often on the edges of days in the zones that the tests use. */
const moment = fc
  .tuple(fc.integer({ min: -10, max: 10 }), fc.constantFrom(0, 1, 9, 10, 12, 14.5, 23.9), fc.constantFrom(-1, 0, 1))
  .map(([day, hours, ms]) => dayStart + day * 24 * hour + hours * hour + ms);
const date = fc.integer({ min: -10, max: 10 }).map(day => dayStart + day * 24 * hour);

export const words = ['title', 'Invoice', 'café', 'ΟΔΟΣ', 'naïve', 'RE-1234', '50%', 'a_b', 'straße', 'مهمة', '100'];
const text = fc
  .array(fc.constantFrom(...words, 'TITLE', 'CAFE', '1', '2'), { minLength: 1, maxLength: 3 })
  .map(all => all.join(' '));
export const tags = ['work', 'Work', 'work/x', 'Ärger', 'a,b', 'back\\slash', 'some day', 'study'];

const dates: fc.Arbitrary<Partial<NewRow>> = fc.oneof(
  fc.constant({}),
  fc.record({ due: fc.option(date), dtstart: fc.option(date), isAllDay: fc.constant(true) }),
  fc.record({
    due: fc.option(moment),
    dtstart: fc.option(moment),
    timezone: fc.constantFrom(null, 'UTC', 'America/New_York'),
  }),
  fc.record({
    dtstart: moment,
    duration: fc.constantFrom('PT2H', 'P1D', 'nonsense'),
    timezone: fc.constantFrom(null, 'UTC'),
  }),
  fc.record({ due: date, isAllDay: fc.constant(true), timezone: fc.constant('UTC') }),
);

const place = (source: string) =>
  JSON.stringify([`X-DUELINE-ANCHOR;V=1;REPO=0123456789ab;PATH=a.ts;LINE=3${source}:0`]);

const noDates = { due: null, dtstart: null, duration: null, isAllDay: false, timezone: null, rrule: null };

export const taskRow: fc.Arbitrary<Partial<NewRow>> = fc
  .record({
    title: fc.option(text, { freq: 8 }),
    description: fc.option(text, { freq: 2 }),
    location: fc.option(text, { freq: 1 }),
    tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 2 }),
    status: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
    priority: fc.constantFrom(0, 0, 1, 4, 5, 9),
    percentComplete: fc.constantFrom(null, 0, 50, 100),
    completedAt: fc.option(moment),
    createdAt: fc.option(moment),
    lastModified: fc.option(moment),
    isDeleted: fc.constantFrom(false, false, false, false, false, true),
    isDirty: fc.boolean(),
    classification: fc.constantFrom(null, 0, 1, 2),
    sortOrder: fc.integer({ min: 0, max: 3 }),
    unknownProperties: fc.constantFrom(
      null,
      null,
      place(''),
      place(';SOURCE=TODO'),
      JSON.stringify(['X-A;SOURCE=TODO2:']),
      ...['PT15M', 'PT45M', 'PT150M', '-PT5M', 'soon'].map(value => JSON.stringify([`ESTIMATED-DURATION:${value}`])),
    ),
    alarms: fc.array(
      fc.record({
        minutesBefore: fc.constantFrom(0, 30, 1440),
        reference: fc.constantFrom('DUE' as const, 'START' as const),
      }),
      { maxLength: 1 },
    ),
    rrule: fc.constantFrom(null, null, null, 'FREQ=DAILY', 'FREQ=WEEKLY;INTERVAL=2', 'FREQ=MONTHLY;COUNT=3'),
  })
  .chain(row => dates.map(dated => ({ ...noDates, ...row, ...dated }) as Partial<NewRow>));
