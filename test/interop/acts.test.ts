import assert from 'node:assert/strict';
import { Acts } from './support/acts';
import type { Commit } from './support/rowTrace';

/** Steps of a sync that goes wrong: the model must not take them for what a user wanted. */
describe('the model of two devices finds a fault', () => {
  const uids = ['p', 'q', 't'];
  const rowOf = (uid: string, parent: string | null) => ({ uid, title: uid, listId: 1, parent, isSent: false });
  type Parents = Readonly<Record<string, string | null>>;

  /** Hears that a device went from one state to the next: the parent of each task by its UID. */
  const hears = (acts: Acts, device: string, origin: Commit['origin'], before: Parents, after: Parents) => {
    const rowIn = (parents: Parents, uid: string) => (uid in parents ? rowOf(uid, parents[uid]!) : undefined);
    const all = uids.map((uid, at) => ({ id: at + 1, was: rowIn(before, uid), is: rowIn(after, uid) }));
    const changes = all.filter(({ was, is }) => was?.parent !== is?.parent || !was !== !is);
    const living = new Map(Object.keys(after).map(uid => [uid, 1]));
    acts.heard(device, { origin, lines: [], changes, living, lists: [] });
    return after;
  };

  const faultsOf = (acts: Acts, parents: Parents) => {
    const holder = { actor: 'a', row: 3 };
    const finals = Object.entries(parents).map(
      ([uid, parent]) => [uid, [{ place: 'a 1.0', holder, isOwn: false, title: uid, parent }]] as const,
    );
    return [...acts.faults(new Map(finals), '', new Set())].map(([uid, what]) => `${uid} ${what}`);
  };

  it('in a task that is under none, though its user put it under another one after its parent was deleted', () => {
    const acts = new Acts();
    let a = hears(acts, 'a', 'user', {}, { p: null, q: null, t: 'p' });
    a = hears(acts, 'a', 'user', a, { q: null, t: null });
    assert.deepEqual(faultsOf(acts, a), []);
    assert.deepEqual(faultsOf(acts, { p: null, q: null, t: 'p' }), []);
    a = hears(acts, 'a', 'user', a, { q: null, t: 'q' });
    assert.deepEqual(faultsOf(acts, a), []);
    for (const parent of ['p', null])
      assert.deepEqual(faultsOf(acts, { ...a, t: parent }), [`t is under ${parent}, and was last put under q`]);
  });

  it('in a task that is under none, though it was put under another one after a sync took the parent that it had left', () => {
    const acts = new Acts();
    let a = hears(acts, 'a', 'user', {}, { p: null, q: null, t: 'p' });
    a = hears(acts, 'a', 'user', a, { p: null, q: null, t: null });
    acts.deletes('p', 'neighbour', 'p');
    a = hears(acts, 'a', 'sync', a, { q: null, t: null });
    a = hears(acts, 'a', 'user', a, { q: null, t: 'q' });
    assert.deepEqual(faultsOf(acts, a), []);
    for (const parent of ['p', null])
      assert.deepEqual(faultsOf(acts, { ...a, t: parent }), [`t is under ${parent}, and was last put under q`]);
  });
});
