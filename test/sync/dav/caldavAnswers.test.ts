import assert from 'node:assert/strict';
import { Authenticator } from '../../../src/sync/dav/auth';
import { CaldavAccount } from '../../../src/sync/dav/caldavAccount';
import { mayReceiveCredentials } from '../../../src/sync/dav/credentialScope';
import { HttpClient, type HttpOptions } from '../../../src/sync/dav/httpClient';
import { parseMultistatus } from '../../../src/sync/dav/multistatus';
import type { RemoteError } from '../../../src/sync/remote/remote';
import { unnoted } from '../support/remoteContract';
import { type Answer, AServer, type Hook } from '../support/server';
import { multistatus, withProps, withStatus, withText } from '../support/serverLists';
import { todoText } from '../support/texts';

const type = (...names: string[]) =>
  `<D:resourcetype><D:collection/>${names.map(name => `<${name}/>`).join('')}</D:resourcetype>`;
const etag = (value: string) => `<D:getetag>${value}</D:getetag>`;

describe('a CalDAV server’s responses', () => {
  let server: AServer;
  let account: CaldavAccount;
  beforeEach(async () => {
    server = await AServer.start();
    server.addList('tasks');
    account = accountAt();
  });
  afterEach(() => server.stop());

  function accountAt(more: Partial<HttpOptions> = {}, calendarUrl: string | null = null): CaldavAccount {
    const auth = new Authenticator({ username: server.username, password: server.password });
    const http = new HttpClient({ fetch, home: new URL(server.url).origin, auth, ...more });
    const homes = calendarUrl === null ? [`${server.url}home/`] : [];
    return new CaldavAccount(http, { homes, calendarUrl });
  }

  /** Answers one method in its own way, everything else as usual. */
  const answering = (method: string, answer: Answer | ((path: string) => Answer | undefined)): Hook => {
    return request =>
      request.method !== method ? undefined : typeof answer === 'function' ? answer(request.path) : answer;
  };

  it('prove nothing about a write if they are far longer than any', async () => {
    const response = withStatus('/home/tasks/a.ics', 412);
    server.hook = answering('PUT', multistatus(response, `<D:x>${'y'.repeat(2 ** 20)}</D:x>`));
    const put = account.collection({ href: '/home/tasks/' }).put('/home/tasks/a.ics', todoText('a'), 'absent');
    await assert.rejects(put, ({ kind, details }: RemoteError) => kind === 'protocol' && details.unsure === true);
  });

  it('are final at the second refusal of one login, even if each calls the nonce stale', async () => {
    const stale = { 'www-authenticate': 'Digest realm="a", nonce="n", qop="auth", stale=true' };
    server.hook = () => (server.requests.length > 9 ? 'cut' : { status: 401, headers: stale });
    await assert.rejects(account.lists(), { kind: 'auth' });
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization?.split(' ')[0]),
      [undefined, 'Digest'],
    );
  });

  describe('about lists', () => {
    const shown = async (props: string, headers: Record<string, string> = {}) => {
      const answer = multistatus(withProps('/home/x/', props));
      server.hook = answering('PROPFIND', { ...answer, headers: { ...answer.headers, ...headers } });
      return (await account.lists())[0];
    };

    it('have four times as long as those about one list, because a server may read through everything', async () => {
      const list = withProps('/home/x/', type('C:calendar'));
      const late: typeof fetch = (_url, init) =>
        new Promise((resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          setTimeout(() => resolve(new Response(multistatus(list).body, { status: 207 })), 100);
        });
      const slow = accountAt({ timeoutMs: 50, fetch: late });
      assert.equal((await slow.lists()).length, 1);
      await assert.rejects(slow.list('/home/x/'), { kind: 'timeout' });
    });

    it('omit folders, subscriptions and calendars of events', async () => {
      assert.equal(await shown(type()), undefined);
      assert.equal(await shown(type('C:calendar', 'S:subscribed')), undefined);
      const events = '<C:supported-calendar-component-set><C:comp name="vevent"/></C:supported-calendar-component-set>';
      assert.equal(await shown(type('C:calendar') + events), undefined);
    });

    it('are used as they are, with the address for a missing name', async () => {
      const props = `${type('C:calendar')}<A:calendar-order>3</A:calendar-order><A:calendar-color>#ff0000</A:calendar-color>
        <D:owner><D:href>/them/</D:href></D:owner><S:getctag>c1</S:getctag>
        <D:supported-report-set><D:sync-collection/></D:supported-report-set>`;
      const list = await shown(props);
      assert.deepEqual(list, {
        ...list,
        name: 'x',
        order: 3,
        owner: '/them/',
        ctag: 'c1',
        syncToken: null,
        canReportChanges: true,
        isTasksOnly: false,
      });
      assert.equal((await shown(`${type('C:calendar')}<A:calendar-order>soon</A:calendar-order>`))?.order, null);
    });

    it('are not trusted for a tag that only contains the present second', async () => {
      const seconds = Date.UTC(2026, 10, 21, 9, 30) / 1000;
      const date = { date: new Date(seconds * 1000).toUTCString() };
      const tags = (at: number) =>
        `${type('C:calendar')}<S:getctag>${at}</S:getctag><D:sync-token>${at}</D:sync-token>`;
      const fresh = await shown(tags(seconds), date);
      // A report from before it is safe to start from.
      assert.deepEqual(fresh, { ...fresh, ctag: null, syncToken: String(seconds - 3), isChanging: true });
      const old = await shown(tags(seconds - 60), date);
      assert.deepEqual(old, { ...old, ctag: String(seconds - 60), syncToken: String(seconds - 60) });
      assert.equal(old?.isChanging, undefined);
    });

    it('are repaired if a server escaped a name twice', async () => {
      const name = '<D:displayname>R&amp;amp;D &amp;lt;new&amp;gt;</D:displayname>';
      assert.equal((await shown(type('C:calendar') + name))?.name, 'R&D <new>');
    });

    it('determine who may write', async () => {
      const rights = (...names: string[]) =>
        `<D:current-user-privilege-set>${names.map(name => `<D:privilege><D:${name}/></D:privilege>`).join('')}</D:current-user-privilege-set>`;
      assert.equal((await shown(type('C:calendar') + rights('read')))?.isReadOnly, true);
      assert.equal((await shown(type('C:calendar') + rights('read', 'bind')))?.isReadOnly, false);
      assert.equal((await shown(type('C:calendar') + rights()))?.isReadOnly, false);
    });

    it('contain the one calendar of an account without a home', async () => {
      const lists = await accountAt({}, `${server.url}home/tasks/`).lists();
      assert.deepEqual(
        lists.map(({ name }) => name),
        ['tasks'],
      );
      await assert.rejects(accountAt({}, `${server.url}home/tasks/`).createList({ name: 'x', color: 0 }, unnoted), {
        kind: 'unsupported',
      });
    });

    it('distinguish a list that is gone from one that is no longer a task list', async () => {
      assert.equal(await account.list('/home/none/'), undefined);
      server.hook = answering('PROPFIND', multistatus(withStatus('/home/tasks/', 404)));
      assert.equal(await account.list('/home/tasks/'), undefined);
      server.hook = answering('PROPFIND', multistatus(withProps('/home/tasks/', type())));
      await assert.rejects(account.list('/home/tasks/'), { kind: 'rejected' });
      server.hook = answering('PROPFIND', multistatus());
      await assert.rejects(account.list('/home/tasks/'), { kind: 'protocol' });
    });
  });

  describe('about a new list', () => {
    it('make the client use MKCOL if there is no other way', async () => {
      server.hook = request => {
        if (request.method === 'MKCALENDAR') return { status: 501 };
        if (request.method !== 'MKCOL') return undefined;
        server.addList('made', {}, request.path);
        return { status: 201 };
      };
      const href = await account.createList({ name: 'Made', color: -1 }, unnoted);
      // The requested name and color had been ignored.
      assert.equal(server.lists.get(href)?.name, 'Made');
    });

    it('lead to another address if one is taken, then to an error', async () => {
      const tried = new Set<string>();
      server.hook = answering('MKCALENDAR', path => (tried.add(path).size === 1 ? { status: 409 } : undefined));
      await account.createList({ name: 'Second', color: -1 }, unnoted);
      assert.equal(tried.size, 2);
      server.hook = answering('MKCALENDAR', { status: 409 });
      await assert.rejects(account.createList({ name: 'Third', color: -1 }, unnoted), { kind: 'rejected' });
      server.hook = answering('MKCALENDAR', { status: 403 });
      await assert.rejects(account.createList({ name: 'Fourth', color: -1 }, unnoted), { kind: 'rejected' });
    });

    it('can refuse a change as a whole or in part', async () => {
      const change = () => account.updateList('/home/tasks/', { name: 'x', color: -1 });
      server.hook = answering('PROPPATCH', { status: 200 });
      await assert.rejects(change());
      server.hook = answering('PROPPATCH', multistatus(withStatus('/home/tasks/', 403)));
      await assert.rejects(change(), { kind: 'rejected' });
      server.hook = answering('PROPPATCH', multistatus());
      await assert.rejects(change());
      server.hook = answering('PROPPATCH', multistatus(withProps('/home/tasks/', '<D:displayname/>')));
      assert.deepEqual(await change(), ['color']);
    });

    it('mean that the list is gone, whether it existed or not', async () => {
      await account.deleteList('/home/tasks/', new Map(), new Set());
      await account.deleteList('/home/tasks/', new Map(), new Set());
      assert.equal(server.lists.size, 0);
      server.addList('tasks');
      server.hook = answering('DELETE', { status: 500 });
      await assert.rejects(account.deleteList('/home/tasks/', new Map(), new Set()), { kind: 'server' });
    });
  });

  describe('about the tasks of a list', () => {
    const tasks = () => account.collection({ href: '/home/tasks/' });
    const report = (...responses: string[]) => answering('REPORT', multistatus(...responses));

    it('are incomplete if the server held something back', async () => {
      const listed = (...responses: string[]) => {
        server.hook = report(...responses);
        return tasks().listing(false);
      };
      const hrefs = ({ members }: Awaited<ReturnType<typeof listed>>) => members.map(({ href }) => href);
      const isComplete = async (...others: string[]) => {
        const listing = await listed(withProps('/home/tasks/a.ics', etag('"1"')), ...others);
        assert.deepEqual(hrefs(listing), ['/home/tasks/a.ics']);
        return listing.isComplete;
      };
      assert.equal(await isComplete(), true);
      assert.equal(await isComplete(withStatus('/home/tasks/', 507)), false);
      assert.equal(await isComplete(withStatus('/home/tasks/b.ics', 404)), true);
      assert.equal(await isComplete(withStatus('/home/tasks/b.ics', 403)), false);
      assert.equal(await isComplete(withProps('/home/tasks/b.ics', '')), false);
      assert.equal(await isComplete(withProps('/home/tasks/sub/', '')), true);
      const event = `${etag('"2"')}<D:getcontenttype>text/calendar; component=vevent</D:getcontenttype>`;
      assert.equal(await isComplete(withProps('/home/tasks/b.ics', event)), true);
      const todo = `${etag('"2"')}<D:getcontenttype>text/calendar; component="VTODO"</D:getcontenttype>`;
      assert.deepEqual(hrefs(await listed(withProps('/home/tasks/b.ics', todo))), ['/home/tasks/b.ics']);
    });

    it('lead to a plain listing if a query is refused, but not if the login is', async () => {
      server.lists.get('/home/tasks/')?.put('a.ics', todoText('a'));
      server.hook = answering('REPORT', { status: 403 });
      assert.equal((await tasks().listing(true)).members.length, 1);
      server.hook = answering('REPORT', { status: 503 });
      await assert.rejects(tasks().listing(true), { kind: 'busy' });
    });

    it('distinguish changes, deletions and the rest', async () => {
      server.hook = report(
        withProps('/home/tasks/a.ics', etag('"1"')),
        withStatus('/home/tasks/a.ics', 404),
        withStatus('/home/tasks/b.ics', 410),
        withProps('/home/tasks/c.ics', ''),
        withStatus('/home/tasks', 404),
        withProps('/home/tasks/sub/', etag('"2"')),
        withStatus('/home/tasks/', 507),
      );
      assert.deepEqual(await tasks().changes('t'), {
        changed: [{ href: '/home/tasks/a.ics', etag: '"1"' }],
        gone: ['/home/tasks/b.ics'],
        token: null,
        more: true,
      });
    });

    it('lead to single requests for what a batch omits', async () => {
      const list = server.lists.get('/home/tasks/')!;
      for (const name of ['a', 'b', 'c', 'd']) list.put(`${name}.ics`, todoText(name));
      const hrefs = ['a', 'b', 'c', 'd', 'e'].map(name => `/home/tasks/${name}.ics`);
      server.hook = request => {
        if (request.method === 'REPORT') {
          const own = list.items.get('/home/tasks/a.ics')!;
          return multistatus(withText('/home/tasks/a.ics', own), withText('/home/tasks/unknown.ics', own));
        }
        if (request.method !== 'GET') return undefined;
        const weak = { status: 200, headers: { etag: 'W/"1"' }, body: todoText('b') };
        return { '/home/tasks/b.ics': weak, '/home/tasks/c.ics': { status: 403 } }[request.path];
      };
      const { items, gone, withheld } = await tasks().fetch(hrefs);
      assert.deepEqual(
        items.map(({ href, etag: tag }) => [href.at(-5), tag]),
        ['a', 'b', 'd'].map(name => [name, list.items.get(`/home/tasks/${name}.ics`)?.etag]),
      );
      assert.deepEqual(gone, ['/home/tasks/e.ics']);
      assert.deepEqual(
        withheld?.map(({ href }) => href),
        ['/home/tasks/c.ics'],
      );
      server.hook = request => (request.method === 'REPORT' ? multistatus() : { status: 500 });
      await assert.rejects(tasks().fetch(hrefs.slice(0, 1)), { kind: 'server' });
    });

    it('are useless without a tag', async () => {
      server.hook = request => {
        if (request.method === 'REPORT') return multistatus();
        if (request.method === 'GET') return { status: 200, body: todoText('a') };
        return request.method === 'PROPFIND' ? multistatus(withProps('/home/tasks/a.ics', '')) : undefined;
      };
      await assert.rejects(tasks().fetch(['/home/tasks/a.ics']), /did not send an ETag/);
    });
  });

  describe('with a redirect', () => {
    it('are followed once the user approves the other host, and remembered', async () => {
      const other = await AServer.start();
      other.addList('tasks');
      try {
        server.hook = answering('PROPFIND', { status: 307, headers: { location: `${other.url}home/` } });
        await assert.rejects(account.lists(), { kind: 'redirect' });
        const origins: string[] = [];
        const approving = accountAt({ approve: async origin => origins.push(origin) > 0 });
        assert.equal((await approving.lists()).length, 1);
        assert.equal((await approving.lists()).length, 1);
        assert.deepEqual(origins, [new URL(other.url).origin]);
      } finally {
        await other.stop();
      }
    });

    it('are errors if they lead nowhere', async () => {
      server.hook = answering('PROPFIND', { status: 302, headers: { location: 'http://[' } });
      await assert.rejects(account.lists(), { kind: 'protocol' });
      server.hook = answering('PROPFIND', { status: 303, headers: { location: '/elsewhere' } });
      await assert.rejects(account.lists(), { kind: 'protocol' });
    });

    it('are not asked about once the sync is canceled', async () => {
      await assert.rejects(accountAt({ signal: AbortSignal.abort() }).lists(), { kind: 'cancelled' });
      const stop = new AbortController();
      server.hook = () => {
        stop.abort();
        return new Promise(() => {});
      };
      await assert.rejects(accountAt({ signal: stop.signal }).lists(), { kind: 'cancelled' });
    });
  });

  it('must be WebDAV', () => {
    assert.throws(() => parseMultistatus('<html/>'), { kind: 'protocol' });
    const [bare] = parseMultistatus(
      '<multistatus xmlns="DAV:"><response><propstat/></response></multistatus>',
    ).responses;
    assert.equal(bare?.href, '');
    assert.equal(bare?.status, undefined);
    assert.equal(bare?.props.size, 0);
  });
});

