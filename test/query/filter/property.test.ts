import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hashOfUid } from '../../../src/core/code/shortId';
import { defaultSettings } from '../../../src/core/kernel/settings';
import type { QueryContext } from '../../../src/query/eval/context';
import { runQuery } from '../../../src/query/eval/run';
import { hasValues, isValues, textFields } from '../../../src/query/parse/vocabulary';
import { aFilledStore, wednesday } from '../../core/support/filterStore';
import { naiveIds } from '../../core/support/naiveFilter';
import { tags, taskRow, words } from '../../core/support/randomTasks';

const date = fc.constantFrom(
  'today',
  'tomorrow',
  'yesterday',
  'now',
  'week',
  'month',
  'year',
  'eow',
  'eom',
  'friday',
  'wed',
  'next-wed',
  'last-sunday',
  'next-week',
  'last-month',
  '+3d',
  '-2d',
  '+1w',
  '-1m',
  '+1y',
  '+5h',
  '-30h',
  '2026-03-18',
  '2026-03',
  '2026-W12',
  '2026',
  '2026-03-18T12:00',
);
const dateField = fc.constantFrom('due', 'due', 'due', 'start', 'done', 'created', 'modified', 'alarm');
const dateTest = fc.oneof(
  fc.tuple(fc.constantFrom('', '<', '<=', '>', '>=', '='), date).map(parts => parts.join('')),
  fc.tuple(date, date).map(([from, to]) => `${from}..${to}`),
  date.map(from => `${from}..`),
  date.map(to => `..${to}`),
  fc.constantFrom('none', 'any'),
);
const quoted = (text: string) => JSON.stringify(text);
const word = fc.constantFrom(...words, 'oice', 'CAFÉ', 'cafe', 'strasse', 'ΟΔΟΣ', 'a_', '0%', 'e r', 'x y');
const tag = fc.constantFrom(...tags, 'ARGER', 'wor', 'STUDY');

const term = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(dateField, dateTest).map(([field, test]) => `${field}:${test}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...Object.keys(isValues)).map(value => `is:${value}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('has', 'no'), fc.constantFrom(...Object.keys(hasValues).filter(value => value !== 'link')))
      .map(parts => parts.join(':')),
  },
  { weight: 2, arbitrary: word.map(quoted) },
  fc
    .tuple(fc.constantFrom('title', 'notes', ...Object.keys(textFields)), fc.constantFrom('', '='), word)
    .map(([field, equals, text]) => `${field}:${equals}${quoted(text)}`),
  fc.constantFrom('title:inv*', 'title:/^[ct]/i', '/RE-\\d{4}/', 'notes:/^$/', 'tag:/^w/i'),
  { weight: 2, arbitrary: tag.map(name => `#${quoted(name)}`) },
  fc.constantFrom('#work*', '#work/*', '#a*', 'tag:study,work'),
  fc.constantFrom(
    '@Work',
    '@home',
    'list:W*',
    'list:Work,Hidden',
    '@Hidden',
    'list:"cloud/home"',
    'account:cloud',
    'account:none',
    '@nothing',
  ),
  fc.constantFrom(
    '!high',
    '!none',
    '!5',
    'priority:<5',
    'priority:>=4',
    'priority:1..4',
    'progress:>=50',
    'progress:0',
    'progress:<100',
    'est:<30m',
    'est:>=1h30',
    'est:30..2h',
    'est:45',
  ),
  fc.constantFrom(
    'status:todo',
    'status:started,done',
    'repeat:daily',
    'repeat:weekly,monthly',
    'source:todo',
    'sync:pending',
    'sync:local',
    'sync:clean',
  ),
  fc.nat(40).map(index => `id:dl-${hashOfUid(`u${index}`).slice(0, 4 + (index % 5))}`),
  word.map(text => `parent:${quoted(text)}`),
  word.map(text => `child:${quoted(text)}`),
  fc.tuple(fc.constantFrom('after', 'blocks'), word).map(([field, text]) => `${field}:${quoted(text)}`),
  fc
    .tuple(fc.constantFrom('after', 'blocks', 'parent', 'child'), fc.nat(30))
    .map(([field, index]) => `${field}:dl-${hashOfUid(`u${index}`).slice(0, 4)}`),
);

