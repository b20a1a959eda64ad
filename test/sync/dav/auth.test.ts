import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Authenticator, parseChallenges } from '../../../src/sync/dav/auth';

const http = new URL('http://dav.example.com/cal/');
const https = new URL('https://dav.example.com/cal/');

describe('login', () => {
  it('A4 sends user and password as UTF-8 with Basic', () => {
    const header = new Authenticator({ username: 'anna', password: 'pä€' }).header('GET', https)!;
    assert.equal(Buffer.from(header.slice('Basic '.length), 'base64').toString('utf8'), 'anna:pä€');
  });

  it('waits for a challenge over http, so that a Digest server never sees the password', () => {
    const auth = new Authenticator({ username: 'anna', password: 'x' });
    assert.equal(auth.header('GET', http), undefined);
    assert.equal(auth.answer('Basic realm="x", Digest realm="r", nonce="n", qop="auth"', undefined, http), true);
    assert.match(auth.header('GET', http)!, /^Digest /);
  });

  for (const [algorithm, hash] of [
    ['MD5', 'md5'],
    ['SHA-256', 'sha256'],
  ] as const) {
    it(`answers a Digest challenge with ${algorithm}`, () => {
      const auth = new Authenticator({ username: 'anna', password: 'pä€' });
      auth.answer(
        `Digest realm="r", nonce="n0", qop="auth,auth-int", algorithm=${algorithm}, opaque="o"`,
        undefined,
        http,
      );
      const sent = parseChallenges(auth.header('REPORT', http)!)[0]!.params;
      const digest = (text: string) => createHash(hash).update(text, 'utf8').digest('hex');
      const expected = digest(
        `${digest('anna:r:pä€')}:n0:00000001:${sent.get('cnonce')}:auth:${digest('REPORT:/cal/')}`,
      );
      assert.equal(sent.get('response'), expected);
      assert.equal(sent.get('opaque'), 'o');
      assert.equal(parseChallenges(auth.header('REPORT', http)!)[0]!.params.get('nc'), '00000002');
    });
  }

  it('tries one challenge once, and again only if the nonce was stale', () => {
    const auth = new Authenticator({ username: 'anna', password: 'x' });
    assert.equal(auth.answer('Digest realm="r", nonce="1"', undefined, http), true);
    const sent = auth.header('GET', http);
    assert.equal(auth.answer('Digest realm="r", nonce="2", stale=true', sent, http), true);
    assert.equal(auth.answer('Digest realm="r", nonce="3"', auth.header('GET', http), http), false);
  });

  it('stays with Digest over http, even if something asks for the password itself', () => {
    const basic = 'Basic realm="r"';
    const auth = new Authenticator({ username: 'anna', password: 'x' });
    auth.answer('Digest realm="r", nonce="1"', undefined, http);
    assert.equal(auth.answer(basic, auth.header('GET', http), http), false);
    assert.match(auth.header('GET', http)!, /^Digest /);
    const restarted = new Authenticator({ username: 'anna', password: 'x' }, 'digest');
    assert.equal(restarted.answer(basic, undefined, http), false);
    assert.equal(restarted.header('GET', http), undefined);
    assert.equal(restarted.answer(basic, undefined, https), true);
  });

  it('sends the password as a bearer token if there is no username', () => {
    const auth = new Authenticator({ username: '', password: 't0ken' });
    assert.equal(auth.header('GET', https), 'Bearer t0ken');
    assert.equal(auth.answer('Bearer', 'Bearer t0ken', https), false);
  });

  it('reports a token that no header can hold', () => {
    for (const password of ['t0ken\n', 't0\r\nken', 't0 ken', 'tökén', ''])
      assert.throws(() => new Authenticator({ username: '', password }).header('GET', https), {
        kind: 'auth',
        message: /line break/,
      });
  });
});