describe('credentials', () => {
  const may = (to: string, from: string) => mayReceiveCredentials(to, from, new Set(['https://approved.example']));

  it('are sent where the user said, to the same owner, and nowhere else', () => {
    const cases: readonly (readonly [to: string, from: string, may: boolean])[] = [
      ['https://a.example', 'https://a.example', true],
      ['https://approved.example', 'https://a.example', true],
      ['https://dav.a.example', 'https://a.example', true],
      ['https://b.example', 'https://a.example', false],
      ['http://a.example', 'https://a.example', false],
      ['https://a.example', 'http://a.example', true],
      ['https://a.example:8443', 'http://a.example', false],
      ['https://dav.a.co.uk', 'https://a.co.uk', true],
      ['https://b.co.uk', 'https://a.co.uk', false],
      ['https://co.uk', 'https://a.co.uk', false],
      ['https://b.duckdns.org', 'https://a.duckdns.org', false],
      ['https://dav.a.duckdns.org', 'https://a.duckdns.org', true],
      ['https://nx2.your-storageshare.de', 'https://nx1.your-storageshare.de', false],
      ['https://b.me.uk', 'https://a.me.uk', false],
      ['https://caldav.web.de', 'https://web.de', true],
      ['https://10.0.0.2', 'https://10.0.0.1', false],
      ['https://[::1]:8443', 'https://[::1]', false],
      ['https://cloud', 'https://nas', false],
    ];
    for (const [to, from, expected] of cases) assert.equal(may(to, from), expected, `${from} → ${to}`);
  });
});
