import assert from 'node:assert/strict';
import { readResource } from '../../../src/core/ical/readResource';
import { otherNames } from '../../../src/sync/folder/conflictCopies';
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

  it('is decoded like that of the task in it', () => {
    const text = todoText('a\\,b\\;c\\\\n\\nd\x01');
    assert.equal(uidOf(text), 'a,b;c\\n\nd');
    assert.equal(uidOf(text), readResource(text).uid);
  });

  it('is not in a line that only a lone CR seems to end, as for the task in it', () => {
    const text = todoText('a').replace('UID:a', 'COMMENT:old\rUID:b\r\nUID:a');
    assert.equal(uidOf(text), 'a');
    assert.equal(uidOf(text), readResource(text).uid);
    assert.equal(uidOf(todoText('a').replaceAll('\r\n', '\r')), 'a');
  });

  it('does not exist if the file has no task', () => {
    assert.equal(uidOf(calendar(['BEGIN:VEVENT', 'UID:event', 'END:VEVENT'])), null);
    assert.equal(uidOf(''), null);
  });

  it('is found at once in a file of many alarms without an end', () => {
    const begin = performance.now();
    assert.equal(uidOf(calendar(['BEGIN:VTODO', ...Array<string>(100_000).fill('BEGIN:VALARM'), 'UID:a'])), '');
    assert.ok(performance.now() - begin < 2_000);
  });
});

describe('other file names of a task', () => {
  const files = (tasks: Record<string, string | null>, same: readonly string[] = []) =>
    new Map(
      Object.entries(tasks).map(([name, task]) => [name, { task, identity: same.includes(name) ? 'same' : name }]),
    );

  it('are copies of the first, whatever they are called', () => {
    const uids = { 'a.ics': 'u', 'a 2.ics': 'u', 'a, b.ICS': 'u', 'a 2 (1).ics': 'u', 'b.ics': 'u', 'a 3.ics': 'v' };
    const { copies } = otherNames(files({ ...uids, 'a.ics.ics': null, 'c.ics': '', 'd.ics': '' }));
    assert.deepEqual(Object.fromEntries(copies), {
      'a 2 (1).ics': 'a.ics',
      'a 2.ics': 'a.ics',
      'a, b.ICS': 'a.ics',
      'b.ics': 'a.ics',
    });
  });

  it('are links if they are the same file, including the first', () => {
    const uids = { 'a.ics': 'u', 'a 2.ics': 'u', 'b.ics': 'u', 'c.ics': 'u' };
    const { copies, links } = otherNames(files(uids, ['a.ics', 'b.ics']), { isLink: name => name === 'a.ics' });
    assert.deepEqual(Object.fromEntries(links), { 'a.ics': 'b.ics' });
    assert.deepEqual(Object.fromEntries(copies), { 'b.ics': 'a 2.ics', 'c.ics': 'a 2.ics' });
  });

  it('follow a name of a higher rank', () => {
    const uids = { 'a.ics': 'u', 'b.ics': 'u', 'c.ics': 'u', 'd.ics': 'v' };
    const rankOf = (name: string) => (name === 'c.ics' ? 0 : 1);
    assert.deepEqual(Object.fromEntries(otherNames(files(uids), { rankOf }).copies), {
      'a.ics': 'c.ics',
      'b.ics': 'c.ics',
    });
    const { copies, links } = otherNames(files(uids, ['a.ics', 'c.ics']), { rankOf });
    assert.deepEqual(
      [Object.fromEntries(links), Object.fromEntries(copies)],
      [{ 'a.ics': 'c.ics' }, { 'b.ics': 'c.ics' }],
    );
  });

  it('are found among a million files of one UID', () => {
    const named = new Map<string, { readonly task: string; readonly identity: string }>();
    for (let at = 0; at < 1_000_000; at++) {
      const name = `${at % 2 ? 'a' : 'bb'}${String(at).padStart(7, '0')}.ics`;
      named.set(name, { task: 'u', identity: name });
    }
    assert.equal(otherNames(named).copies.size, 999_999);
  });
});
