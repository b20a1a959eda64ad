import assert from 'node:assert/strict';
import { plainMessage } from '../../../src/core/kernel/message';
import type { Account } from '../../../src/core/kernel/model';
import { syncMessage } from '../../../src/sync/messages';
import { RemoteError, type RemoteErrorKind } from '../../../src/sync/remote/remote';
import { backoffAfter, mustWait, stateOf } from '../../../src/sync/state/backoffState';
import { pick } from '../../support/pick';

const now = Date.UTC(2026, 10, 21, 9, 30);
const here = { now, random: 0.5, credentials: 'hash' };
const account = { id: 1, displayName: 'Cloud', lastSyncAt: now, lastSyncError: 'It failed.' } as Account;

describe('the backoff state of an account', () => {
  const failed = (kind: RemoteErrorKind, details = {}) =>
    backoffAfter({ failures: 2 }, new RemoteError(kind, 'x', details), false, here);

  it('is empty after a successful sync', () => {
    const found = backoffAfter({ failures: 3, nextTry: now }, undefined, false, here);
    assert.deepEqual(Object.values(found), Array(5).fill(undefined));
  });

  it('records what failed, how often, and when to try again', () => {
    const found = failed('offline');
    assert.deepEqual(pick(found, 'trouble', 'failures'), { trouble: 'offline', failures: 3 });
    assert.ok(found.nextTry! > now);
    assert.equal(backoffAfter({}, undefined, true, here).trouble, 'lists');
    assert.equal(backoffAfter({}, new Error('odd'), false, here).trouble, 'server');
  });

  it('waits as long as the server asks', () => {
    const found = failed('busy', { retryAfterMs: 50 * 60_000 });
    assert.deepEqual(pick(found, 'retryAt', 'nextTry'), { retryAt: now + 50 * 60_000, nextTry: now + 50 * 60_000 });
  });

  it('keeps its code and arguments, as long as the account has the same error', () => {
    const error = syncMessage('busy', 'cloud.example.com', 503);
    assert.deepEqual(stateOf({ ...account, lastSyncError: error.text }, { error }).error, error);
    assert.deepEqual(stateOf(account, { error }).error, plainMessage('It failed.'));
    assert.deepEqual(stateOf(account, {}).error, plainMessage('It failed.'));
  });

  it('does not retry refused credentials', () => {
    const found = failed('auth');
    assert.equal(mustWait(found, now + 86_400_000, 'hash'), true);
    assert.equal(mustWait({ ...found, nextTry: undefined }, now, 'another'), false);
    const without = backoffAfter({}, new RemoteError('auth', 'x'), false, { ...here, credentials: undefined });
    assert.equal(mustWait({ refusedCredentials: without.refusedCredentials }, now, undefined), true);
  });

  it('ignores waits of more than an hour: the clock was set back', () => {
    assert.equal(mustWait({ nextTry: now + 60_000 }, now, 'hash'), true);
    assert.equal(mustWait({ nextTry: now + 86_400_000 }, now, 'hash'), false);
  });

  it('distinguishes temporary errors from those that need the user', () => {
    const cases: readonly (readonly [
      trouble: RemoteErrorKind | 'lists' | undefined,
      shown: string,
      remedy: string | null,
    ])[] = [
      [undefined, 'waiting', null],
      ['offline', 'waiting', null],
      ['busy', 'waiting', null],
      ['auth', 'action', 'password'],
      ['tls', 'action', 'certificate'],
      ['redirect', 'action', null],
      ['server', 'failing', null],
      ['lists', 'failing', null],
    ];
    for (const [trouble, problem, remedy] of cases) {
      const state = stateOf(account, { trouble });
      assert.deepEqual(pick(state, 'problem', 'remedy'), { problem, remedy }, trouble);
    }
    const fine = stateOf({ ...(account as object), lastSyncError: null } as never, { trouble: 'auth' });
    assert.deepEqual(pick(fine, 'problem', 'remedy'), { problem: 'none', remedy: null });
  });
});
