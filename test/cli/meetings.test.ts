import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../../src/engine';
import { event } from '../core/meetings/fixtures';
import { calendar } from '../core/support/icalFile';
import { clock } from './support/aStart';
import { aTerminal } from './support/terminal';

describe('dueline today --events', () => {
  const terminal = aTerminal();
  const text = calendar(
    ...event('u1', 'SUMMARY:Review\u001b[31m', 'DTSTART:20260311T100000Z', 'DTEND:20260311T110000Z', 'LOCATION:Room 5'),
    ...event('u2', 'SUMMARY:Doctor', 'DTSTART:20260311T150000Z', 'DURATION:PT30M', 'CLASS:PRIVATE', 'LOCATION:Home'),
    ...event('u3', 'SUMMARY:Fair', 'DTSTART;VALUE=DATE:20260311'),
    ...event('u4', 'SUMMARY:Tomorrow', 'DTSTART:20260312T100000Z'),
  );

  /** A store with that calendar; `rights`: what the user has set for agents. */
  async function aStore(rights?: readonly (readonly [string, unknown])[]) {
    const folder = terminal.folder();
    const path = join(folder, 'work.ics');
    writeFileSync(path, text);
    const store = join(folder, 'store');
    const engine = await openEngine({ folder: store, clock });
    await engine.meetings.add({ kind: 'file', name: 'Work', color: null, address: path });
    if (rights) await (await engine.sidecar()).put('agents', rights);
    await engine.close();
    return { ...terminal.on(store), store };
  }

  it('lists the meetings of today above the tasks, without control characters', async () => {
    const { dueline, json } = await aStore();
    await dueline('add', 'Pay rent today');
    const { out, err } = await dueline('today', '--events');
    assert.equal(err, '');
    const [head, ...lines] = out.replace(/\u202f/g, ' ').split('\n');
    assert.equal(head, 'Meetings');
    assert.deepEqual(lines.slice(0, 3), [
      'all day            Fair  Work',
      '10:00 AM–11:00 AM  Review[31m (Room 5)  Work',
      '3:00 PM–3:30 PM    Doctor (Home)  Work',
    ]);
    assert.match(out, /Today\n.*Pay rent/);
    const { tasks, events } = await json('today', '--events');
    assert.equal(tasks.length, 1);
    assert.deepEqual(events[1], {
      ...{ uid: 'u1', title: 'Review[31m', start: '2026-03-11T10:00:00Z', end: '2026-03-11T11:00:00Z' },
      ...{ isAllDay: false, location: 'Room 5', link: null, isBusy: true, isPrivate: false, calendar: 'Work' },
    });
    assert.deepEqual([events[0].start, events[0].end], ['2026-03-11', '2026-03-12']);
    assert.equal((await json('today')).events, undefined);
  });

  it('shows agents nothing by default, and private meetings without details if the user allows it', async () => {
    const env = { CLAUDECODE: '1' };
    const hidden = await aStore();
    const refused = await terminal.run(['--store', hidden.store, 'today', '--events'], { env });
    assert.notEqual(refused.code, 0);
    assert.doesNotMatch(refused.out, /Review/);
    const { store } = await aStore([['meetings', true]]);
    const { out } = await terminal.run(['--store', store, 'today', '--events'], { env });
    assert.match(out, /Review/);
    assert.match(out, /Private/);
    assert.doesNotMatch(out, /Doctor|Home/);
  });
});
