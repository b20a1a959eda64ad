import assert from 'node:assert/strict';
import { calendar, todo, todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('large texts of a server', () => {
  const world = aWorld();
  const occurrences = (count: number) =>
    calendar(
      todo('many', 'SUMMARY:Many', 'DTSTART:20000101T080000Z', 'RRULE:FREQ=DAILY'),
      ...Array.from({ length: count }, (_, at) => {
        const day = new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10).replaceAll('-', '');
        return todo('many', `RECURRENCE-ID:${day}T080000Z`, `DTSTART:${day}T080000Z`, 'STATUS:COMPLETED');
      }),
    );
  const large: readonly (readonly [string, () => string])[] = [
    ['more than 10,000 occurrences of its own', () => occurrences(10_000)],
    ['more than 16 MB', () => todoText('many', 'SUMMARY:Many', `DESCRIPTION:${'x'.repeat(16 * 2 ** 20)}`)],
  ];

  for (const [content, text] of large)
    it(`with ${content} are skipped and reported once, and the other tasks are stored`, async () => {
      world.list.put('many.ics', text());
      world.put('t', 'SUMMARY:Task');
      const engine = await world.devices.open(world.server);
      const { titles } = world.devices.list(engine, 'tasks');
      const { error, notices } = await world.report(engine);
      assert.equal(error, null);
      assert.deepEqual(
        notices.map(({ kind, listName, count }) => [kind, listName, count]),
        [['tooLarge', 'tasks', 1]],
      );
      assert.deepEqual(titles(), ['Task']);
      world.put('u', 'SUMMARY:Later');
      world.server.forget();
      assert.deepEqual((await world.report(engine)).notices, []);
      assert.deepEqual(titles(), ['Later', 'Task']);
      assert.deepEqual(world.server.sent('REPORT', 'many.ics'), []);
      assert.equal(world.list.items.size, 3);
    });

  it('that become too large leave the known task as it is, and the error says what to do', async () => {
    world.list.put('many.ics', occurrences(0));
    const { engine, byUid } = await world.device();
    const { id } = byUid('many')!;
    world.list.put('many.ics', occurrences(10_000));
    const { error, rowErrors } = await world.report(engine);
    assert.equal(error, null);
    assert.deepEqual(
      rowErrors.map(({ taskId }) => taskId),
      [id],
    );
    assert.match(rowErrors[0]!.message, /too large.*10,000.*smaller/);
    assert.equal(byUid('many')?.title, 'Many');
  });

  it('are stored in steps of a megabyte, however few tasks that is', async () => {
    for (let at = 0; at < 8; at++) world.put(`t${at}`, `SUMMARY:Task ${at}`, `DESCRIPTION:${'x'.repeat(300_000)}`);
    const engine = await world.devices.open(world.server);
    const sizes: number[] = [];
    world.devices.storeOf(engine).onDidChange(({ tasks }) => tasks.length > 0 && sizes.push(tasks.length));
    await engine.sync();
    assert.deepEqual(sizes, [3, 3, 2]);
  });
});
