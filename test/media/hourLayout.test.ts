import assert from 'node:assert/strict';
import { layOut } from '../../media/page/rowLayout';
import { DayHours } from '../../media/rows/hourLayout';
import type { DayMeetings, MeetingView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';

const row = (key: string): KnownRow => ({ key, taskId: 1, occurrence: null, state: 'open', depth: 0, isTall: false });
const slot = { minutes: 60, minutesBefore: 0, minutesAfter: 0 };
const meeting = (key: string, slotted?: Partial<NonNullable<MeetingView['slot']>>): MeetingView => ({
  ...{ key, title: key, hover: key },
  ...(slotted ? { slot: { ...slot, ...slotted } } : {}),
});

/** Tops and heights of rows of 50 pixels and of meetings, an hour having 36. */
function drawn(day: DayMeetings, keys: readonly string[], hourHeight = 36) {
  const group = { key: 'day', label: '', tone: 'plain', folded: false, rows: keys, meetings: day } as const;
  const hours = new DayHours(group, hourHeight);
  const items = layOut([group], new Map(keys.map(key => [key, row(key)])), {
    ...{ heightOf: () => 50, isOpen: () => true, hidesHeadings: true },
    spaceBefore: hours.spaceBefore,
  });
  const shown = hours
    .place(items)
    .map(({ shown, top, height }) => [typeof shown === 'number' ? `${shown} more` : shown.key, top, height]);
  const rows = items.map(item => [item.kind === 'row' ? item.row.key : '', item.top, item.height]);
  return [...rows, ...shown].sort((a, b) => Number(a[1]) - Number(b[1]));
}

describe('the meetings among the rows of a day', () => {
  it('are as high as they are long, with the time between them and the rows', () => {
    const day = {
      shown: [
        meeting('fair'),
        meeting('review', { nextRow: 'b', minutesBefore: 30, minutesAfter: 60 }),
        meeting('night', { minutes: 15 }),
      ],
    };
    assert.deepEqual(drawn(day, ['a', 'b']), [
      ['fair', 0, 18],
      ['a', 20, 50],
      ['review', 88, 34],
      ['b', 160, 50],
      ['night', 210, 18],
    ]);
  });

  it('are lines without gaps in a low page', () => {
    const shown = [meeting('review', { nextRow: 'a', minutes: 300, minutesBefore: 90, minutesAfter: 60 })];
    assert.deepEqual(drawn({ shown }, ['a'], 0), [
      ['review', 0, 18],
      ['a', 20, 50],
    ]);
  });

  it('take no more than four hours of height, and two between', () => {
    const shown = [meeting('long', { minutes: 600, minutesBefore: 500 })];
    assert.deepEqual(drawn({ shown }, []), [['long', 72, 142]]);
  });

  it('are after all rows if their next row is gone, and the number of others is below the last one', () => {
    const shown = [meeting('review', { nextRow: 'gone' })];
    assert.deepEqual(drawn({ shown, more: 3 }, ['a']), [
      ['a', 0, 50],
      ['review', 50, 34],
      ['3 more', 86, 18],
    ]);
  });
});
