import assert from 'node:assert/strict';
import { isLimits, readFromPage, requestOfLine } from '../../src/shared/readFromPage';

describe('messages from a page', () => {
  for (const message of [
    { type: 'ready' },
    { type: 'rows', act: 'complete', keys: ['today/1', 'today/2'] },
    { type: 'widget', act: 'undo' },
    { type: 'parse', request: 1, text: 'Milk', rejected: [[0, 4]] },
    { type: 'add', request: 2, text: 'Milk', rejected: [], group: 'today' },
    { type: 'parse', request: 1, text: 'Milk #', rejected: [], caret: 6 },
    { type: 'add', request: 2, text: 'Milk\nEggs', rejected: [], as: 'lines' },
    { type: 'add', request: 2, text: 'Milk\n'.repeat(20_000), rejected: [], as: 'lines' },
    { type: 'newList', request: 2, name: 'Garage', text: 'Mow @Garage', rejected: [] },
    { type: 'unfocused' },
    { type: 'selected', keys: [] },
    { type: 'requestDetails', keys: ['1/1'] },
    { type: 'order', keys: ['1/1'], neighbor: '1/2', side: 'after' },
    { type: 'move', keys: ['1/1'], group: '2026-11-23' },
    { type: 'move', keys: ['1/1'], group: '2026-11-23', hour: 14 },
    { type: 'moveDragged', group: '2026-11-23', hour: 6 },
    { type: 'priority', keys: ['1/1'], priority: 5 },
    { type: 'setup', setup: { title: '', lists: ['Work'], filter: '#a', sort: 'title', group: '', stacked: false } },
    { type: 'setup', setup: { rows: 'list', tags: 'board/*', limits: { started: 3 }, collapsed: ['done'] } },
    { type: 'setup', setup: { limits: JSON.parse('{ "constructor": 3, "prototype": 2, "__proto__": 1 }') } },
    { type: 'setup', setup: { sort: 'title' } },
    { type: 'collapse', column: 'done' },
    { type: 'more', group: 'today' },
    { type: 'suggest', request: 3, text: 'due:', position: 4 },
  ])
    it(`are accepted: ${JSON.stringify(message).slice(0, 90)}`, () => assert.deepEqual(readFromPage(message), message));

  for (const message of [
    undefined,
    null,
    'ready',
    {},
    { type: 'eval', code: '1' },
    { type: 'rows', act: 'workbench.action.quit', keys: [] },
    { type: 'rows', act: 'toString', keys: [] },
    { type: 'rows', act: 'complete', keys: [1] },
    { type: 'rows', act: 'complete', keys: 'today/1' },
    { type: 'rows', act: 'complete', keys: new Array(20_001).fill('x') },
    { type: 'requestDetails', keys: 'all' },
    { type: 'widget', act: 'dueline.account.remove' },
    { type: 'add', request: 'one', text: 'Milk', rejected: [] },
    { type: 'add', request: 1, text: 'x'.repeat(1_000_001), rejected: [] },
    { type: 'parse', request: 1, text: 'x'.repeat(10_001), rejected: [] },
    { type: 'add', request: 1, text: 'Milk', rejected: [[0]] },
    { type: 'add', request: 1, text: 'Milk', rejected: [[0, 1.5]] },
    { type: 'add', request: 1, text: 'Milk', rejected: [], group: 7 },
    { type: 'add', request: 1, text: 'Milk', rejected: [], as: 'table' },
    { type: 'parse', request: 1, text: 'Milk', rejected: [], caret: 'end' },
    { type: 'newList', request: 1, text: 'Milk', rejected: [] },
    { type: 'newList', request: 1, name: 'x'.repeat(201), text: 'Milk', rejected: [] },
    { type: 'add', request: 1, text: 'Milk', rejected: [], group: 'x'.repeat(1001) },
    { type: 'order', keys: ['1/1'], neighbor: '1/2', side: 'inside' },
    { type: 'move', keys: ['1/1'], group: '2026-11-23', hour: 25 },
    { type: 'moveDragged', hour: 9 },
    { type: 'priority', keys: ['1/1'], priority: 11 },
    { type: 'setup', setup: { title: '', lists: 'Work', filter: '', sort: '', group: '', stacked: false } },
    { type: 'setup', setup: { title: 'x'.repeat(201), lists: [], filter: '', sort: '', group: '', stacked: false } },
    { type: 'setup', setup: { stacked: 'yes' } },
    { type: 'setup', setup: { limits: { started: 0 } } },
    { type: 'setup', setup: { limits: { constructor: 'x' } } },
    { type: 'setup', setup: { limits: [3] } },
    { type: 'setup', setup: { limits: { ['x'.repeat(1001)]: 3 } } },
    { type: 'setup', setup: { limits: null } },
    { type: 'setup', setup: { collapsed: [1] } },
    { type: 'setup' },
    { type: 'collapse', column: 7 },
    { type: 'more', group: 7 },
    { type: 'suggest', request: 3, text: 'x'.repeat(2001), position: 4 },
  ])
    it(`are refused: ${JSON.stringify(message)?.slice(0, 70)}`, () => assert.equal(readFromPage(message), undefined));

  it('keep the request id even if the line is refused', () => {
    assert.equal(requestOfLine({ type: 'add', request: 3, text: 7 }), 3);
    assert.equal(requestOfLine({ type: 'add', request: 'one' }), undefined);
    assert.equal(requestOfLine({ type: 'eval', request: 3 }), undefined);
    assert.equal(requestOfLine(undefined), undefined);
  });

  it('have their column limits counted before they are read', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`column ${at}`, 1]));
    assert.equal(isLimits(many(500)), true);
    let reads = 0;
    const counted = { enumerable: true, get: () => ++reads };
    const tooMany = Object.defineProperties({}, Object.fromEntries(Object.keys(many(501)).map(key => [key, counted])));
    assert.equal(isLimits(tooMany), false);
    assert.equal(reads, 0);
  });

  it('are stripped of unknown fields', () => {
    assert.deepEqual(readFromPage({ type: 'ready', extra: 1 }), { type: 'ready' });
  });
});
