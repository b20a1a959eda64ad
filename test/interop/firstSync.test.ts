import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTaskStore } from '../../src/store/taskStore';
import { pick } from '../support/pick';
import { EngineProcess } from '../sync/support/engineProcess';
import { calendar, todo } from '../sync/support/texts';
import { FaultProxy } from './support/faultProxy';
import { howToInstall, isInstalled, type Server, startRadicale } from './support/servers';

const many = 5_000;
const batch = 200;

describe('a first sync of 5,000 tasks from Radicale', function () {
  // Seconds on a machine at rest, minutes on one that much other work shares.
  this.timeout(600_000);
  let server: Server;
  let proxy: FaultProxy;
  let folder: string;
  /** Methods and bodies of what was asked, in order. */
  let requests: { readonly method: string; readonly body: string }[];
  let refusesWhole: boolean;

  before(async () => {
    if (!isInstalled('radicale')) throw new Error(howToInstall('radicale'));
    server = await startRadicale();
    proxy = await FaultProxy.start(server.url);
    proxy.next = () => async exchange => {
      const { method, body, forward, reply } = exchange;
      requests.push({ method, body });
      const isWhole = body.includes('calendar-query') && body.includes('calendar-data');
      reply(isWhole && refusesWhole ? { status: 507 } : await forward());
    };
    const { url, username, password } = server;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const list = `${url}${username}/large/`;
    const answer = await fetch(list, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'text/calendar; charset=utf-8' },
      body: calendar(...Array.from({ length: many }, (_, at) => todo(`many-${at}`, `SUMMARY:Task ${at}`))),
    });
    assert.equal(answer.status, 201);
    // Radicale parses every task when it is first asked about the list, which a busy machine makes last too long.
    const ask = '<propfind xmlns="DAV:"><prop><sync-token/></prop></propfind>';
    await (await fetch(list, { method: 'PROPFIND', headers: { authorization, depth: '0' }, body: ask })).text();
  });
  after(async () => {
    await proxy?.stop();
    await server?.stop();
  });
  beforeEach(() => {
    requests = [];
    folder = mkdtempSync(join(tmpdir(), 'dueline-first-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const fetched = () =>
    requests
      .filter(({ body }) => body.includes('calendar-multiget'))
      .flatMap(({ body }) => [...body.matchAll(/<d:href>([^<]+)/g)].map(([, href]) => href!));
  const wholes = () => requests.filter(({ body }) => body.includes('calendar-query') && body.includes('calendar-data'));

  async function rows() {
    const store = await openTaskStore({ folder, clock: { now: Date.now, timeZone: 'UTC' } });
    const tasks = store.selectTasks('1 = 1');
    const list = store.list(tasks[0]!.listId);
    const texts = (await store.sidecar()).entries('bases').map(([key]) => key.slice(key.indexOf(':') + 1));
    await store.close();
    return { tasks, list: list!, texts };
  }

  for (const [how, refuses] of [
    ['in one answer', false],
    ['batch by batch', true],
  ] as const) {
    it(`A9 that runs ${how} and is killed after 20 batches later fetches only the rest`, async () => {
      refusesWhole = refuses;
      const killed = new EngineProcess();
      await killed.call('open', folder);
      await killed.call('addAccount', { serverUrl: proxy.url, username: server.username, password: server.password });
      await assert.rejects(killed.call('syncAndDieAt', 20 * batch), /ended/);
      await killed.end();

      const before = await rows();
      assert.ok(before.tasks.length >= 20 * batch && before.tasks.length < many, `${before.tasks.length} were stored`);
      // The tasks that were stored last come again if their texts had not been written yet.
      const stored = new Set(before.texts);
      assert.ok(stored.size >= before.tasks.length - 4 * batch, `${stored.size} texts of ${before.tasks.length}`);
      assert.deepEqual(pick(before.list, 'syncToken', 'ctag'), { syncToken: null, ctag: null });
      requests = [];

      const again = new EngineProcess();
      try {
        await again.call('open', folder);
        const [report] = (await again.call('sync')).accounts;
        assert.deepEqual(pick(report, 'error', 'pulled'), { error: null, pulled: many - stored.size });
        assert.deepEqual(wholes(), []);
        assert.equal(fetched().length, many - stored.size);
        assert.ok(fetched().every(href => !stored.has(href)));
        requests = [];
        await again.call('sync');
        assert.deepEqual(
          requests.map(({ method }) => method),
          ['PROPFIND'],
        );
      } finally {
        await again.end();
      }
      const after = await rows();
      assert.equal(after.tasks.length, many);
      assert.equal(new Set(after.tasks.map(({ uid }) => uid)).size, many);
      assert.equal(new Set(after.tasks.map(({ href }) => href)).size, many);
      assert.ok(after.list.syncToken && after.list.ctag);
    });
  }
});
