import assert from 'node:assert/strict';
import { type TaskAction, type TaskFacts, taskRules } from '../../../src/sync/decide/decideTask';
import type { DecisionRule } from '../../../src/sync/decide/rules';
import { applyRemovals, planRemovals } from '../../../src/sync/resources/applyRemovals';
import { Scratch } from '../../store/support/store';

describe('tasks removed from a server', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('are found among more addresses than a statement has parameters', async () => {
    const store = await scratch.store(scratch.folder());
    const listId = await store.edit({ origin: 'sync' }, tx => {
      const accountId = tx.insertAccount({ displayName: 'Cloud' });
      const list = tx.insertList({ name: 'Shared', color: 0, accountId, href: '/shared/' });
      tx.insertTask({ listId: list, uid: 'a', title: 'A', href: '/shared/a "b".ics', etag: '"1"' });
      return list;
    });
    const others = Array.from({ length: 40_000 }, (_, at) => `/shared/${at}.ics`);
    const nothing = { listId, baseOf: () => undefined, sentTo: () => undefined, sentRow: () => undefined };
    const context = {
      ...nothing,
      now: 0,
      gone: new Set<string>(),
      held: undefined,
      waiting: undefined,
      mayChangeUids: false,
    };
    const plans = planRemovals(store, [...others, '/shared/a "b".ics'], context);
    assert.deepEqual(
      plans.map(({ rule, head }) => [rule.action, head.title]),
      [['trash', 'A']],
    );
  });

  it('stay here if the table returns an action that no removal can have', async () => {
    const store = await scratch.store(scratch.folder());
    const [listId, id] = await store.edit({ origin: 'sync' }, tx => {
      const accountId = tx.insertAccount({ displayName: 'Cloud' });
      const listId = tx.insertList({ name: 'Shared', color: 0, accountId, href: '/shared/' });
      return [listId, tx.insertTask({ listId, uid: 'a', title: 'A', href: '/shared/a.ics', etag: '"1"' })] as const;
    });
    const nothing = { baseOf: () => undefined, sentTo: () => undefined, sentRow: () => undefined, waiting: undefined };
    const context = { ...nothing, listId, now: 0, gone: new Set<string>(), mayChangeUids: false };
    const rules = taskRules as DecisionRule<TaskFacts, TaskAction>[];
    rules.unshift({ when: { remote: 'gone' }, action: 'wait' });
    try {
      const removal = store.edit({ origin: 'sync' }, tx => applyRemovals(tx, ['/shared/a.ics'], context));
      await assert.rejects(removal, /wait/);
    } finally {
      rules.shift();
    }
    assert.equal(store.task(id)?.title, 'A');
  });
});
