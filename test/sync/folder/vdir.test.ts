import assert from 'node:assert/strict';
import { copiesAmong } from '../../../src/sync/folder/conflictCopies';
import { uidOf } from '../../../src/sync/folder/vdir';
import { calendar, todo, todoText } from '../support/texts';

describe('the UID of a file', () => {
  it('is that of its first task', () => {
    assert.equal(uidOf(calendar(['BEGIN:VEVENT', 'UID:event', 'END:VEVENT'], todo('a'), todo('b'))), 'a');
    assert.equal(uidOf(todoText('a').replaceAll('\r\n', '\n')), 'a');
    assert.equal(uidOf(todoText('a').replace('UID:a', 'uid;X-P=1:a-long\r\n er-one ')), 'a-longer-one');
  });

  it('is not that of an alarm in it', () => {
    const alarm = ['BEGIN:VALARM', 'UID:alarm', 'END:VALARM'];
    const text = calendar(['BEGIN:VTODO', ...alarm, ...alarm, 'UID:a', 'END:VTODO']);
    assert.equal(uidOf(text), 'a');
    assert.equal(uidOf(calendar(['BEGIN:VTODO', ...alarm, 'END:VTODO'], todo('b'))), '');
  });

  it('is none where it has no task', () => {
    assert.equal(uidOf(calendar(['BEGIN:VEVENT', 'UID:event', 'END:VEVENT'])), null);
    assert.equal(uidOf(''), null);
  });

  it('is found at once in a file of many alarms without an end', () => {
    const begin = performance.now();
    assert.equal(uidOf(calendar(['BEGIN:VTODO', ...Array<string>(100_000).fill('BEGIN:VALARM'), 'UID:a'])), '');
    assert.ok(performance.now() - begin < 2_000);
  });
});

describe('copies beside a file', () => {
  it('are those whose name goes on behind its own, with the same UID', () => {
    const uids = { 'a.ics': 'u', 'a 2.ics': 'u', 'a, b.ICS': 'u', 'a 2 (1).ics': 'u', 'b.ics': 'u', 'a 3.ics': 'v' };
    const copies = copiesAmong(new Map(Object.entries({ ...uids, 'a.ics.ics': null, 'A 4.ics': 'u' })));
    assert.deepEqual(Object.fromEntries(copies), { 'a 2 (1).ics': 'a.ics', 'a 2.ics': 'a.ics', 'a, b.ICS': 'a.ics' });
  });

  it('are found among a million files of one UID', () => {
    const names = Array.from(
      { length: 1_000_000 },
      (_, at) => `${at % 2 ? 'a' : 'bb'}${String(at).padStart(7, '0')}.ics`,
    );
    assert.equal(copiesAmong(new Map(names.map(name => [name, 'u']))).size, 0);
  });
});
