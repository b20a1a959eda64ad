import assert from 'node:assert/strict';
import type { Hook } from '../support/server';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

/** SOGo does this: tags and tokens are the second of the last change, and a report's token is one second older. */
describe('a server whose change tags count seconds', () => {
  const world = aWorld();
  let now: number;
  /** The second of each change. */
  let changes: number[];
  beforeEach(() => {
    now = Date.UTC(2026, 10, 21, 9, 30) / 1000;
    changes = [];
    world.list.namesReports = true;
    world.list.components = ['VEVENT', 'VFREEBUSY', 'VTODO'];
    world.server.hook = inSeconds;
  });
  const put = (uid: string) => {
    world.list.put(`${uid}.ics`, todoText(uid, `SUMMARY:${uid}`));
    changes.push(now);
    world.list.ctag = `${now}`;
  };
  const inSeconds: Hook = (request, next) => {
    const isReport = request.method === 'REPORT';
    const token = /(<[\w:]*sync-token[^>]*>)(\d+)</.exec(request.body);
    // Resources that changed in the second of the token are named, too.
    const from = changes.findIndex(at => at >= Number(token?.[2]));
    if (token)
      Object.assign(request, {
        body: request.body.replace(
          token[0],
          `${token[1]}http://sync.example/${from < 0 ? world.list.log.length : from}<`,
        ),
      });
    const answer = next();
    const body = answer.body?.replace(/http:\/\/sync\.example\/(\d+)/g, (_token, count: string) => {
      const last = changes[Number(count) - 1]!;
      return `${isReport ? last - 1 : last}`;
    });
    return { ...answer, body, headers: { ...answer.headers, date: new Date(now * 1000).toUTCString() } };
  };
  const requests = () => {
    const methods = world.server.requests.map(({ method }) => method);
    world.server.forget();
    return methods;
  };

  it('gets only a report right after the first sync, and one request later', async () => {
    put('first');
    now++;
    const device = await world.device();
    const sync = async () => {
      await device.engine.sync();
      return requests();
    };
    now++;
    assert.deepEqual(await sync(), ['PROPFIND', 'REPORT']);
    now += 10;
    await sync();
    assert.deepEqual(await sync(), ['PROPFIND']);
  });

  it('loses nothing that changes in the second of a sync', async () => {
    put('first');
    const device = await world.device();
    for (const uid of ['second', 'third']) {
      put(uid);
      await device.sync();
      put(`${uid}-later`);
      await device.sync();
      now++;
    }
    assert.deepEqual(device.titles(), ['first', 'second', 'second-later', 'third', 'third-later']);
  });
});
