import assert from 'node:assert/strict';
import { defaultSettings } from '../../../src/core/kernel/settings';
import { builtInFilters, upNextQuery } from '../../../src/query/eval/builtInFilters';
import { resolveFilter } from '../../../src/query/eval/savedFilters';
import schema from '../../../src/query/filters.schema.json';
import { completeQuery } from '../../../src/query/help/complete';
import { explainQuery } from '../../../src/query/help/explain';
import { quote } from '../../../src/query/parse/lexer';
import { parseQuery } from '../../../src/query/parse/parser';
import { examples } from '../../core/support/filterExamples';
import { aContext, aFilledStore, civil, type Filled } from '../../core/support/filterStore';
import { pick } from '../../support/pick';

describe('filter: explaining and completing', () => {
  let filled: Filled;
  before(async () => {
    filled = await aFilledStore();
    const cloud = await filled.account('Cloud');
    const work = await filled.list('Work');
    await filled.list('Work', { accountId: cloud });
    await filled.list('Family Shared', { isVisible: false });
    await filled.tasks(
      work,
      { title: 'one', due: civil('2026-03-17'), isAllDay: true, tags: ['someday', 'big plans'] },
      { title: 'two', due: civil('2026-03-18'), isAllDay: true, tags: ['someday'] },
    );
  });
  after(() => filled.close());

  it('puts a query into words, with dates, counts and what was added', () => {
    const explanation = explainQuery(
      'due:<=today (NOT #"big plans" OR priority:1..4) @Nowhere',
      filled.store,
      aContext(),
    );
    assert.deepEqual(
      explanation.lines.map(({ depth, words, count }) => ({ depth, words, count })),
      [
        { depth: 0, words: 'All of these:', count: 0 },
        { depth: 1, words: 'Due 2026-03-18 or earlier', count: 2 },
        { depth: 1, words: 'Any of these:', count: 1 },
        { depth: 2, words: 'Not: tag is “big plans”', count: 1 },
        { depth: 2, words: 'priority is 1 to 4', count: 0 },
        { depth: 1, words: 'list is “Nowhere” (not found)', count: 0 },
      ],
    );
    assert.deepEqual(explanation.added, [
      'Only open tasks, because the query does not mention completed or canceled ones.',
      'Tasks in the trash are excluded.',
      'Hidden lists are excluded.',
      'Repeating tasks show their next open occurrence.',
      'Sorted by due, priority, title.',
    ]);
    const [week] = explainQuery('due:week', filled.store, aContext()).lines;
    assert.deepEqual(pick(week, 'words', 'count'), { words: 'Due on 2026-03-16 to 2026-03-22', count: 2 });
    for (const { query, unavailable } of examples)
      if (!unavailable) assert.ok(explainQuery(query, filled.store, aContext()).lines.length > 0);
  });

  it('has words for every condition', () => {
    const words = (query: string) => explainQuery(query, filled.store, aContext()).lines[0]!.words;
    const explanations: Readonly<Record<string, string>> = {
      'priority:1': 'priority is 1',
      'progress:>=50': 'progress is 50 or more',
      'progress:<50': 'progress is 49 or less',
      'progress:>50': 'progress is 51 or more',
      'progress:<=50': 'progress is 50 or less',
      'priority:=high': 'priority is 1 to 4',
      'status:started': 'Status: started',
      'repeat:daily': 'Repeats daily',
      'due:today..tomorrow': 'Due from 2026-03-18 to 2026-03-19',
      'due:..today': 'Due 2026-03-18 or earlier',
      'due:today..': 'Due 2026-03-18 or later',
      'due:>=today': 'Due 2026-03-18 or later',
      'due:>today': 'Due after 2026-03-18',
      'due:<+2h': 'Due before 2026-03-18 16:30',
      'due:<eom': 'Due before 2026-03-31',
      'created:today': 'Created on 2026-03-18',
      'tag:some*': 'tag starts with “some”',
      'title:/^re/i': 'title matches the pattern /^re/i',
      'title:/^Re/': 'title matches the pattern /^Re/',
      'has:notes': 'Has: Notes',
      'no:notes': 'Does not have: Notes',
      'sync:pending': 'Changed here, not yet synced',
    };
    for (const [query, expected] of Object.entries(explanations)) assert.equal(words(query), expected, query);
  });

  it('describes what a view and the query add', () => {
    const added = (query: string, context = aContext()) => explainQuery(query, filled.store, context).added.join(' ');
    assert.match(added('#someday show:subtasks'), /Subtasks of matching tasks are included\./);
    assert.match(added('#someday show:occurrences'), /all occurrences in the next \d+ days/);
    assert.match(
      added('#someday group:list sort:-due limit:3'),
      /due \(descending\)\. Grouped by list\. Limited to 3\./,
    );
    assert.match(added('#someday', aContext({ lists: [1] })), /Limited to the lists selected for this view\./);
    assert.equal(explainQuery(parseQuery('#someday'), filled.store, aContext()).count, 2);
  });

  it('uses the language that it is given', () => {
    const translate = (message: string, ...values: unknown[]) => [`«${message}»`, ...values].join(' ');
    assert.equal(explainQuery('', filled.store, aContext(), { translate }).lines[0]!.words, '«Every task»');
  });

  const complete = (text: string) => completeQuery(text, text.length, filled.store).map(({ text: found }) => found);

  it('completes fields, values, tags and lists', () => {
    assert.deepEqual(complete('du'), ['due:']);
    assert.ok(complete('').includes('OR') && complete('').includes('sort:'));
    assert.deepEqual(complete('is:over'), ['overdue']);
    assert.deepEqual(complete('due:<=tom'), ['tomorrow']);
    assert.deepEqual(complete('due:today..tom'), ['tomorrow']);
    assert.deepEqual(complete('a (-#s'), ['#someday']);
    assert.deepEqual(complete('tag:'), ['someday', '"big plans"', 'none', 'any']);
    assert.deepEqual(complete('@fam'), ['@"Family Shared"']);
    assert.deepEqual(complete('@wor'), ['@Work', '@Cloud/Work']);
    assert.deepEqual(complete('sort:due,-pri'), ['priority']);
    assert.deepEqual(complete('#"big p'), ['#"big plans"']);
    assert.ok(!complete('').includes('in:'));
    const [only] = completeQuery('x is:over y', 9, filled.store);
    assert.deepEqual(only?.range, [5, 9]);
  });

  it('completes the values of every field', () => {
    const begun: Readonly<Record<string, string>> = {
      'has:not': 'notes',
      'no:loc': 'location',
      'status:can': 'cancelled',
      'priority:hi': 'high',
      'priority:<=hi': 'high',
      '!lo': '!low',
      'repeat:week': 'weekly',
      'sync:pend': 'pending',
      'in:br': 'branch',
      'link:sta': 'stale',
      'list:fam': '"Family Shared"',
      'account:clo': 'Cloud',
      'group:pri': 'priority',
      'show:sub': 'subtasks',
      'due:next-w': 'next-week',
      'url:no': 'none',
    };
    for (const [text, expected] of Object.entries(begun)) assert.equal(complete(text)[0], expected, text);
    assert.deepEqual(complete('uid:x'), []);
    assert.ok(!complete('has:').includes('link'));
  });

  it('treats a quoted string as one word, even with quotes inside', () => {
    assert.deepEqual(complete('"a \\" du'), []);
    assert.deepEqual(complete('"a \\" b" du'), ['due:']);
  });

  it('orders tags by use, then by name', async () => {
    const list = await filled.list('Tags', { isVisible: false });
    await filled.tasks(list, { title: 't', tags: ['zeta', 'alpha'] });
    assert.deepEqual(complete('tag:').slice(0, 4), ['someday', 'alpha', '"big plans"', 'zeta']);
  });

  it('writes names so that they are read back', () => {
    for (const name of [
      'plain',
      'two words',
      'a,b',
      'say "hi"',
      'back\\slash',
      '-minus',
      'none',
      '/x/',
      'R&D',
      'star*',
    ]) {
      const { root } = parseQuery(`tag:${quote(name)}`);
      assert.ok(root?.kind === 'name' && root.test.how === 'equals' && root.test.text === name, name);
    }
  });

  it('finds saved filters by id or name, and reads anything else as a query', () => {
    const settings = { ...defaultSettings, filters: [{ id: 'x', name: 'Été', query: '#summer' }] };
    assert.equal(resolveFilter('x', settings).text, '#summer');
    assert.equal(resolveFilter('ete', settings).text, '#summer');
    assert.equal(resolveFilter('!high', settings).text, '!high');
    for (const { query } of builtInFilters(settings)) parseQuery(query);
    assert.equal(resolveFilter('upNext', { ...settings, upNextDays: 3 }).text, upNextQuery(3));
  });

  it('has a schema for settings.json that distinguishes queries from mistakes', () => {
    const pattern = new RegExp(schema.items.properties.query.pattern);
    for (const { query } of examples) assert.match(query, pattern);
    for (const query of schema.items.properties.query.examples) parseQuery(query);
    for (const query of ['due:2026-01-02T10:00', '"Re: x"', 'notes:/a:b/', '']) assert.match(query, pattern);
    for (const query of ['deu:today', 'a "b', '#x (foo:bar)']) assert.doesNotMatch(query, pattern);
  });
});
