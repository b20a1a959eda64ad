import assert from 'node:assert/strict';
import { multistatus, withProps, withStatus } from '../support/serverLists';
import { aWorld } from '../support/world';

/** Stalwart is such a server, with 2,000 resources in an answer. */
describe('a list that is too long for one response of its server', () => {
  const world = aWorld();
  const limit = 10;
  const count = 25;

  /** A calendar-query ends with 507 (RFC 4918 11.5) after the limit; a change report has pages (RFC 6578 3.6). */
  const limitAnswers = (refusedToken = '') => {
    const { list, server } = world;
    list.namesReports = true;
    list.pageSize = limit;
    server.hook = ({ method, body }) => {
      if (method !== 'REPORT' || body.includes('text-match')) return undefined;
      if (refusedToken !== '' && body.includes(`>${refusedToken}<`)) return { status: 403 };
      if (!body.includes('calendar-query')) return undefined;
      const texts = body.includes('calendar-data');
      const first = [...list.items].slice(0, limit).map(([href, { etag, text }]) => {
        const data = texts ? `<C:calendar-data>${text}</C:calendar-data>` : '';
        return withProps(href, `<D:getetag>${etag}</D:getetag>${data}`);
      });
      return multistatus(...first, withStatus(list.path, 507));
    };
  };
  const put = () => {
    for (let at = 0; at < count; at++) world.put(`t${at}`, `SUMMARY:Task ${at}`);
  };

  it('is complete after the first sync', async () => {
    put();
    limitAnswers();
    const engine = await world.devices.open(world.server);
    const report = await engine.sync();
    assert.equal(report.accounts[0]!.error, null);
    assert.equal(world.devices.list(engine, 'tasks').rows().length, count);
  });

  it('follows its server after its token was refused', async () => {
    put();
    const device = await world.device();
    const { syncToken } = world.devices.storeOf(device.engine).list(device.id)!;
    world.put('t24', 'SUMMARY:Edited');
    world.put('new', 'SUMMARY:New');
    world.list.remove('t23.ics');
    limitAnswers(syncToken!);
    await device.engine.sync();
    assert.equal(device.byUid('t24')!.title, 'Edited');
    assert.equal(device.byUid('new')?.title, 'New');
    assert.equal(device.byUid('t23'), undefined);
    assert.equal(device.rows().length, count);
  });
});
