import assert from 'node:assert/strict';
import { Authenticator, parseChallenges } from '../../../src/sync/dav/auth';

describe('the challenges of a server', () => {
  const http = new URL('http://a.example/x?y=1');
  const https = new URL('https://a.example/');
  const digest = (more = '') => `Digest realm="r", nonce="n"${more}`;

  it('are answered with a session hash, and without a quality of protection', () => {
    for (const algorithm of ['MD5-sess', 'SHA-256-sess', 'MD5']) {
      const auth = new Authenticator({ username: 'anna', password: 'x' });
      assert.equal(auth.answer(digest(`, algorithm=${algorithm}`), undefined, http), true);
      const header = auth.header('GET', http)!;
      assert.match(header, /response="[0-9a-f]+"/);
      assert.match(header, /uri="\/x\?y=1"/);
      assert.doesNotMatch(header, /qop=|opaque=/);
    }
    const bare = new Authenticator({ username: 'anna', password: 'x' });
    assert.equal(bare.answer('Digest opaque="o"', undefined, http), true);
    assert.match(bare.header('GET', http)!, /realm="", nonce="".*opaque="o"/);
  });

  it('are answered by a supported scheme: no unknown hash, and no Basic over http if there is another', () => {
    const auth = new Authenticator({ username: 'anna', password: 'x' });
    assert.equal(auth.answer(digest(', algorithm=SHA-512'), undefined, https), false);
    assert.equal(auth.answer(`${digest()}, Basic realm="r"`, undefined, https), true);
    assert.equal(auth.scheme, 'basic');
    assert.equal(auth.answer('Basic realm="r"', auth.header('GET', https), https), false);
    assert.equal(auth.insist(), false);
  });

  it('replace a bearer token remembered for an account that has a username now', () => {
    assert.equal(new Authenticator({ username: 'anna', password: 'x' }, 'bearer').scheme, undefined);
    assert.equal(new Authenticator({ username: 'anna', password: 'x' }, 'digest').header('GET', http), undefined);
  });

  it('are all read from one header', () => {
    const found = parseChallenges('Basic realm="a, b", Digest realm="c", nonce="d"');
    assert.deepEqual(
      found.map(({ scheme, params }) => ({ scheme, realm: params.get('realm') })),
      [
        { scheme: 'basic', realm: 'a, b' },
        { scheme: 'digest', realm: 'c' },
      ],
    );
    assert.deepEqual(parseChallenges(`${'a'.repeat(1_000_000)}!`), []);
  });
});
