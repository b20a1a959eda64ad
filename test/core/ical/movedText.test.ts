import assert from 'node:assert/strict';
import { textElsewhere } from '../../../src/core/ical/movedText';

const file = (...lines: string[]) =>
  `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...lines, 'END:VCALENDAR'].join('\r\n')}\r\n`;
const todo = (...lines: string[]) => ['BEGIN:VTODO', 'UID:u1', 'SUMMARY;LANGUAGE=de:Brot', ...lines, 'END:VTODO'];

describe('the text of a task that moves to another list', () => {
  it('stays as it was if it is sound', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Ours',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    const alarm = [
      'BEGIN:VALARM',
      'ACTION:AUDIO',
      'TRIGGER:-PT5M',
      'ATTACH;VALUE=URI:Basso',
      'REPEAT:3',
      'DURATION:PT5M',
      'END:VALARM',
    ];
    const occurrence = todo('RECURRENCE-ID;TZID=Ours:20261122T080000', 'STATUS:COMPLETED');
    const text = file(...zone, ...todo('DUE;TZID=Ours:20261121T080000', 'RRULE:FREQ=DAILY', ...alarm), ...occurrence);
    for (const one of [text, text.replaceAll('\r\n', '\n')]) assert.equal(textElsewhere(one, 'u1'), one);
  });

  it('loses what servers refuse: METHOD, lines that are no property, X- lines without a value', () => {
    const text = file('METHOD:PUBLISH', 'X-WR-CALNAME:', ...todo('garbage', 'X-EMPTY;A=b:', 'x-note;P=1:kept'));
    assert.equal(textElsewhere(text, 'u1'), file(...todo('X-NOTE;P=1:kept')));
  });

  const others: readonly (readonly [string, string])[] = [
    ['another task', file(...todo(), 'BEGIN:VTODO', 'UID:u2', 'END:VTODO')],
    ['an event', file(...todo(), 'BEGIN:VEVENT', 'UID:e', 'END:VEVENT')],
    ['a second version of it', file(...todo(), ...todo())],
    ['a second calendar', file(...todo()) + file('BEGIN:VEVENT', 'UID:e', 'END:VEVENT')],
    ['no end', file(...todo()).replace('END:VTODO\r\n', '')],
    ['no UID of its own', file('BEGIN:VTODO', 'SUMMARY:Brot', 'END:VTODO')],
    ['another UID', file(...todo()).replace('u1', 'u3')],
    ['no calendar', todo().join('\r\n')],
  ];
  for (const [content, text] of others)
    it(`is not kept if it has ${content}`, () => assert.equal(textElsewhere(text, 'u1'), undefined));
});
