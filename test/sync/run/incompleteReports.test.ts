import assert from 'node:assert/strict';
import { calendar } from '../support/texts';
import { aWorld } from '../support/world';

describe('a server whose sync report omits what appeared and disappeared since its token, as Xandikos does', () => {
  const world = aWorld();
  beforeEach(() => {
    world.list.passesOver = true;
    world.put('other', 'SUMMARY:Other');
  });

  it('still deletes a task here that was made here and deleted there before the next sync', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Made here' });
    await device.sync();
    world.list.remove(device.engine.task(id)!.href!);
    await device.sync();
    assert.deepEqual(device.titles(), ['Other']);
    assert.deepEqual(
      (await device.engine.trash()).map(({ task }) => task.title),
      ['Made here'],
    );
  });

  it('still deletes a parent here while its subtask stays and something else changes', async () => {
    const device = await world.device();
    const parent = await device.engine.createTask(device.id, { title: 'Parent' });
    const child = await device.engine.createTask(device.id, { title: 'Child', parentId: parent });
    await device.sync();
    world.list.remove(device.engine.task(parent)!.href!);
    world.put('other', 'SUMMARY:Changed');
    await device.sync();
    assert.deepEqual(device.titles(), ['Changed', 'Child']);
    assert.equal(device.engine.task(child)?.parentId, null);
  });

  it('gets no more requests if everything is named or nothing was sent', async () => {
    const device = await world.device();
    await device.engine.createTask(device.id, { title: 'Made here' });
    await device.sync();
    world.server.forget();
    await device.sync();
    assert.equal(world.server.requests.length, 3, 'the lists, a report, and the server’s text of what was sent');
    world.server.forget();
    await device.sync();
    assert.equal(world.server.requests.length, 1);
  });
});

describe('a change report that includes texts', () => {
  const world = aWorld();
  const requests = () => world.server.sent('REPORT', 'multiget');
  const reports = () => world.server.sent('REPORT', 'sync-collection');
  const isReport = ({ body }: { body: string }) => body.includes('sync-collection');
  const wantsTexts = ({ body }: { body: string }) => isReport({ body }) && body.includes('calendar-data');

  beforeEach(() => {
    for (const uid of ['one', 'two', 'three']) world.put(uid, `SUMMARY:${uid}`);
  });

  const change = () => {
    world.put('one', 'SUMMARY:One; & <changed>', 'X-OWN;X-P=1:kept');
    world.put('four', 'SUMMARY:four');
    world.list.remove('two.ics');
  };
  const titles = ['One; & <changed>', 'four', 'three'];

  it('returns them in two requests, page by page, and the texts count as the server’s', async () => {
    world.list.reportsTexts = true;
    const device = await world.device();
    change();
    await device.sync();
    assert.equal(world.server.requests.length, 2, 'the lists and the report');
    assert.deepEqual(device.titles().toSorted(), titles.toSorted());
    world.list.pageSize = 1;
    world.put('three', 'SUMMARY:three again');
    world.put('four', 'SUMMARY:four again');
    await device.sync();
    assert.deepEqual(device.titles().toSorted(), ['One; & <changed>', 'four again', 'three again']);
    assert.deepEqual(requests(), []);
    await device.engine.updateTask(world.titled(device, 'One; & <changed>').id, { title: 'Edited here' });
    await device.sync();
    assert.ok(world.list.get('one.ics').includes('X-OWN;X-P=1:kept'));
    assert.deepEqual(requests(), []);
  });

  it('makes no further request for what it returned; only the others are fetched', async () => {
    world.list.reportsTexts = 'one';
    const device = await world.device();
    change();
    await device.sync();
    assert.deepEqual(device.titles().toSorted(), titles.toSorted());
    assert.equal(requests().length, 1);
    assert.ok(requests()[0]!.body.includes('four.ics') && !requests()[0]!.body.includes('one.ics'));
  });

  for (const status of [400, 403, 413, 500, 501])
    it(`is requested without them after a refusal with ${status}, from then on`, async () => {
      const device = await world.device();
      world.server.hook = request => (wantsTexts(request) ? { status } : undefined);
      change();
      await device.sync();
      assert.deepEqual(device.titles().toSorted(), titles.toSorted());
      assert.equal(reports().length, 2);
      world.server.forget();
      world.put('five', 'SUMMARY:five');
      await device.sync();
      assert.deepEqual(reports().filter(wantsTexts), []);
      assert.ok(device.byUid('five'));
    });

  it('is requested without them after a cut connection, so that batches return what is too much at once', async () => {
    world.list.reportsTexts = true;
    const device = await world.device();
    world.server.hook = request => (wantsTexts(request) ? 'cut' : undefined);
    change();
    assert.notEqual((await world.report(device.engine)).error, null);
    assert.equal((await world.report(device.engine)).error, null);
    assert.deepEqual(device.titles().toSorted(), titles.toSorted());
  });

  it('names events, too, in a list that has them: they become no rows, and are fetched no more often than before', async () => {
    world.list.reportsTexts = true;
    world.list.components = ['VTODO', 'VEVENT'];
    const device = await world.device();
    change();
    world.list.put('event.ics', calendar(['BEGIN:VEVENT', 'UID:event', 'DTSTAMP:20261120T080000Z', 'END:VEVENT']));
    await device.sync();
    assert.deepEqual(device.titles().toSorted(), titles.toSorted());
    assert.equal(world.server.requests.length, 2);
    world.server.forget();
    await device.sync();
    assert.equal(world.server.requests.length, 1);
  });

  it('assigns a text the tag beside it if a task is named twice', async () => {
    world.list.reportsTexts = true;
    const device = await world.device();
    world.server.hook = (request, next) => {
      if (!wantsTexts(request)) return undefined;
      const answer = next();
      const twice = /<D:response>.*?one\.ics.*?<\/D:response>/s.exec(answer.body!)![0];
      const bare = twice.replace(/<C:calendar-data>.*<\/C:calendar-data>/s, '');
      return { ...answer, body: answer.body!.replace(twice, twice.replace(/changed/g, 'outdated') + bare) };
    };
    change();
    await device.sync();
    assert.deepEqual(device.titles().toSorted(), titles.toSorted());
    assert.equal(requests().length, 1);
  });
});
