import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { hashOfUid } from '../../src/core/code/shortId';
import { type Id, Status } from '../../src/core/kernel/model';
import type { TextTarget, Vanished } from '../../src/core/text/document/types';
import { openTaskStore } from '../../src/store/taskStore';
import type { Writer } from '../../src/store/types';
import { engines } from './support/engine';

describe('a text of tasks during other changes', () => {
  const lab = engines();
  let folder: string;
  let engine: DuelineEngine;
  let work: Id;

  beforeEach(async () => {
    folder = lab.folder();
    engine = await lab.open({ folder });
    work = await engine.createList({ name: 'Work' });
  });

  const all = () => engine.lists().flatMap(({ id }) => engine.rows(id).filter(({ isDeleted }) => !isDeleted));
  const named = (title: string) => all().find(task => task.title === title && task.masterId === null)!;
  const titles = (listId = work) => engine.rows(listId).map(({ title }) => title);
  const add = (...lines: string[]) =>
    engine.quickAddLines(
      lines.map(line => ({ text: line.trim(), ...(line.startsWith(' ') && { parent: lines.indexOf(line) - 1 }) })),
      { listId: work },
    );
  /** Edits the store as sync does. */
  async function synced(edit: (tx: Writer) => unknown) {
    const store = await openTaskStore({ folder, clock: lab.clock });
    await store.edit({ origin: 'sync' }, edit);
    await store.close();
    await engine.refresh();
  }
  const copied = (tx: Writer, of: Id, values: object) => {
    const { id: _id, ...row } = tx.task(of)!;
    return tx.insertTask({ ...row, ...values });
  };
  const opened = (target: TextTarget) => {
    const text = engine.asText(target);
    after(() => text.dispose());
    return text;
  };
  /** Saves a text that was opened before `meanwhile`. */
  async function saved(
    edit: (text: string) => string,
    {
      target = { listId: work } as TextTarget,
      meanwhile = async (): Promise<unknown> => undefined,
      vanished = 'keep' as Vanished,
    } = {},
  ) {
    const text = opened(target);
    const base = text.write().text;
    await meanwhile();
    const result = await text.save({ base, mine: edit(base), vanished });
    const saveAgain = async () => (await text.save({ base: result.base, mine: result.text })).added;
    return { ...result, saveAgain };
  }

  it('treats one UID in two lists as two tasks, and writes to the edited one', async () => {
    const home = await engine.createList({ name: 'Home' });
    const [id] = await add('Same');
    await synced(tx => copied(tx, id!, { listId: home, title: 'Same at home' }));
    const { added, changed, problems } = await saved(text => text.replace(/Same /, 'Same here '), {
      target: { all: true },
    });
    assert.deepEqual([added, changed, problems], [0, 1, []]);
    assert.deepEqual([titles(), titles(home)], [['Same here'], ['Same at home']]);
  });

  it('keeps referring to a task whose short ID gets longer', async () => {
    const [id] = await add('One');
    const begin = (uid: string) => hashOfUid(uid).slice(0, 4);
    let other = 0;
    while (begin(`${other}`) !== begin(engine.task(id!)!.uid)) other++;
    const { problems, saveAgain } = await saved(text => text.replace('One', 'One of mine'), {
      meanwhile: () => synced(tx => copied(tx, id!, { uid: `${other}`, title: 'Other' })),
    });
    assert.deepEqual([problems, await saveAgain()], [[], 0]);
    assert.deepEqual(titles().sort(), ['One of mine', 'Other']);
  });

  it('does not complete the next date of a series if the ticked one was completed elsewhere', async () => {
    await add('Water every 3 days');
    const { completed, problems } = await saved(text => `[x] ${text}`, {
      meanwhile: () => engine.apply([{ type: 'complete', id: named('Water').id }]),
    });
    assert.deepEqual([completed, problems.map(({ kind }) => kind)], [0, ['changed']]);
    assert.equal(engine.rows(work).filter(({ status }) => status === Status.completed).length, 1);
  });

  for (const vanished of ['keep', 'complete'] as const)
    it(`moves no line under another task because the line above is gone: ${vanished}`, async () => {
      await add('Milk', 'Parent', ' Child');
      await saved(text => text.replace(/^Parent.*\n/m, ''), { vanished });
      assert.equal(named('Child').parentId, named('Parent').id);
    });

  it('keeps the dependents of a task whose line is gone', async () => {
    const [one, two] = await add('One', 'Two');
    await engine.apply([{ type: 'blockers', id: two!, add: [one!] }]);
    await saved(text => text.replace(/^.*One.*\n/m, ''));
    assert.deepEqual(
      engine.blockersOf(two!).map(({ task }) => task?.title),
      ['One'],
    );
  });

  it('skips read-only lists, and writes everything else', async () => {
    await add('Theirs', 'Gone');
    await synced(tx => tx.updateList(work, { isReadOnly: true }));
    const edit = (text: string) =>
      text
        .replace('Inbox\n', 'Inbox\n  Mine\n')
        .replace('Work\n', 'Work\n  New\n')
        .replace(/.*Gone.*\n/, '');
    const result = await saved(edit, { target: { all: true }, vanished: 'delete' });
    assert.deepEqual([result.added, result.deleted, await result.saveAgain()], [1, 0, 0]);
    assert.deepEqual(titles(), ['Theirs', 'Gone']);
    assert.deepEqual(await engine.trash(), []);
    assert.match(result.text, /^Inbox\n {2}Mine .*\nWork\n {2}New\n/);
  });

  it('keeps the tasks of a list with an empty name in that list', async () => {
    await add('Nameless');
    await synced(tx => tx.updateList(work, { name: ' ' }));
    const result = await saved(text => text.replace('Nameless', 'Still nameless'), { target: { all: true } });
    assert.match(result.text, /\n…\n {2}Still nameless/);
    assert.equal(named('Still nameless').listId, work);
  });

  it('adds a line once if the editor saves again before it has read the text with the IDs', async () => {
    const text = opened({ listId: work });
    const base = text.write().text;
    const mine = 'Call Bob tomorrow\n  Find the number !high\nCall Bob tomorrow\n';
    const first = await text.save({ base, mine });
    assert.deepEqual(text.check(first.base, `${mine}Third\n`).vanished, []);
    const second = await text.save({ base: first.base, mine: `${mine}Third\n` });
    const third = await text.save({ base: second.base, mine: `${mine}Third\nFourth\n` });
    assert.deepEqual([first.added, second.added, third.added], [3, 1, 1]);
    assert.deepEqual(titles(), ['Call Bob', 'Find the number', 'Call Bob', 'Third', 'Fourth']);
  });

  it('is the same task if undo in the editor brings back the words without its ID', async () => {
    const text = opened({ listId: work });
    const first = await text.save({ base: text.write().text, mine: 'Call mum 2026-12-1\n' });
    assert.match(first.text, /^Call mum 2026-12-01 {2}dl-/);
    text.check(first.base, first.text);
    const { added } = await text.save({ base: first.base, mine: 'Call mum 2026-12-1\n' });
    assert.deepEqual([added, titles()], [0, ['Call mum']]);
  });

  it('adds a line that a task once had, after the editor has read its ID', async () => {
    const text = opened({ listId: work });
    const first = await text.save({ base: text.write().text, mine: 'Milk\n' });
    const second = await text.save({ base: first.base, mine: first.text.replace('Milk', 'Bread') });
    const third = await text.save({ base: second.base, mine: 'Milk\n', vanished: 'keep' });
    assert.deepEqual([first.added, second.changed, third.added, third.changed], [1, 1, 1, 0]);
    assert.deepEqual(titles().sort(), ['Bread', 'Milk']);
  });

  it('is the same task if undo in the editor leads back to that line over a later change', async () => {
    const text = opened({ listId: work });
    const first = await text.save({ base: text.write().text, mine: 'Milk\n' });
    const second = await text.save({ base: first.base, mine: first.text.replace('Milk', 'Bread') });
    const undone = { base: second.base, mine: 'Milk\n', isUndone: true };
    assert.deepEqual(text.check(undone.base, undone.mine, true).vanished, []);
    const { added, changed } = await text.save(undone);
    assert.deepEqual([added, changed, titles()], [0, 1, ['Milk']]);
  });

  it('is the task of its ID if that was closed when its line was removed, and reopens it', async () => {
    await add('Milk', 'Bread');
    const text = opened({ listId: work });
    const base = text.write().text;
    const removed = await text.save({ base, mine: base.replace(/^Milk.*\n/, ''), vanished: 'complete' });
    assert.equal(named('Milk').status, Status.completed);
    const back = await text.save({ base: removed.base, mine: base });
    assert.deepEqual([back.added, back.problems, titles().sort()], [0, [], ['Bread', 'Milk']]);
    assert.equal(named('Milk').status, Status.needsAction);
  });

  it('is the task of its ID if a filter has its line although it does not find it', async () => {
    await add('Milk #shop', 'Bread');
    const text = opened({ query: 'tag:shop' });
    const base = text.write().text;
    const line = opened({ listId: work }).write().text.split('\n')[1]!;
    const { added, changed } = await text.save({ base, mine: `${base}${line.replace('Bread', 'Bread #shop')}\n` });
    assert.deepEqual([added, changed, titles()], [0, 1, ['Milk', 'Bread']]);
    assert.deepEqual(named('Bread').tags, ['shop']);
  });

  it('is a new task without its ID if it only means the same, or a closed task has its title', async () => {
    await add('Milk 2030-01-02', 'Bread');
    const closed = named('Bread').id;
    await engine.completeTask(closed);
    const text = opened({ listId: work });
    const base = text.write().text;
    assert.deepEqual(text.check(base, 'Milk 2.1.2030\n').vanished, ['Milk']);
    const { added } = await text.save({ base, mine: `${base}[x] Bread\n` });
    assert.equal(added, 1);
    assert.equal(engine.rows(work).filter(({ title }) => title === 'Bread').length, 2);
  });

  it('adds and moves a line once that is in another list from then on, if the editor saves it again', async () => {
    const home = await engine.createList({ name: 'Home' });
    await add('Mine', 'Theirs');
    const text = opened({ listId: work });
    const base = text.write().text;
    const mine = `${base.replace('Theirs', 'Theirs @Home')}Milk @Home\n  Skimmed\nMilk @Home\n`;
    const first = await text.save({ base, mine });
    const again = `${mine}  Whole\nThird\n`;
    assert.deepEqual(text.check(first.base, again), { problems: [], vanished: [] });
    const second = await text.save({ base: first.base, mine: again });
    assert.deepEqual([first.added, first.changed, second.added, second.changed], [3, 1, 2, 0]);
    assert.deepEqual(titles(), ['Mine', 'Third']);
    assert.deepEqual(titles(home), ['Theirs', 'Milk', 'Skimmed', 'Milk', 'Whole']);
    assert.equal(named('Whole').parentId, engine.rows(home)[3]!.id);
    assert.match(second.text, /^Mine {2}dl-\w+\nThird {2}dl-\w+\n$/);
    // Once the editor has read the text without them, such a line is a new one.
    text.check(second.base, second.text);
    const third = await text.save({ base: second.base, mine: `${second.text}Milk @Home\n` });
    assert.equal(third.added, 1);
  });
});
