import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Occurrence } from '../../../src/core/kernel/model';
import type { NewRow } from '../../../src/core/kernel/rowEdit';
import { momentOf } from '../../../src/core/time/dates';
import { hourMs } from '../../../src/core/time/units';
import { LiveAgenda } from '../../../src/query/agenda/liveAgenda';
import { groupItems } from '../../../src/query/eval/group';
import type { Writer } from '../../../src/store/types';
import type { RowRequest } from '../../../src/views/tree/branchRows';
import { sameRow } from '../../../src/views/tree/nestedRows';
import type { BranchNode, RowParent, TreeNode } from '../../../src/views/tree/nodes';
import { RowNodes } from '../../../src/views/tree/nodeTree';
import { aContext, aFilledStore, wednesday } from '../../core/support/filterStore';
import { taskRow } from '../../core/support/randomTasks';

/** The rows that an editor shows of a node until the node is reported as stale. */
interface Drawn {
  readonly node: TreeNode;
  readonly row: Occurrence | undefined;
  readonly progress: unknown;
  below: Drawn[];
}

function draw(nodes: RowNodes, node: TreeNode): Drawn {
  const row = node.kind === 'task' ? nodes.rowsOf(node).row(node.key) : undefined;
  const progress = node.kind === 'task' ? nodes.rowsOf(node).progressOf(node.key) : undefined;
  const below = node.kind === 'task' || node.kind === 'group' || node.kind === 'list' ? nodes.childrenOf(node) : [];
  return { node, row, progress, below: below.map(one => draw(nodes, one)) };
}

/** Draws stale nodes again, wherever they are. */
const redraw = (nodes: RowNodes, drawn: Drawn, stale: ReadonlySet<TreeNode>): Drawn =>
  stale.has(drawn.node)
    ? draw(nodes, drawn.node)
    : { ...drawn, below: drawn.below.map(one => redraw(nodes, one, stale)) };

function assertSame(shown: Drawn, fresh: Drawn): void {
  assert.equal(shown.node.id, fresh.node.id);
  assert.ok(shown.row === fresh.row || (shown.row && fresh.row && sameRow(shown.row, fresh.row)), shown.node.id);
  assert.deepEqual(shown.progress, fresh.progress, shown.node.id);
  assert.deepEqual(
    shown.below.map(({ node }) => node.id),
    fresh.below.map(({ node }) => node.id),
    shown.node.id,
  );
  for (const [at, one] of shown.below.entries()) assertSame(one, fresh.below[at]!);
}

/** Mostly plain tasks: of odd ones few are on the screen. */
const row: fc.Arbitrary<Partial<NewRow>> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ title: fc.constantFrom('a', 'b', 'c', 'd'), priority: fc.nat({ max: 9 }) }) },
  { weight: 1, arbitrary: taskRow },
  {
    weight: 2,
    arbitrary: fc.record({ due: fc.integer({ min: 1, max: 20 }).map(hours => wednesday + hours * hourMs) }),
  },
);
const step = fc.record({
  act: fc.constantFrom('insert', 'update', 'update', 'parent', 'parent', 'complete', 'order', 'delete', 'wait', 'wait'),
  which: fc.nat({ max: 99 }),
  other: fc.nat({ max: 99 }),
  row,
  isReported: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function change(tx: Writer, { act, which, other, row }: Step, listId: number): void {
  const ids = tx.select<{ id: number }>('SELECT id FROM tasks ORDER BY id').map(({ id }) => id);
  const [id, second] = [ids[which % Math.max(1, ids.length)], ids[other % Math.max(1, ids.length)]];
  const parentId = other % 3 === 0 ? (second ?? null) : null;
  if (act === 'insert' || id === undefined) tx.insertTask({ ...row, listId, uid: `p-${Math.random()}`, parentId });
  else if (act === 'update') tx.updateTask(id, { title: row.title ?? null, priority: row.priority ?? 0 });
  else if (act === 'parent') tx.updateTask(id, { parentId: second === id ? null : (second ?? null) });
  else if (act === 'complete') tx.updateTask(id, { status: which % 2 === 0 ? 2 : 0 });
  else if (act === 'order') tx.updateTask(id, { sortOrder: other % 50 });
  else tx.deleteTask(id);
}

describe('a tree that draws only what changed', () => {
  it('shows after every edit what a complete redraw shows', async function () {
    this.timeout(120_000);
    const shapes = fc.record({
      nest: fc.boolean(),
      showClosed: fc.boolean(),
      group: fc.constantFrom('none' as const, 'priority' as const, 'tag' as const),
      sort: fc.constantFrom('manual', 'title', '-priority,due'),
    });
    await fc.assert(
      fc.asyncProperty(shapes, fc.array(step, { minLength: 6, maxLength: 30 }), async (shape, steps) => {
        const filled = await aFilledStore();
        try {
          let now = wednesday;
          const context = { ...aContext(), clock: { now: () => now, timeZone: 'UTC' } };
          const listId = await filled.list('L');
          await filled.tasks(listId, ...['p', 'q', 'r', 's', 't', 'u'].map(title => ({ title })));
          const live = new LiveAgenda(filled.store, () => context, filled.store.onDidChange);
          const grouping = { moment: momentOf(context.clock), lists: filled.store.lists() };
          const ask = (): RowRequest => ({
            lines: live.lines(`show:done sort:${shape.sort}`, { lists: [listId] }),
            nest: shape.nest,
            showClosed: shape.showClosed,
            group: shape.group,
            ...(shape.group !== 'none' && {
              groups: rows => {
                const keys = new Map(rows.roots.map(key => [rows.row(key)!, key]));
                return groupItems([...keys.keys()], shape.group, [], grouping).map(({ key, label, items }) => ({
                  key,
                  label,
                  roots: items.map(item => keys.get(item)!),
                }));
              },
            }),
          });
          const branch: BranchNode = { kind: 'list', id: `list/${listId}`, listId, parent: undefined };
          const nodes = new RowNodes(ask, () => {});
          let shown = draw(nodes, branch);
          for (const each of steps) {
            if (each.act === 'wait') now += (1 + (each.which % 3)) * hourMs;
            else await filled.store.edit({ origin: 'user' }, tx => change(tx, each, listId));
            // The editor may ask for a branch before the change is reported.
            if (!each.isReported) nodes.childrenOf(branch as RowParent);
            shown = redraw(nodes, shown, nodes.changed());
            assertSame(shown, draw(new RowNodes(ask, () => {}), branch));
          }
          live.dispose();
        } finally {
          await filled.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});
