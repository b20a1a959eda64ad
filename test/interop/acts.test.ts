import assert from 'node:assert/strict';
import { todoText } from '../sync/support/texts';
import { Acts } from './support/acts';
import { OtherClient } from './support/neighbor';
import type { Commit } from './support/rowTrace';

/** Steps of a sync that goes wrong: the model must not take them for what a user wanted. */
describe('the model of two devices finds a fault', () => {
  const uids = ['p', 'q', 't'];
  const rowOf = (uid: string, parent: string | null) => ({
    uid,
    title: uid,
    listId: 1,
    parent,
    isSent: false,
    etag: null,
  });
  type Parents = Readonly<Record<string, string | null>>;

  /** Hears that a device went from one state to the next: the parent of each task by its UID. */
  const noted = (acts: Acts, device: string, origin: Commit['origin'], before: Parents, after: Parents) => {
    const rowIn = (parents: Parents, uid: string) => (uid in parents ? rowOf(uid, parents[uid]!) : undefined);
    const all = uids.map((uid, at) => ({ id: at + 1, was: rowIn(before, uid), is: rowIn(after, uid) }));
    const changes = all.filter(({ was, is }) => was?.parent !== is?.parent || !was !== !is);
    const living = new Map(Object.keys(after).map(uid => [uid, 1]));
    acts.note(device, { origin, isImport: false, lines: [], changes, living, lists: [] });
    return after;
  };

  const faultsOf = (acts: Acts, parents: Parents) => {
    const holder = { actor: 'a', row: 3 };
    const finals = Object.entries(parents).map(
      ([uid, parent]) => [uid, [{ place: 'a 1.0', holder, isOwn: false, title: uid, parent }]] as const,
    );
    return [...acts.faults(new Map(finals), '', new Set())].map(([uid, fault]) => `${uid} ${fault}`);
  };

  it('in a task without a parent whose user put it under another one after the old parent was deleted', () => {
    const acts = new Acts();
    let a = noted(acts, 'a', 'user', {}, { p: null, q: null, t: 'p' });
    a = noted(acts, 'a', 'user', a, { q: null, t: null });
    assert.deepEqual(faultsOf(acts, a), []);
    assert.deepEqual(faultsOf(acts, { p: null, q: null, t: 'p' }), []);
    a = noted(acts, 'a', 'user', a, { q: null, t: 'q' });
    assert.deepEqual(faultsOf(acts, a), []);
    for (const parent of ['p', null])
      assert.deepEqual(faultsOf(acts, { ...a, t: parent }), [`t is under ${parent}, and was last put under q`]);
  });

  it('in a task without a parent that was put under one after a sync removed the parent that it had left', () => {
    const acts = new Acts();
    let a = noted(acts, 'a', 'user', {}, { p: null, q: null, t: 'p' });
    a = noted(acts, 'a', 'user', a, { p: null, q: null, t: null });
    acts.deletes('p', 'neighbor', 'p');
    a = noted(acts, 'a', 'sync', a, { q: null, t: null });
    a = noted(acts, 'a', 'user', a, { q: null, t: 'q' });
    assert.deepEqual(faultsOf(acts, a), []);
    for (const parent of ['p', null])
      assert.deepEqual(faultsOf(acts, { ...a, t: parent }), [`t is under ${parent}, and was last put under q`]);
  });
});

