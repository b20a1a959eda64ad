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
  { it: 'asks for nothing where nothing is reported', reported: {}, known: { etags: held('a') }, plan: {} },
  { it: 'fetches what is new', reported: { changed: [member('a')] }, plan: { fetch: ['a'] } },
  {
    it: 'fetches what has another ETag',
    reported: { changed: [member('a', '"2"')] },
    known: { etags: held('a') },
    plan: { fetch: ['a'] },
  },
  {
    it: 'fetches what is here with no ETag that can be relied on',
    reported: { changed: [member('a')] },
    known: { etags: new Map([['a', null]]) },
    plan: { fetch: ['a'] },
  },
  {
    it: 'takes a known ETag for the sign of a listing passed off as an increment',
    reported: { changed: [member('a'), member('b', '"2"')] },
    known: { etags: held('a', 'b') },
    plan: { fetch: ['b'], isSuspicious: true },
  },
  {
    it: 'takes the known ETag of what gave no row for such a sign, too',
    reported: { changed: [member('a')] },
    known: { skipped: { a: { etag: '"1"' } } },
    plan: { isSuspicious: true },
  },
  {
    it: 'fetches what gave no row once it has changed',
    reported: { changed: [member('a', '"2"')] },
    known: { skipped: { a: { etag: '"1"' } } },
    plan: { fetch: ['a'] },
  },
  {
    it: 'reads back what was sent, and suspects nothing',
    reported: { changed: [member('a')] },
    known: { etags: held('a'), sent: new Set(['a']) },
    plan: { fetch: ['a'] },
  },
  {
    it: 'fetches what was sent and has changed since',
    reported: { changed: [member('a', '"2"')] },
    known: { etags: held('a'), sent: new Set(['a']) },
    plan: { fetch: ['a'] },
  },
  {
    it: 'fetches the text that a run which was cut off did not store',
    reported: { changed: [member('a')] },
    known: { etags: held('a'), isTextless: () => true },
    plan: { fetch: ['a'] },
  },
  {
    it: 'asks for no text of what was edited here: its upload reads it',
    reported: { changed: [member('a')] },
    known: { etags: held('a'), pending: new Set(['a']), isTextless: () => true },
    plan: { isSuspicious: true },
  },
  {
    it: 'asks for no text of what gave no row',
    reported: { changed: [member('a')] },
    known: { skipped: { a: { etag: '"1"' } }, isTextless: () => true, sent: new Set(['a']) },
    plan: { isSuspicious: true },
  },
  {
    it: 'has gone what the server says is gone',
    reported: { gone: ['a'] },
    known: { etags: held('a', 'b') },
    plan: { gone: ['a'] },
  },
  { it: 'loses nothing by what nobody here knows', reported: { gone: ['unknown'] }, plan: {} },
  {
    it: 'keeps what is said to be gone and changed in one answer',
    reported: { changed: [member('a', '"2"')], gone: ['a'] },
    known: { etags: held('a') },
    plan: { fetch: ['a'] },
  },
  {
    it: 'misses nothing that an increment does not name',
    reported: { changed: [member('b')] },
    known: { etags: held('a') },
    plan: { fetch: ['b'] },
  },
];

const listings: readonly Case[] = [
  {
    it: 'asks about what it does not name before that counts as gone',
    reported: { changed: [member('a')] },
    known: { etags: held('a', 'b') },
    plan: { missing: ['b'] },
  },
  { it: 'that is empty asks about everything', reported: {}, known: { etags: held('a') }, plan: { missing: ['a'] } },
  {
    it: 'asks once about what it calls gone',
    reported: { gone: ['a'] },
    known: { etags: held('a', 'b') },
    plan: { gone: ['a'], missing: ['b'] },
  },
  {
    it: 'is not suspicious for naming what is known',
    reported: { changed: [member('a'), member('b')] },
    known: { etags: held('a'), skipped: { b: { etag: '"1"' } } },
    plan: {},
  },
  {
    it: 'does not ask about what gave no row',
    reported: {},
    known: { skipped: { b: { etag: '"1"' } } },
    plan: {},
  },
  {
    it: 'fetches what is new, changed or without its text',
    reported: { changed: [member('new'), member('changed', '"2"'), member('textless'), member('same')] },
    known: { etags: held('changed', 'textless', 'same'), isTextless: href => href === 'textless' },
    plan: { fetch: ['new', 'changed', 'textless'] },
  },
];

describe('what a pull asks for', () => {
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

  describe('after a listing, which', () => {
    for (const one of listings) it(one.it, () => check(true, one));
  });
});

describe('a loss that the user is asked about first', () => {
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
