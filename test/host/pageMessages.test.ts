import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import type { GroupView } from '../../src/shared/widgetProtocol';
import { draggedTasks } from '../../src/ui/draggedTasks';
import { duelineApi, eventually } from './support/api';
import { formPage, widgetPage } from './support/page';

describe('messages of pages', () => {
  let engine: DuelineEngine;
  let listId: number;
  before(async () => {
    engine = (await duelineApi()) as DuelineEngine;
    listId = await engine.createList({ name: 'Pages' });
  });
  after(() => engine.deleteList(listId));

  it('get an answer to a refused line, so that its text comes back', async () => {
    const id = await engine.createTask(listId, { title: 'Parent' });
    const isAnswered = async (page: Awaited<ReturnType<typeof formPage>>) => {
      page.send({ type: 'add', request: 7, text: 'x'.repeat(1_000_001), rejected: [] });
      assert.equal((await page.hears('failed', { request: 7 })).message, 'This text is too long.');
      page.send({ type: 'add', request: 8, text: 'x\n'.repeat(6000).trim(), rejected: [], as: 'notes' });
      await page.hears('added', { request: 8 });
      page.end();
    };
    await isAnswered((await widgetPage(engine, 'tasks')).page);
    await isAnswered(await formPage(engine, id));
  });

  it('get an error for notes that cannot be saved, instead of a confirmation', async () => {
    const id = await engine.createTask(listId, { title: 'Noted', description: 'Before' });
    let isFull = true;
    const full = new Proxy(engine, {
      get(real, name: keyof DuelineEngine) {
        if (name === 'apply' && isFull) return () => Promise.reject(new Error('The disk is full.'));
        const value: unknown = real[name];
        return typeof value === 'function' ? value.bind(real) : value;
      },
    });
    const form = await formPage(full, id);
    const notes = (value: string) => form.send({ type: 'field', field: 'notes', value, base: 'Before' });
    notes('Written');
    assert.equal((await form.hears('problem', { field: 'notes' })).message, 'The disk is full.');
    notes('x'.repeat(1_000_001));
    await form.hears('problem', { field: 'notes', message: 'This text is too long.' });
    assert.equal(form.heard.filter(({ type }) => type === 'saved').length, 0);
    form.send({ type: 'leave', closes: true });
    form.send({ type: 'suggest', request: 5, chip: 'due', text: '' });
    await form.hears('suggestions', { request: 5 });
    isFull = false;
    notes('Written');
    await form.hears('saved', { field: 'notes' });
    assert.equal(engine.task(id)!.description, 'Written');
    form.end();
  });

  it('do not add a task elsewhere if its day or column is no longer shown', async () => {
    const { page } = await widgetPage(engine, 'week');
    const before = engine.query('').length;
    page.send({ type: 'add', request: 1, text: 'Nowhere', rejected: [], group: '1999-01-01' });
    await page.hears('failed', { request: 1 });
    assert.equal(engine.query('').length, before);
    page.end();
  });

  /** A cell of a board, as it was shown first. */
  const cellOf = ({ heard }: Awaited<ReturnType<typeof widgetPage>>['page'], column: string, row?: string) => {
    const shown = heard.find(({ type }) => type === 'show')?.groups as readonly GroupView[];
    return shown.find(({ board }) => board?.column === column && board.row?.label === row)!;
  };

  it('collapse and expand one column, whatever else is collapsed', async () => {
    const { page, setup } = await widgetPage(engine, 'board', { collapsed: ['cancelled', 'high'] });
    page.send({ type: 'collapse', column: 'done' });
    await eventually('the column', () => setup().collapsed.includes('done'));
    assert.deepEqual(setup().collapsed, ['cancelled', 'high', 'done']);
    page.send({ type: 'collapse', column: 'done' });
    await eventually('the column again', () => !setup().collapsed.includes('done'));
    assert.deepEqual(setup().collapsed, ['cancelled', 'high']);
    page.end();
  });

  it('distinguish columns of the same name', async () => {
    const other = await engine.createList({ name: 'Pages' });
    await engine.createTask(other, { title: 'Tagged', tags: ['none'] });
    const idsOf = async (group: string) => {
      const { page } = await widgetPage(engine, 'board', { group });
      const shown = page.heard.findLast(({ type }) => type === 'show')?.groups as readonly GroupView[];
      page.end();
      return shown.map(({ board }) => board!);
    };
    for (const group of ['list', 'tag']) {
      const columns = await idsOf(group);
      assert.equal(new Set(columns.map(({ id }) => id)).size, columns.length, group);
    }
    const ids = (await idsOf('list')).map(({ id }) => id);
    assert.ok(ids.includes('Pages') && ids.includes('Pages (2)'), ids.join());
    assert.equal((await idsOf('tag')).at(-1)!.id, 'none');
    await engine.deleteList(other);
  });

  it('drop tasks dragged out of a tree once', async () => {
    const id = await engine.createTask(listId, { title: 'Dragged' });
    const { page } = await widgetPage(engine, 'board', { lists: ['Pages'] });
    const move = (name: string) => page.send({ type: 'moveDragged', group: cellOf(page, name).key });
    draggedTasks.start([id]);
    move('In progress');
    await eventually('the status', () => engine.task(id)!.status === 1);
    await engine.reopenTask(id);
    move('In progress');
    await page.hears('announced');
    page.send({ type: 'suggest', request: 3, text: '', position: 0 });
    await page.hears('suggestions', { request: 3 });
    assert.equal(engine.task(id)!.status, 0);
    page.end();
  });

  it('move and complete a card dropped among the done of another row in one step', async () => {
    const settings = vscode.workspace.getConfiguration();
    await settings.update('dueline.completion.completeSubtasks', 'always', 1);
    const home = await engine.createList({ name: 'Pages at home' });
    await engine.createTask(home, { title: 'There' });
    const id = await engine.createTask(listId, { title: 'Done elsewhere' });
    const child = await engine.createTask(listId, { title: 'Below', parentId: id });
    const { page } = await widgetPage(engine, 'board', { rows: 'list', lists: ['Pages', 'Pages at home'] });
    const from = cellOf(page, 'To do', 'Pages').rows.find(key => key.includes(`/${id}`))!;
    page.send({ type: 'move', keys: [from], group: cellOf(page, 'Done', 'Pages at home').key });
    const facts = () => [id, child].map(one => [engine.task(one)!.listId, engine.task(one)!.status]);
    await eventually('all of it', () => facts().every(([list, status]) => list === home && status === 2));
    await engine.undo();
    assert.deepEqual(facts(), [
      [listId, 0],
      [listId, 0],
    ]);
    page.end();
    await settings.update('dueline.completion.completeSubtasks', undefined, 1);
    await engine.deleteList(home);
  });
});