describe('the model of two devices finds no fault', () => {
  const lists = [1, 2].map(id => ({ id, href: id === 1 ? '/one/' : null })) as unknown as Commit['lists'];
  const row = (uid: string, listId: number, parent: string | null, etag: string | null = '1') => ({
    uid,
    title: 't',
    listId,
    parent,
    isSent: etag !== null,
    etag,
  });
  type Row = ReturnType<typeof row>;
  const hears = (
    acts: Acts,
    device: string,
    origin: Commit['origin'],
    changes: readonly (readonly [id: number, was: Row | undefined, is: Row | undefined])[],
    { count = 1, other = null as string | null, isImport = false } = {},
  ) =>
    acts.note(device, {
      origin,
      isImport,
      lines: [],
      changes: changes.map(([id, was, is]) => ({ id, was, is })),
      living: new Map(changes.flatMap(([, , is]) => (is ? [[is.uid, count] as const] : []))),
      lists: lists.map(list => (list.id === 2 ? { ...list, href: other } : list)),
    });
  const final = (place: string, parent: string | null, holder = { actor: 'a', row: 3 }) => ({
    place,
    holder,
    isOwn: !place.startsWith('/'),
    title: 't',
    parent,
  });
  const faultsOf = (acts: Acts, finals: Readonly<Record<string, ReturnType<typeof final>[]>>) =>
    [...acts.faults(new Map(Object.entries(finals)), '', new Set())].map(([uid, fault]) => `${uid} ${fault}`);

  it('in a task that was created in two lists, and that another program put under another task in the second', () => {
    const acts = new Acts();
    const other = '/two/';
    hears(acts, 'a', 'user', [[3, undefined, row('t', 1, 'p', null)]], { other });
    hears(acts, 'b', 'user', [[3, undefined, row('t', 2, 'p', null)]], { other });
    hears(acts, 'a', 'sync', [[3, row('t', 1, 'p', null), row('t', 1, 'p')]], { other });
    hears(acts, 'b', 'sync', [[3, row('t', 2, 'p', null), row('t', 2, 'p')]], { other });
    hears(acts, 'a', 'sync', [[4, undefined, row('t', 2, 'p')]], { count: 2, other });
    acts.writes('t', 'neighbor', 'parent', 'p', 'q', '/two/');
    const copies = ['/one/', '/two/'].map(place => final(place, null));
    const last = { p: copies, q: copies, t: [final('/one/', 'p'), final('/two/', 'q')] };
    assert.deepEqual(faultsOf(acts, last), []);
    const [fault] = faultsOf(acts, { ...last, t: [final('/one/', null), final('/two/', 'q')] });
    assert.equal(fault, 't is under null, and was last put under p or q');
  });

  it('in a task in two lists if one undid its deletion there after another took its file into the second', () => {
    const other = '/two/';
    const faultsIf = (isImport: boolean) => {
      const acts = new Acts();
      hears(acts, 'b', 'user', [[3, undefined, row('t', 1, null, null)]], { other, isImport: true });
      hears(acts, 'b', 'sync', [[3, row('t', 1, null, null), row('t', 1, null)]], { other });
      hears(acts, 'a', 'sync', [[3, undefined, row('t', 1, null)]], { other });
      hears(acts, 'b', 'user', [[3, row('t', 1, null), undefined]], { other });
      hears(acts, 'a', 'sync', [[3, row('t', 1, null), undefined]], { other });
      hears(acts, 'a', 'user', [[4, undefined, row('t', 2, null, null)]], { other, isImport });
      hears(acts, 'a', 'sync', [[4, row('t', 2, null, null), row('t', 2, null)]], { other });
      hears(acts, 'b', 'sync', [[4, undefined, row('t', 2, null)]], { other });
      hears(acts, 'b', 'undo', [[3, undefined, row('t', 1, null, null)]], { count: 2, other });
      hears(acts, 'b', 'sync', [[3, row('t', 1, null, null), row('t', 1, null)]], { count: 2, other });
      hears(acts, 'a', 'sync', [[5, undefined, row('t', 1, null)]], { count: 2, other });
      return faultsOf(acts, { t: [final('/one/', null), final('/two/', null)] });
    };
    assert.deepEqual(faultsIf(true), []);
    assert.deepEqual(faultsIf(false), ['t it is in /one/ and /two/, and nobody is asked which it is to be']);
  });

  it('in a task that another program put under one, and whose old copy it then wrote again without a change', () => {
    const acts = new Acts();
    acts.makes('t', 'neighbor', '/one/');
    acts.writes('t', 'neighbor', 'place', '/one/', '/two/', '/one/');
    acts.writes('t', 'neighbor', 'parent', null, 'p', '/two/');
    const items = new Map([['/one/t.ics', { text: todoText('t', 'SUMMARY:t') }]]);
    const one = { path: '/one/', name: 'one', items, put() {}, remove() {} };
    const putsUnder = () => 0.9;
    new OtherClient([{ lists: new Map([['/one/', one]]) }], acts, putsUnder, () => {}).act('t');
    assert.deepEqual(faultsOf(acts, { t: [final('/two/', 'p')], p: [final('/two/', null)] }), []);
  });

  it('in a task without a parent in a local list only, if it was put under one in another list before', async () => {
    const finals: Record<string, ReturnType<typeof final>[]> = { t: [final('a 2.0', null)], p: [final('a 2.0', null)] };
    const faultsIf = async (isHeard: boolean) => {
      const acts = new Acts();
      hears(acts, 'b', 'user', [[3, undefined, row('t', 1, 'p', null)]]);
      hears(acts, 'b', 'sync', [[3, row('t', 1, 'p', null), row('t', 1, 'p')]]);
      // Its parent is in its list, unless another one is to take that one's place.
      const parent = isHeard ? null : 'p';
      hears(acts, 'a', 'sync', [[3, undefined, row('t', 1, parent)]]);
      acts.writes('t', 'neighbor', 'parent', 'p', 'q', '/one/');
      if (isHeard) hears(acts, 'a', 'sync', [[3, row('t', 1, null), row('t', 1, null, '2')]]);
      await acts.movesList(async () => hears(acts, 'a', 'user', [[3, row('t', 1, parent), row('t', 2, parent, null)]]));
      return faultsOf(acts, finals);
    };
    assert.deepEqual(await faultsIf(true), []);
    finals.q = [final('a 2.0', null)];
    assert.deepEqual(await faultsIf(true), [], 'what names it was not linked to it yet');
    assert.deepEqual(await faultsIf(false), ['t is under null, and was last put under q']);
  });
});
