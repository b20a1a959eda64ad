import assert from 'node:assert/strict';
import type { Occurrence } from '../../../src/core/kernel/model';
import { remindedRows } from '../../../src/ui/pendingReminders';
import type { RowRequest } from '../../../src/views/tree/branchRows';
import type { BranchNode, GroupNode } from '../../../src/views/tree/nodes';
import { remindersKey } from '../../../src/views/tree/nodes';
import { RowNodes } from '../../../src/views/tree/nodeTree';
import { RemindersOnTop } from '../../../src/views/tree/remindersOnTop';
import { engines } from '../../engine/support/engine';
import { aRow } from '../support/rows';

const branch: BranchNode = { kind: 'filter', id: 'today', filterId: 'today', parent: undefined };

describe('pending reminders on top of a branch', () => {
  const lab = engines();
  const plain = (lines: readonly Occurrence[], groups?: RowRequest['groups']): RowRequest => ({
    lines,
    nest: false,
    showClosed: true,
    group: groups ? 'list' : 'none',
    groups,
  });

  /** A branch of these rows, with what reminds put in later. */
  function shown(lines: readonly Occurrence[], groups?: RowRequest['groups']) {
    const top = new RemindersOnTop();
    let reminded: readonly Occurrence[] = [];
    const nodes = new RowNodes(
      () => top.request(plain(lines, groups), reminded, 'Today'),
      () => {},
    );
    return {
      tree: () =>
        nodes
          .childrenOf(branch)
          .map(node =>
            node.kind === 'group'
              ? [
                  nodes.groupOf(node)!.label,
                  ...nodes.childrenOf(node as GroupNode).map(({ id }) => id.split('/').at(-1)),
                ]
              : node.id,
          ),
      remind: (...rows: Occurrence[]) => {
        reminded = rows;
        return [...nodes.changed()].map(({ id }) => id);
      },
    };
  }

  it('are a group of their own, removed from the others, and leave no empty group behind', () => {
    const [one, two, three] = [aRow(1), aRow(2), aRow(3)];
    const { tree, remind } = shown([one, two, three]);
    assert.deepEqual(tree(), ['today/1', 'today/2', 'today/3']);
    assert.deepEqual(remind(two), ['today'], 'the branch is drawn again');
    assert.deepEqual(tree(), [
      ['Reminders', '2'],
      ['Today', '1', '3'],
    ]);
    assert.deepEqual(remind(aRow(9), two), [`today/none:${remindersKey}`], 'that group alone is drawn again');
    assert.deepEqual(tree()[0], ['Reminders', '9', '2'], 'also what the branch itself does not show');
    assert.deepEqual(remind(), ['today']);
    assert.deepEqual(tree(), ['today/1', 'today/2', 'today/3']);
  });

  it('are above the groups of the branch, without the empty ones', () => {
    const [one, two] = [aRow(1), aRow(2)];
    const groups: RowRequest['groups'] = ({ roots }) =>
      roots.map(key => ({ key: `of ${key}`, label: key, roots: [key] }));
    const { tree, remind } = shown([one, two], groups);
    remind(one);
    assert.deepEqual(tree(), [
      ['Reminders', '1'],
      ['2', '2'],
    ]);
  });

  it('return the same lines until something changes', () => {
    const top = new RemindersOnTop();
    const lines = [aRow(1), aRow(2)];
    const [reminded] = [aRow(2)];
    const first = top.request(plain(lines), [reminded!], 'Today').lines;
    assert.equal(top.request(plain(lines), [{ ...reminded! }], 'Today').lines, first);
    assert.notEqual(top.request(plain([...lines]), [reminded!], 'Today').lines, first);
    assert.equal(top.request(plain(lines), [], 'Today').lines, lines);
  });

  it('are those of the requested lists, with the dates of their occurrence', async () => {
    const now = lab.clock.time;
    const engine = await lab.open();
    await engine.reminders.open();
    engine.reminders.takeLead();
    const [home] = engine.lists();
    const work = await engine.createList({ name: 'Work' });
    const input = { due: now + 60_000, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] };
    await engine.createTask(home!.id, { ...input, title: 'Once' });
    await engine.createTask(work, { ...input, title: 'Daily', rrule: 'FREQ=DAILY' });
    lab.clock.time += 86_400_000 + 120_000;
    await engine.reminders.fire();
    const rows = (lists?: number[]) =>
      remindedRows(engine, lists).map(({ task, due, isOverdue }) => [task.title, due, isOverdue]);
    assert.deepEqual(rows([home!.id]), [['Once', now + 60_000, true]]);
    assert.deepEqual(rows([work]), [['Daily', now + 60_000 + 86_400_000, true]]);
    assert.equal(rows().length, 2);
    lab.clock.time = now;
  });

  it('are those of a series if an exception for all later dates reminds of them', async () => {
    const now = lab.clock.time;
    const engine = await lab.open();
    await engine.reminders.open();
    engine.reminders.takeLead(true);
    const at = (days: number) =>
      `${new Date(now + days * 86_400_000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Now', 'TRIGGER;RELATED=END:PT0S', 'END:VALARM'];
    const todo = (...lines: string[]) => ['BEGIN:VTODO', 'UID:series', ...lines, 'END:VTODO'];
    const text = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...todo('SUMMARY:Daily', `DUE:${at(1)}`, `DTSTART:${at(1)}`, 'RRULE:FREQ=DAILY'),
      ...todo(
        'SUMMARY:Later',
        `RECURRENCE-ID;RANGE=THISANDFUTURE:${at(2)}`,
        `DUE:${at(2)}`,
        'STATUS:COMPLETED',
        ...alarm,
      ),
      'END:VCALENDAR',
    ].join('\r\n');
    await engine.importTasks('ics', text, engine.defaultListId());
    await engine.reminders.fire();
    lab.clock.time = now + 3 * 86_400_000 + 60_000;
    const [reminder] = await engine.reminders.fire();
    assert.equal(reminder?.task.title, 'Later');
    const [row] = remindedRows(engine);
    assert.deepEqual([row?.task.title, row?.due, row?.task.masterId], ['Daily', now + 3 * 86_400_000, null]);
    lab.clock.time = now;
  });
});
