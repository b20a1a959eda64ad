import assert from 'node:assert/strict';
import { Authenticator } from '../../../src/sync/dav/auth';
import { discover, startingPoint } from '../../../src/sync/dav/discovery';
import { HttpClient } from '../../../src/sync/dav/httpClient';
import { multistatus, withProps } from '../support/serverLists';

describe('the address that the user types', () => {
  const paths = ['/.well-known/caldav', '/remote.php/dav/', '/dav/', '/caldav/', '/'];
  const at = (origin: string) => paths.map(path => origin + path);
  const domains: string[] = [];
  const lookup = (found?: string) => async (domain: string) => {
    domains.push(domain);
    return found;
  };
  const urls = async (typed: string, found?: string) => (await startingPoint(typed, lookup(found))).urls;

  it('may be a URL, which is tried first', async () => {
    assert.deepEqual(await urls(' https://a.example/dav/cal/ '), [
      'https://a.example/dav/cal/',
      ...at('https://a.example'),
    ]);
    assert.deepEqual(await urls('a.example/cal/'), ['https://a.example/cal/', ...at('https://a.example')]);
  });

  it('may be a host or an email address, whose service is looked up', async () => {
    domains.splice(0);
    assert.deepEqual(await urls('a.example'), at('https://a.example'));
    assert.deepEqual(await urls('anna@b.example'), at('https://b.example'));
    assert.deepEqual(domains, ['a.example', 'b.example']);
    assert.deepEqual(await urls('anna@b.example', 'https://dav.b.example/'), [
      ...at('https://dav.b.example'),
      ...at('https://b.example'),
    ]);
    assert.deepEqual(await urls('b.example', 'https://dav.b.example/cal/'), [
      'https://dav.b.example/cal/',
      ...at('https://dav.b.example'),
      ...at('https://b.example'),
    ]);
  });

  it('is trusted, but what DNS adds is trusted no more than a redirect', async () => {
    const sent: string[] = [];
    const fetchIt = async (input: string | URL | Request) => {
      sent.push(new URL(String(input)).host);
      return new Response('', { status: 404 });
    };
    const tryIt = async (service: string) => {
      const start = await startingPoint('anna@b.example', lookup(service));
      const auth = new Authenticator({ username: 'anna', password: 'secret' });
      return discover(new HttpClient({ fetch: fetchIt as typeof fetch, home: start.home, auth }), start);
    };
    await assert.rejects(tryIt('https://evil.test/'), /b\.example redirects to https:\/\/evil\.test/);
    assert.deepEqual(sent, []);
    await assert.rejects(tryIt('https://dav.b.example/'));
    assert.equal(sent[0], 'dav.b.example');
  });

  it('uses no encryption on this machine only, and is not looked up there', async () => {
    domains.splice(0);
    assert.deepEqual(await urls('localhost:5232'), at('http://localhost:5232'));
    assert.deepEqual(await urls('127.0.0.1:5232/anna/'), [
      'http://127.0.0.1:5232/anna/',
      ...at('http://127.0.0.1:5232'),
    ]);
    assert.deepEqual(domains, []);
  });

  it('loses credentials and fragments', async () => {
    assert.equal((await urls('https://anna:secret@a.example/x#y'))[0], 'https://a.example/x');
  });

  it('is refused with a hint at what would work', async () => {
    for (const typed of ['ftp://a.example', 'my server', 'https://', 'a b@c d', 'http://[bad'])
      await assert.rejects(startingPoint(typed, lookup()), /is not a valid address\. Enter a server address/, typed);
  });
});

describe('the message about an invalid address', () => {
  it('contains no password, because it is logged', async () => {
    for (const typed of [
      'https://anna:se#cret@a.example/',
      'https://anna:se/cr@et@a.example/dav/',
      'anna:se cret@a.example',
      'https://anna:secret@a.example:99999/',
      ' ftp://anna:secret@a.example',
    ])
      await assert.rejects(
        startingPoint(typed, async () => undefined),
        error => {
          assert.match((error as Error).message, /…@a\.example/, typed);
          assert.doesNotMatch((error as Error).message, /anna|se\W?cr/, typed);
          return true;
        },
      );
  });
});

describe('the search for a CalDAV service', () => {
  const origin = 'https://cal.example.com';
  const homeSet = (path: string) => `<C:calendar-home-set><D:href>${path}</D:href></C:calendar-home-set>`;
  const who = (path: string) => `<D:current-user-principal><D:href>${path}</D:href></D:current-user-principal>`;
  const calendar = '<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>';
  const page = (props: string, href = '/') => new Response(multistatus(withProps(href, props)).body, { status: 207 });

  async function found(pages: Record<string, (headers: Headers) => Response>, url = `${origin}/`) {
    const fetch = async (input: string | URL | Request, init?: RequestInit) =>
      pages[new URL(String(input)).pathname]?.(new Headers(init?.headers)) ?? new Response('', { status: 404 });
    const auth = new Authenticator({ username: 'anna', password: 'secret' });
    const http = new HttpClient({ fetch: fetch as typeof globalThis.fetch, home: origin, auth });
    return discover(http, await startingPoint(url, async () => undefined));
  }

  it('goes from the principal to the homes', async () => {
    const { principalUrl, homes } = await found({
      '/': () => page(who('/me/')),
      '/me/': () => page(homeSet('/home/'), '/me/'),
    });
    assert.deepEqual({ principalUrl, homes }, { principalUrl: `${origin}/me/`, homes: [`${origin}/home/`] });
  });

  it('takes one calendar if only that is shown', async () => {
    const one = { principalUrl: null, homes: [], calendarUrl: `${origin}/shared/` };
    assert.deepEqual(await found({ '/shared/': () => page(calendar, '/shared/') }, `${origin}/shared/`), one);
    // A calendar outside of the user's own homes is what they asked for.
    const other = { '/shared/': () => page(calendar + homeSet('/home/'), '/shared/') };
    assert.deepEqual(await found(other, `${origin}/shared/`), one);
  });

  it('takes the home of a calendar inside it', async () => {
    const own = { '/home/a/': () => page(calendar + homeSet('/home/') + who('/me/'), '/home/a/') };
    const { homes, calendarUrl } = await found(own, `${origin}/home/a/`);
    assert.deepEqual({ homes, calendarUrl }, { homes: [`${origin}/home/`], calendarUrl: `${origin}/home/a/` });
  });

  it('reports that nothing was found', async () => {
    await assert.rejects(found({}), /No CalDAV service was found at cal\.example\.com/);
    await assert.rejects(found({ '/': () => page(who('/me/')), '/me/': () => page('', '/me/') }), /No CalDAV service/);
    const empty = () => new Response('<multistatus xmlns="DAV:"/>', { status: 207 });
    await assert.rejects(found({ '/': empty }), /No CalDAV service/);
  });

  it('stops if the host cannot be reached', async () => {
    const broken = () => {
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    };
    await assert.rejects(found({ '/.well-known/caldav': broken }, 'cal.example.com'), { kind: 'offline' });
  });
});
