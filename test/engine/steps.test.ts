import assert from 'node:assert/strict';
import { openEngine } from '../../src/engine';
import { engines } from './support/engine';

describe('steps of the history', () => {
  const started = engines();

  it('record what they did to each task, and which are an agent’s in another process', async () => {
    const folder = started.folder();
    const window = await started.open({ folder });
    const list = window.defaultListId();
    const id = await window.createTask(list, { title: 'Write', due: 86_400_000, isAllDay: true });
    const other = await openEngine({ folder, clock: window.clock });
    const seen: unknown[] = [];
    window.onDidChange(({ step }) => step && seen.push([step.label.client?.name, step.label.key, step.label.title]));
    other.workFor({ name: 'Claude Code', session: 'one' });
    await other.updateTask(id, { title: 'Rewrite', due: 172_800_000, tags: ['a'] });
    await other.updateTask(id, { alarms: [{ minutesBefore: 5, reference: 'DUE', message: null }] });
    await other.undo();
    other.workFor(undefined);
    await other.completeTask(id);
    await window.refresh();
    assert.deepEqual(seen, [
      ['Claude Code', 'update', 'Write'],
      ['Claude Code', 'update', 'Rewrite'],
    ]);
    const [, changed, added] = await window.undoSteps();
    const [{ before, after, task }] = changed!.changes() as [ReturnType<NonNullable<typeof changed>['changes']>[0]];
    assert.equal(task, id);
    const shown = ({ title, due, isAllDay, tags }: object & Record<string, unknown>) => ({
      title,
      due,
      isAllDay,
      tags,
    });
    assert.deepEqual(shown({ ...before }), { title: 'Write', due: 86_400_000, isAllDay: true, tags: [] });
    assert.deepEqual(shown({ ...after }), { title: 'Rewrite', due: 172_800_000, isAllDay: true, tags: ['a'] });
    assert.deepEqual(added!.changes(), [{ task: id, after: {} }]);
    await other.close();
  });
});
