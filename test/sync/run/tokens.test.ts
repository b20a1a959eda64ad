import assert from 'node:assert/strict';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('sync tokens of lists that also have change tags', () => {
  const world = aWorld();
  beforeEach(() => {
    world.list.namesReports = true;
    for (let at = 0; at < 3; at++) world.put(`t${at}`, `SUMMARY:Task ${at}`);
  });

  const homeQueries = () => world.server.sent('PROPFIND', '/home/').filter(({ path }) => path === '/home/');
  const listQueries = () => world.server.sent('PROPFIND', '/home/tasks/');
  const tokenHere = () => world.devices.storeOf(engine()).list(device().id)!.syncToken;
  let opened: Awaited<ReturnType<typeof world.devices.open>>;
  const engine = () => opened;
  const device = () => world.devices.list(opened, 'tasks');

  it('are taken from Add Account by the first sync, whose report starts from them', async () => {
    opened = await world.devices.open(world.server);
    world.server.forget();
    world.put('late', 'SUMMARY:Came before the first sync');
    await device().sync();
    assert.equal(device().rows().length, 4);
    assert.deepEqual(
      homeQueries().map(({ body }) => /sync-token|getctag/.test(body)),
      [false],
    );
    assert.deepEqual(listQueries(), []);
    assert.ok(tokenHere());
    world.server.forget();
    world.put('later', 'SUMMARY:Came after it');
    await device().sync();
    assert.ok(device().byUid('later'));
    assert.ok(homeQueries().every(({ body }) => !body.includes('sync-token')));
    assert.deepEqual(
      world.server.requests.map(({ method }) => method),
      ['PROPFIND', 'REPORT', 'REPORT'],
    );
  });

  it('are tried again a day after a report failed', async () => {
    const isReport = ({ body }: { body: string }) => body.includes('sync-collection');
    world.server.hook = request => (isReport(request) ? { status: 500 } : undefined);
    opened = await world.devices.open(world.server);
    await device().sync();
    assert.equal(tokenHere(), null);
    world.server.hook = undefined;
    world.server.forget();
    world.put('next', 'SUMMARY:Next');
    await device().sync();
    assert.deepEqual(world.server.requests.filter(isReport), []);
    world.devices.clock.time += 25 * 3_600_000;
    world.put('later', 'SUMMARY:Later');
    await device().sync();
    assert.ok(tokenHere());
    assert.equal(device().rows().length, 5);
  });

  it('come with the lists if the first sync runs in another process, too', async () => {
    const folder = world.devices.folder();
    await (await world.devices.open(world.server, { folder })).close();
    opened = await world.devices.start({ folder });
    world.server.forget();
    await device().sync();
    assert.equal(device().rows().length, 3);
    assert.deepEqual(listQueries(), []);
    assert.ok(tokenHere());
  });

  describe('of a list that is new in an account that has synced', () => {
    const other = () => world.devices.list(opened, 'other');
    const otherQueries = () =>
      world.server.sent('PROPFIND', '/home/other/').filter(({ path }) => path === '/home/other/');
    const otherToken = () => world.devices.storeOf(opened).list(other().id)!.syncToken;
    let added: ReturnType<typeof world.server.addList>;

    beforeEach(async () => {
      opened = await world.devices.open(world.server);
      await device().sync();
      added = world.server.addList('other', { namesReports: true });
      added.put('a.ics', todoText('a', 'SUMMARY:In the new list'));
      world.server.forget();
    });

    it('are requested of that list alone', async () => {
      await opened.sync();
      assert.ok(homeQueries().every(({ body }) => !body.includes('sync-token')));
      assert.equal(otherQueries().length, 1);
      assert.equal(other().rows().length, 1);
      assert.ok(otherToken());
    });

    it('are not trusted if the list changed since it was listed, and nothing is missed', async () => {
      world.server.hook = ({ path, body }, next) => {
        if (path !== '/home/other/' || !body.includes('calendar-data')) return undefined;
        world.server.hook = undefined;
        const answer = next();
        added.put('b.ics', todoText('b', 'SUMMARY:Came meanwhile'));
        return answer;
      };
      await opened.sync();
      assert.equal(otherToken(), null);
      await opened.sync();
      assert.ok(other().byUid('b'));
      assert.ok(otherToken());
    });

    it('keep no task out if the server fails to give one', async () => {
      world.server.hook = ({ path, method }) =>
        path === '/home/other/' && method === 'PROPFIND' ? { status: 500 } : undefined;
      const [report] = (await opened.sync()).accounts;
      assert.equal(report!.error, null);
      assert.equal(other().rows().length, 1);
      assert.equal(otherToken(), null);
    });
  });

  it('cost a first sync no request of their own', async () => {
    opened = await world.devices.open(world.server);
    world.server.forget();
    await device().sync();
    assert.deepEqual(
      world.server.requests.map(({ method }) => method),
      ['PROPFIND', 'REPORT', 'REPORT'],
    );
    world.server.forget();
    await device().sync();
    assert.equal(world.server.requests.length, 1);
  });

  it('are used for the first report while the listed tasks are still being stored', async () => {
    opened = await world.devices.open(world.server);
    const store = world.devices.storeOf(opened);
    let isListed = false;
    const reported = new Promise<void>(resolve => {
      world.server.hook = ({ body }) => {
        isListed ||= body.includes('calendar-query');
        if (body.includes('sync-collection')) resolve();
        return undefined;
      };
    });
    const edit = store.edit.bind(store);
    const held: typeof store.edit = async (options, work) => {
      if (isListed) await reported;
      return edit(options, work);
    };
    Object.assign(store, { edit: held });
    await device().sync();
    assert.equal(device().rows().length, 3);
    assert.ok(tokenHere());
  });

  it('miss nothing that changes during the first sync or just before it', async () => {
    opened = await world.devices.open(world.server);
    world.server.hook = ({ body }, next) => {
      const isQuery = body.includes('calendar-query');
      // Created after the tags were read, and deleted after the query has returned it.
      if (isQuery) world.put('passing', 'SUMMARY:There for a moment');
      const answer = next();
      if (isQuery) world.put('after-the-query', 'SUMMARY:Put there after the query');
      if (isQuery) world.list.remove('passing.ics');
      if (body.includes('sync-collection')) world.put('after-the-report', 'SUMMARY:Put there after the report');
      return answer;
    };
    await device().sync();
    world.server.hook = undefined;
    assert.ok(device().byUid('after-the-query'));
    assert.equal(device().byUid('passing'), undefined);
    assert.equal(device().byUid('after-the-report'), undefined);
    assert.equal(world.devices.storeOf(opened).list(device().id)!.ctag, null);
    await device().sync();
    assert.ok(device().byUid('after-the-report'));
    world.server.forget();
    await device().sync();
    assert.equal(world.server.requests.length, 1);
  });

  it('are not kept if the first report fails, and the next change is listed', async () => {
    opened = await world.devices.open(world.server);
    world.server.hook = ({ body }) => (body.includes('sync-collection') ? { status: 403 } : undefined);
    await device().sync();
    assert.equal(device().rows().length, 3);
    assert.equal(tokenHere(), null);
    world.put('t1', 'SUMMARY:Edited meanwhile');
    await device().sync();
    assert.equal(device().byUid('t1')!.title, 'Edited meanwhile');
  });

  it('are older than the listing: what changed since is here in the same run', async () => {
    const folder = world.devices.folder();
    await (await world.devices.open(world.server, { folder })).close();
    opened = await world.devices.start({ folder });
    world.server.hook = ({ body }, next) => {
      if (!body.includes('calendar-data')) return undefined;
      world.server.hook = undefined;
      const answer = next();
      world.put('t1', 'SUMMARY:Edited meanwhile');
      world.list.remove('t2.ics');
      return answer;
    };
    await device().sync();
    assert.equal(device().byUid('t1')!.title, 'Edited meanwhile');
    assert.equal(device().byUid('t2'), undefined);
    assert.ok(tokenHere());
  });

  it('are requested again once a list has no change tag', async () => {
    opened = await world.devices.open(world.server);
    await device().sync();
    world.list.hasCtag = false;
    await device().sync();
    world.server.forget();
    await device().sync();
    assert.ok(homeQueries().every(({ body }) => body.includes('sync-token')));
    assert.equal(world.server.requests.length, 1);
  });
});