const query = fc.letrec<{ query: string }>(tie => ({
  query: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: term },
    { weight: 2, arbitrary: fc.tuple(tie('query'), tie('query')).map(([a, b]) => `${a} ${b}`) },
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a} OR ${b})`),
    tie('query').map(inner => `NOT (${inner})`),
    term.map(inner => `-${inner}`),
  ),
})).query;

/** Those that SQL knows wholly, in part, and not at all. */
const orders = [
  ...['created', '-modified,priority', 'manual', '-priority'],
  ...['due', '-due,title', 'due,priority,title', '-start,-priority', '-done,priority', 'list,-due', 'list,title'],
  ...['priority,title', 'title', 'urgency'],
].map(order => `sort:${order}`);

describe('filter: SQL and a check of every row', () => {
  it('match the same tasks for any query', async function () {
    this.timeout(180_000);
    const zones = fc.constantFrom('Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati', 'America/New_York');
    const rows = fc.array(taskRow, { minLength: 5, maxLength: 40 });
    const queries = fc.array(query, { minLength: 15, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        queries,
        zones,
        fc.constantFrom(0, 3),
        fc.nat(1439),
        async (all, texts, timeZone, hour, minute) => {
          const filled = await aFilledStore();
          try {
            await filled.store.edit({ origin: 'user' }, tx => {
              const accountId = tx.insertAccount({ displayName: 'Cloud' });
              const lists = [
                tx.insertList({ name: 'Work', color: 0 }),
                tx.insertList({ name: 'Home', color: 0, accountId }),
                tx.insertList({ name: 'Hidden', color: 0, isVisible: false, isReadOnly: true }),
              ];
              const ids: number[] = [];
              for (const [index, row] of all.entries()) {
                const listId = lists[index % 3]!;
                const parentId = index % 4 === 1 ? ids[index >> 1]! : null;
                const lines = row.priority ? [`RELATED-TO;RELTYPE=DEPENDS-ON:u${(index * row.priority) % 30}`] : [];
                const unknownProperties = JSON.stringify(['X-OTHER:1', ...lines]);
                const id = tx.insertTask({ ...row, listId, uid: `u${index}`, parentId, unknownProperties });
                ids.push(id);
                if (row.rrule && index % 2 === 0) {
                  const recurrenceId = row.dtstart ?? row.due ?? 0;
                  const changed = {
                    ...row,
                    rrule: null,
                    title: 'changed',
                    status: index % 4 === 0 ? (2 as const) : (0 as const),
                  };
                  tx.insertTask({ ...changed, listId, uid: `u${index}`, masterId: id, recurrenceId, isDeleted: false });
                }
              }
            });
            const context: QueryContext = {
              clock: { now: () => wednesday - 14.5 * 3_600_000 + minute * 60_000, timeZone },
              settings: { ...defaultSettings, dayStartHour: hour },
              locale: 'de-DE',
              conflicted: new Set(),
              syncErrors: new Set(),
            };
            for (const text of texts) {
              const found = runQuery(filled.store, text, context).map(({ task }) => task.id);
              assert.deepEqual(
                [...found].sort((a, b) => a - b),
                naiveIds(filled.store, text, context),
                text,
              );
              for (const sort of ['', ...orders]) {
                const whole = runQuery(filled.store, `${text} ${sort}`, context);
                const some = runQuery(filled.store, `${text} ${sort} limit:3`, context);
                assert.deepEqual(some, whole.slice(0, 3), `${text} ${sort}`);
              }
            }
          } finally {
            await filled.close();
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
