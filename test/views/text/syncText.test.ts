import assert from 'node:assert/strict';
import type { Account } from '../../../src/core/kernel/model';
import type { AccountState } from '../../../src/core/sync/syncState';
import { useWords } from '../../../src/shared/l10n';
import { accountFlags, accountNames, accountWording } from '../../../src/ui/text/syncText';

const now = Date.UTC(2026, 10, 21, 12);
const minutes = (count: number) => count * 60_000;
const state = (more: Partial<AccountState> = {}): AccountState => ({
  accountId: 1,
  lastSyncAt: now - minutes(4),
  error: null,
  problem: 'none',
  remedy: null,
  retryAt: null,
  nextTry: null,
  ...more,
});
const failed = { error: { text: 'x', code: null, args: [] } } as unknown as Partial<AccountState>;

describe('the text about an account', () => {
  beforeEach(() => useWords(undefined, 'en-US'));

  for (const [away, words] of [
    [0, 'last synced now'],
    [minutes(4), 'last synced 4 minutes ago'],
    [minutes(59.9), 'last synced 59 minutes ago'],
    [minutes(180), 'last synced 3 hours ago'],
    [minutes(60 * 24), 'last synced yesterday'],
    [minutes(60 * 24 * 9), 'last synced 9 days ago'],
    [-minutes(10), 'last synced now'],
  ] as const)
    it(`shows when it was synced: ${words}`, () =>
      assert.equal(accountWording(state({ lastSyncAt: now - away }), false, now), words));

  it('shows nothing for an account that was never synced', () =>
    assert.equal(accountWording(state({ lastSyncAt: null }), false, now), undefined));

  it('shows that sync is paused, and for how long', () => {
    assert.equal(accountWording(state(), true, now), 'paused · last synced 4 minutes ago');
    assert.equal(accountFlags(state(), true), 'account.paused');
  });

  it('shows what failed instead, and which button fixes it', () => {
    assert.equal(accountWording(state({ ...failed, problem: 'failing' }), false, now), 'last sync failed');
    assert.equal(accountFlags(state({ ...failed, problem: 'failing' }), false), 'account.failed');
    const refused = state({ ...failed, problem: 'action', remedy: 'password' });
    assert.equal(accountWording(refused, true, now), 'sign in again');
    assert.equal(accountFlags(refused, true), 'account.refused.paused');
  });

  it('says what it waits for', () => {
    const waiting = state({ ...failed, problem: 'waiting' });
    assert.equal(accountWording(waiting, false, now), 'waiting for the server');
    const folder = { homeSetUrl: 'file:///home/anna/tasks/' } as Account;
    assert.equal(accountWording(waiting, false, now, folder), 'waiting for the folder');
  });

  it('tells two accounts of one name apart by their usernames', () => {
    const account = (id: number, displayName: string, username: string) => ({ id, displayName, username }) as Account;
    const accounts = () => [account(1, 'Cloud', 'anna'), account(2, 'Cloud', 'ben'), account(3, 'Work', 'anna')];
    assert.deepEqual([...accountNames({ accounts }).values()], ['Cloud (anna)', 'Cloud (ben)', 'Work']);
  });
});
