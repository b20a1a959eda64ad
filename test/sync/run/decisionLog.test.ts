import assert from 'node:assert/strict';
import { type Decisions, decisionLines, noteDecision } from '../../../src/sync/run/decisionLog';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('the sync log', () => {
  const world = aWorld();

  /** A device with the tasks `a` and `b`, and the decisions that it logs from then on. */
  const deviceWithLog = async () => {
    for (const uid of ['a', 'b']) world.put(uid, `SUMMARY:Secret ${uid}`, 'LOCATION:Nowhere');
    const lines: string[] = [];
    const device = await world.device({ log: (_level, line) => lines.push(line) });
    const idOf = (uid: string) => device.engine.shortIdOf(device.byUid(uid)!.id);
    const decided = () => lines.filter(line => line.startsWith('List '));
    assert.deepEqual(decided(), [], 'tasks that only arrive are not logged');
    return { device, idOf, decided, lines };
  };

  it('names the task that was edited on both sides', async () => {
    const { device, idOf, decided } = await deviceWithLog();
    await device.engine.updateTask(device.byUid('a')!.id, { title: 'Secret edit' });
    world.put('a', 'SUMMARY:Secret a', 'LOCATION:Somewhere');
    const id = idOf('a');
    await device.engine.sync();
    assert.deepEqual(decided(), [`List ${device.id}, task ${id}: edited here and there, merged`]);
  });

  it('does not mention an edit after one that was sent, if nobody edited the task there', async () => {
    const { device, decided } = await deviceWithLog();
    const id = await device.engine.createTask(device.id, { title: 'Secret new' });
    for (const title of ['Secret new', 'Secret edit', 'Secret edit again']) {
      await device.engine.updateTask(id, { title });
      await device.engine.sync();
    }
    assert.deepEqual(decided(), []);
    assert.match([...world.list.items.values()].map(({ text }) => text).join(''), /SUMMARY:Secret edit again/);
  });

  it('does not log that a list waits for the user if its tasks were moved to a list that is read later', async () => {
    const other = world.server.addList('zother');
    const uids = Array.from({ length: 12 }, (_, at) => `t${at}`);
    for (const uid of uids) world.put(uid, `SUMMARY:Secret ${uid}`);
    const { device, decided } = await deviceWithLog();
    for (const uid of uids) {
      world.list.remove(`${uid}.ics`);
      other.put(`${uid}.ics`, todoText(uid, `SUMMARY:Secret ${uid}`));
    }
    assert.equal((await world.report(device.engine)).error, null);
    assert.deepEqual(
      decided().filter(line => line.includes('waits for the user')),
      [],
    );
  });

  it('names the task that was deleted there, and the one that came back', async () => {
    const { device, idOf, decided, lines } = await deviceWithLog();
    const [a, b] = [idOf('a'), idOf('b')];
    await device.engine.deleteTask(device.byUid('a')!.id);
    world.put('a', 'SUMMARY:Secret a', 'LOCATION:Somewhere');
    world.list.remove('b.ics');
    await device.engine.sync();
    assert.deepEqual(
      decided().toSorted(),
      [
        `List ${device.id}, task ${a}: deleted here, edited there, brought back`,
        `List ${device.id}, task ${b}: deleted there, moved to the trash`,
      ].toSorted(),
    );
    assert.deepEqual(
      lines.filter(line => /secret|nowhere/i.test(line)),
      [],
    );
  });

  it('reports what became of a task that was edited here and is gone there', async () => {
    const { device, idOf, decided } = await deviceWithLog();
    await device.engine.updateTask(device.byUid('a')!.id, { title: 'Secret edit' });
    world.list.remove('a.ics');
    const id = idOf('a');
    await device.engine.sync();
    assert.deepEqual(decided(), [`List ${device.id}, task ${id}: edited here, deleted there, created there again`]);
  });

  it('names ten tasks of one decision and counts the others', () => {
    const decisions: Decisions = new Map();
    for (let at = 0; at < 12; at++) noteDecision(decisions, 3, 'deleted there', `task ${at}`);
    noteDecision(decisions, 3, undefined, 'unsaid');
    noteDecision(decisions, 4, 'gone there');
    const [tasks, list, ...more] = decisionLines(decisions);
    assert.match(tasks!, /^List 3, tasks (dl-[a-z\d]{4}, ){9}dl-[a-z\d]{4} and 2 more: deleted there$/);
    assert.deepEqual([list, more], ['List 4: gone there', []]);
  });
});
