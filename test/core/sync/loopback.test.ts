import assert from 'node:assert/strict';
import { isLoopback } from '../../../src/core/sync/loopback';

describe('an address of this computer', () => {
  it('is recognized by its complete host name', () => {
    const isOwn = (url: string) => isLoopback(new URL(url).hostname);
    for (const url of [
      'http://localhost:5232/',
      'http://a.localhost/',
      'http://127.0.0.1/',
      'http://127.1/',
      'http://[::1]:80/',
    ])
      assert.equal(isOwn(url), true, url);
    for (const url of [
      'http://localhost.evil/',
      'http://127.evil.com/',
      'http://127.0.0.1.evil/',
      'http://notlocalhost/',
    ])
      assert.equal(isOwn(url), false, url);
  });
});
