import assert from 'node:assert/strict';
import {
  isMassDeletion,
  type KnownResources,
  planPull,
  type ReportedChanges,
} from '../../../src/sync/resources/pullPlan';

const member = (href: string, etag = '"1"') => ({ href, etag });
const held = (...hrefs: string[]) => new Map(hrefs.map(href => [href, '"1"']));
const nothing = { fetch: [], gone: [], missing: [], isSuspicious: false };

interface Case {
  readonly it: string;
  readonly reported: Partial<ReportedChanges>;
  readonly known?: Partial<KnownResources>;
  /** Beside {@link nothing}. */
  readonly plan: Partial<ReturnType<typeof planPull>>;
}

const increments: readonly Case[] = [
  { it: 'fetch nothing if nothing is reported', reported: {}, known: { etags: held('a') }, plan: {} },
  { it: 'fetch what is new', reported: { changed: [member('a')] }, plan: { fetch: ['a'] } },
  {
    it: 'fetch what has another ETag',
    reported: { changed: [member('a', '"2"')] },
    known: { etags: held('a') },
    plan: { fetch: ['a'] },
  },
  {
    it: 'fetch what has no reliable ETag here',
    reported: { changed: [member('a')] },
    known: { etags: new Map([['a', null]]) },
    plan: { fetch: ['a'] },
  },
  {
    it: 'treat a known ETag as the sign of a listing passed off as an increment',
    reported: { changed: [member('a'), member('b', '"2"')] },
    known: { etags: held('a', 'b') },
    plan: { fetch: ['b'], isSuspicious: true },
  },
  {
    it: 'treat the known ETag of a skipped resource as such a sign, too',
    reported: { changed: [member('a')] },
    known: { skipped: { a: { etag: '"1"' } } },
    plan: { isSuspicious: true },
  },
  {
    it: 'fetch a skipped resource once it has changed',
    reported: { changed: [member('a', '"2"')] },
    known: { skipped: { a: { etag: '"1"' } } },
    plan: { fetch: ['a'] },
  },
  {
    it: 'read back what was sent, without suspicion',
    reported: { changed: [member('a')] },
    known: { etags: held('a'), sent: new Set(['a']) },
    plan: { fetch: ['a'] },
  },
  {
    it: 'fetch what was sent and has changed since',
    reported: { changed: [member('a', '"2"')] },
    known: { etags: held('a'), sent: new Set(['a']) },
    plan: { fetch: ['a'] },
  },
  {
    it: 'fetch the text that an interrupted run did not store',
    reported: { changed: [member('a')] },
    known: { etags: held('a'), isTextless: () => true },
    plan: { fetch: ['a'] },
  },
  {
    it: 'fetch no text of what was edited here: its upload reads it',
    reported: { changed: [member('a')] },
    known: { etags: held('a'), pending: new Set(['a']), isTextless: () => true },
    plan: { isSuspicious: true },
  },
  {
    it: 'fetch no text of a skipped resource',
    reported: { changed: [member('a')] },
    known: { skipped: { a: { etag: '"1"' } }, isTextless: () => true, sent: new Set(['a']) },
    plan: { isSuspicious: true },
  },
  {
    it: 'remove what the server reports as gone',
    reported: { gone: ['a'] },
    known: { etags: held('a', 'b') },
    plan: { gone: ['a'] },
  },
  { it: 'ignore unknown resources', reported: { gone: ['unknown'] }, plan: {} },
  {
    it: 'keep what is reported both gone and changed',
    reported: { changed: [member('a', '"2"')], gone: ['a'] },
    known: { etags: held('a') },
    plan: { fetch: ['a'] },
  },
  {
    it: 'do not miss what an increment omits',
    reported: { changed: [member('b')] },
    known: { etags: held('a') },
    plan: { fetch: ['b'] },
  },
];

const listings: readonly Case[] = [
  {
    it: 'check what it omits before that counts as gone',
    reported: { changed: [member('a')] },
    known: { etags: held('a', 'b') },
    plan: { missing: ['b'] },
  },
  { it: 'check everything if it is empty', reported: {}, known: { etags: held('a') }, plan: { missing: ['a'] } },
  {
    it: 'check once what it reports as gone',
    reported: { gone: ['a'] },
    known: { etags: held('a', 'b') },
    plan: { gone: ['a'], missing: ['b'] },
  },
  {
    it: 'do not suspect it for known ETags',
    reported: { changed: [member('a'), member('b')] },
    known: { etags: held('a'), skipped: { b: { etag: '"1"' } } },
    plan: {},
  },
  {
    it: 'do not check skipped resources',
    reported: {},
    known: { skipped: { b: { etag: '"1"' } } },
    plan: {},
  },
  {
    it: 'fetch what is new, changed or without its text',
    reported: { changed: [member('new'), member('changed', '"2"'), member('textless'), member('same')] },
    known: { etags: held('changed', 'textless', 'same'), isTextless: href => href === 'textless' },
    plan: { fetch: ['new', 'changed', 'textless'] },
  },
];

describe('the requests of a pull', () => {
  const check = (isEverything: boolean, { reported, known, plan }: Case) =>
    assert.deepEqual(
      planPull(
        { changed: [], gone: [], isEverything, ...reported },
        { etags: new Map(), pending: new Set(), skipped: {}, sent: new Set(), isTextless: () => false, ...known },
      ),
      { ...nothing, ...plan },
    );

  describe('after a change report', () => {
    for (const one of increments) it(one.it, () => check(false, one));
  });

  describe('after a listing', () => {
    for (const one of listings) it(one.it, () => check(true, one));
  });
});

describe('a mass deletion', () => {
  for (const { gone, held, isAsked } of [
    { gone: 0, held: 0, isAsked: false },
    { gone: 4, held: 4, isAsked: false },
    { gone: 5, held: 5, isAsked: true },
    { gone: 5, held: 9, isAsked: true },
    { gone: 5, held: 10, isAsked: false },
    { gone: 500, held: 1000, isAsked: false },
    { gone: 501, held: 1000, isAsked: true },
  ])
    it(`is ${isAsked ? '' : 'not '}${gone} of ${held}`, () => assert.equal(isMassDeletion(gone, held), isAsked));
});
