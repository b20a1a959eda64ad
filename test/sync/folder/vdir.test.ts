import assert from 'node:assert/strict';
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
