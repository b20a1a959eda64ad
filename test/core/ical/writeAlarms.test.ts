import assert from 'node:assert/strict';
import { type Columns, rowWith, sameContent } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import { emptyFields } from '../../../src/core/ical/row';
import { writeResource } from '../../../src/core/ical/writeResource';
import { fireTime } from '../../../src/core/reminders/alarms';
import { effectiveDue } from '../../../src/core/time/dates';
import { difference, edit, file, now } from '../support/icalFile';

describe('alarms of an edited file', () => {
  const alarm = (...lines: string[]) => ['BEGIN:VALARM', ...lines, 'END:VALARM'];
  const two = file(
    'SUMMARY:t',
    ...alarm(
      'UID:a1',
      'ACTION:DISPLAY',
      'DESCRIPTION:One',
      'TRIGGER;X-A=1;RELATED=END:-PT15M',
      'ACKNOWLEDGED:20250101T000000Z',
    ),
    ...alarm('UID:a2', 'ACTION:AUDIO', 'TRIGGER:-PT5M', 'ATTACH:bell'),
  );
  const [first, second] = readResource(two).master!.fields.alarms;

  it('keep the other lines if the time moved, except that it was acknowledged', () => {
    assert.deepEqual(difference(two, edit(two, { alarms: [{ ...first!, minutesBefore: 30 }, second!] })), {
      gone: ['TRIGGER;X-A=1;RELATED=END:-PT15M', 'ACKNOWLEDGED:20250101T000000Z'],
      new: ['TRIGGER;X-A=1;RELATED=END:-PT30M'],
    });
  });

  it('keep the other lines if the message changed', () => {
    assert.deepEqual(difference(two, edit(two, { alarms: [{ ...first!, message: 'Uno' }, second!] })), {
      gone: ['DESCRIPTION:One'],
      new: ['DESCRIPTION:Uno'],
    });
  });

  it('get a message if they had none', () => {
    const written = edit(two, { alarms: [first!, { ...second!, message: 'Now' }] });
    assert.deepEqual(difference(two, written), { gone: [], new: ['DESCRIPTION:Now'] });
    assert.equal(readResource(written).master?.fields.alarms[1]?.message, 'Now');
  });

  it('are removed one by one', () => {
    const written = edit(two, { alarms: [second!] });
    assert.ok(
      !written.includes('a1') &&
        written.includes('UID:a2\r\nACTION:AUDIO\r\nTRIGGER:-PT5M\r\nATTACH:bell\r\nEND:VALARM'),
    );
  });

  it('are written with a UID, and with the title if they have no message', () => {
    const read = readResource(file('SUMMARY:Call, now'));
    const master = rowWith(read.master!, {
      alarms: [
        { minutesBefore: 1440, reference: 'START', message: 'Soon; really' },
        { minutesBefore: 0 },
        { minutesBefore: -Date.UTC(2025, 0, 1, 9) / 60_000, reference: 'ABSOLUTE' },
      ],
    });
    let ids = 0;
    const written = writeResource({ master, overrides: [] }, file('SUMMARY:Call, now'), now, {
      newId: () => `id${++ids}`,
    });
    assert.ok(
      written.includes(
        [
          'BEGIN:VALARM',
          'UID:id1',
          'ACTION:DISPLAY',
          'DESCRIPTION:Soon\\; really',
          'TRIGGER;RELATED=START:-P1D',
          'END:VALARM',
          'BEGIN:VALARM',
          'UID:id2',
          'ACTION:DISPLAY',
          'DESCRIPTION;X-DUELINE-DEFAULT=1:Call\\, now',
          'TRIGGER;RELATED=END:PT0S',
          'END:VALARM',
          'BEGIN:VALARM',
          'UID:id3',
          'ACTION:DISPLAY',
          'DESCRIPTION;X-DUELINE-DEFAULT=1:Call\\, now',
          'TRIGGER;VALUE=DATE-TIME:20250101T090000Z',
          'END:VALARM',
          'END:VTODO',
        ].join('\r\n'),
      ),
      written,
    );
    assert.deepEqual(readResource(written).master?.fields.alarms, [
      { minutesBefore: 1440, reference: 'START', message: 'Soon; really' },
      { minutesBefore: 0, reference: 'DUE', message: null },
      { minutesBefore: -Date.UTC(2025, 0, 1, 9) / 60_000, reference: 'ABSOLUTE', message: null },
    ]);
  });

  const triggers = (text: string) => text.split('\r\n').filter(line => line.startsWith('TRIGGER'));
  const day = (date: number) => Date.UTC(2025, 6, date, 8);
  const reminded: [string, Columns, Columns, string[]][] = [
    ['a start alone', { dtstart: day(8) }, {}, ['TRIGGER;RELATED=START:-PT15M', 'TRIGGER;RELATED=START:-PT5M']],
    ['a due date alone', { due: day(9) }, {}, ['TRIGGER;RELATED=END:-PT15M', 'TRIGGER;RELATED=END:-PT5M']],
    [
      'a start and a duration',
      { dtstart: day(8), duration: 'PT1H' },
      {},
      ['TRIGGER;RELATED=END:-PT15M', 'TRIGGER;RELATED=START:-PT5M'],
    ],
    [
      'both, of which the due date goes',
      { dtstart: day(8), due: day(9) },
      { due: null },
      ['TRIGGER;RELATED=START:-PT15M', 'TRIGGER;RELATED=START:-PT5M'],
    ],
    [
      'both, of which the start goes',
      { dtstart: day(8), due: day(9) },
      { dtstart: null },
      ['TRIGGER;RELATED=END:-PT15M', 'TRIGGER;RELATED=END:-PT5M'],
    ],
    [
      'a start, and gets a due date',
      { dtstart: day(8) },
      { due: day(9) },
      ['TRIGGER;RELATED=END:-PT15M', 'TRIGGER;RELATED=START:-PT5M'],
    ],
  ];
  for (const [dates, columns, later, expected] of reminded)
    it(`count from a date that the task has, if it has ${dates}`, () => {
      const alarms = [{ minutesBefore: 15 }, { minutesBefore: 5, reference: 'START' as const }];
      const row = rowWith({ fields: emptyFields('u1') }, { timezone: 'UTC', ...columns, alarms });
      const text = writeResource({ master: row, overrides: [] }, undefined, now);
      const changed = rowWith(row, later);
      const written = writeResource({ master: changed, overrides: [] }, text, now);
      assert.deepEqual(triggers(written), expected);
      assert.ok(sameContent({ master: changed, overrides: [] }, readResource(written)));
      // The same moments, for who reads the text and for the row.
      const { fields } = readResource(written).master!;
      const times = (alarmsOf: typeof fields) =>
        alarmsOf.alarms.map(alarm =>
          fireTime(
            { id: 1, taskId: 1, reference: 'DUE', message: null, ...alarm },
            fields,
            fields.dtstart,
            effectiveDue(fields),
            'UTC',
            0,
          ),
        );
      assert.deepEqual(times(changed.fields), times(fields));
    });

  it('stay as another program wrote them, even if the date that they count from is missing', () => {
    const base = file('SUMMARY:t', 'DTSTART:20250708T080000Z', ...alarm('ACTION:DISPLAY', 'TRIGGER;RELATED=END:-PT5M'));
    assert.deepEqual(difference(base, edit(base, { title: 'x' })), { gone: ['SUMMARY:t'], new: ['SUMMARY:x'] });
  });
});
