import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Id } from '../../src/api';
import { AFolder } from '../sync/support/folders';
import { linesOf } from '../sync/support/texts';
import { FolderModel } from './support/folderModel';
import { FolderNeighbor } from './support/folderNeighbor';
import { lineOf } from './support/neighbor';
import { newRandom } from './support/random';
import { runModel } from './support/settleDevices';
import type { Device } from './support/twoDevices';
import { fileOf } from './support/undoActs';

/** Acts that one device has not heard of, step by step: the model once took them for faults. */
describe('the model of two devices with folders finds no fault', function () {
  this.timeout(600_000);

  const listOf = ({ engine }: Device) => engine.lists().find(({ name }) => name === 'β')!;
  const rowOf = (device: Device, title: string): Id =>
    device.engine.rows(listOf(device).id).find(row => row.title === title && !row.isDeleted)!.id;

  let folders: readonly AFolder[];
  const check = async (acts: (model: FolderModel, a: Device, b: Device) => Promise<void>) => {
    folders = [new AFolder(), new AFolder()];
    await runModel(folders, async ({ devices, proxies }) => {
      const model = new FolderModel(devices, newRandom(1), proxies);
      model.neighbor = new FolderNeighbor(folders, model.acts, model.random, model.note);
      await acts(model, ...devices);
      return model;
    });
  };

  it('in a task that both read from one file, and one moved away before the other sent it', () =>
    check(async (model, a, b) => {
      for (const device of [a, b]) await device.engine.importTasks('ics', fileOf(0), listOf(device).id);
      await b.sync();
      await model.movesList(b, listOf(b), null);
      await b.sync();
      await a.sync();
    }));

  it('in a task that one moved to its computer, where it arrived without its parent', () =>
    check(async (model, a, b) => {
      await a.engine.importTasks('ics', fileOf(0), listOf(a).id);
      await a.sync();
      const { items, remove } = [...folders[0]!.lists.values()].find(({ name }) => name === 'β')!;
      const [path, { text }] = [...items].find(([, item]) => item.text.includes('SUMMARY:Pack bag 0'))!;
      remove(path);
      model.acts.deletes(lineOf(linesOf(text), 'UID')!, 'neighbor', 'Pack bag 0');
      await b.sync();
      await model.movesList(b, listOf(b), null);
      await b.sync();
    }));

  it('in a task that one moved to its computer with its parent while the other put it under another one', () =>
    check(async (_model, a, b) => {
      const { id } = listOf(a);
      const parent = await a.engine.createTask(id, { title: 'p' });
      for (const input of [{ title: 'o' }, { title: 't', parentId: parent }]) await a.engine.createTask(id, input);
      await a.sync();
      await b.sync();
      const own = await a.engine.createList({ name: 'own' });
      await a.engine.moveTask(parent, { listId: own });
      await b.engine.moveTask(rowOf(b, 't'), { parentId: rowOf(b, 'o') });
      await b.sync();
      await a.sync();
      await b.sync();
    }));

  // A folder is read in the order of its files' names, which are UIDs.
  for (const [order, parent, child] of [
    ['after its parent', '1-p', '2-t'],
    ['before its parent', '2-p', '1-t'],
  ] as const)
    it(`in a task, read ${order}, that each moved to another list, with and without its parent, about which they are asked`, () =>
      check(async (model, a, b) => {
        const todo = (...lines: string[]) => ['BEGIN:VTODO', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VTODO'];
        const lines = [
          ...todo(`UID:${parent}`, 'SUMMARY:p'),
          ...todo(`UID:${child}`, 'SUMMARY:t', `RELATED-TO:${parent}`),
        ];
        const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//t//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
        await a.engine.importTasks('ics', text, listOf(a).id);
        await a.sync();
        await b.sync();
        const { id: own } = listOf(b);
        await model.movesList(b, listOf(b), null);
        const copy = b.engine.lists().find(list => list.accountId === null && list.name === 'β')!;
        assert.notEqual(copy.id, own);
        await model.movesList(b, copy, b.engine.accounts()[1]!.id);
        const other = a.engine.lists().find(({ name }) => name === 'γ')!;
        await a.engine.moveTask(rowOf(a, 't'), { listId: other.id });
        for (const device of [a, b, a, b]) await device.sync();
      }));

  const ownCopy = ({ engine }: Device) => engine.lists().find(list => list.accountId === null && list.name === 'β')!;

  it('in a task that one restored after another program had deleted it, and the other deleted at the same time', () =>
    check(async (model, a, b) => {
      await a.engine.createTask(listOf(a).id, { title: 't' });
      await a.sync();
      await b.sync();
      await model.movesList(b, listOf(b), null);
      const { items, remove } = [...folders[0]!.lists.values()].find(({ name }) => name === 'β')!;
      const [[path, { text }]] = [...items] as [[string, { text: string }]];
      remove(path);
      model.acts.deletes(lineOf(linesOf(text), 'UID')!, 'neighbor', 't');
      await a.sync();
      await a.acceptEmptied();
      await a.sync();
      const [own] = b.engine.rows(ownCopy(b).id);
      await b.engine.deleteTask(own!.id);
      await a.engine.restore((await a.engine.trash()).map(({ key }) => key));
      await a.sync();
      await b.sync();
    }));

  it('in a task whose parent one deleted while the other moved both to its computer', () =>
    check(async (_model, a, b) => {
      await a.engine.importTasks('ics', fileOf(0), listOf(a).id);
      await a.sync();
      await b.sync();
      const own = await b.engine.createList({ name: 'own' });
      await b.engine.moveTask(rowOf(b, 'Pack bag 0'), { listId: own });
      await a.engine.deleteTask(rowOf(a, 'Pack bag 0'), { children: 'keep' });
      await a.sync();
      await b.sync();
    }));

  it('in a task whose parent one deleted while the other moved both to another account', () =>
    check(async (model, a, b) => {
      await a.engine.importTasks('ics', fileOf(0), listOf(a).id);
      await a.sync();
      await b.sync();
      await b.engine.deleteTask(rowOf(b, 'Pack bag 0'), { children: 'keep' });
      await model.movesList(a, listOf(a), null);
      await model.movesList(a, ownCopy(a), a.engine.accounts()[1]!.id);
      await a.sync();
      await b.sync();
      await a.sync();
    }));

  it('in a task that one had not yet sent as moved away from its deleted parent, and the other restored', () =>
    check(async (model, a, b) => {
      await a.engine.importTasks('ics', fileOf(0), listOf(a).id);
      await a.sync();
      await b.sync();
      await b.engine.moveTask(rowOf(b, 'Pass 0'), { parentId: null });
      const { items, remove } = [...folders[0]!.lists.values()].find(({ name }) => name === 'β')!;
      const [path, { text }] = [...items].find(([, item]) => item.text.includes('SUMMARY:Pack bag 0'))!;
      remove(path);
      model.acts.deletes(lineOf(linesOf(text), 'UID')!, 'neighbor', 'Pack bag 0');
      await b.sync();
      await a.sync();
      await a.engine.restore((await a.engine.trash()).map(({ key }) => key));
      await a.sync();
      await b.sync();
    }));

  it('in a task that one moved to its computer and from there to another account, while the other put it under one', () =>
    check(async (model, a, b) => {
      for (const title of ['p', 't']) await a.engine.createTask(listOf(a).id, { title });
      await a.sync();
      await b.sync();
      await b.engine.moveTask(rowOf(b, 't'), { parentId: rowOf(b, 'p') });
      await model.movesList(a, listOf(a), null);
      await a.sync();
      await b.sync();
      await model.movesList(b, listOf(b), null);
      await model.movesList(a, ownCopy(a), a.engine.accounts()[1]!.id);
      await a.sync();
      await b.sync();
    }));

  it('in a task that arrived in one list twice, once without the parent that one of them did not have then', () =>
    check(async (model, a, b) => {
      await a.engine.importTasks('ics', fileOf(0), listOf(a).id);
      const to = await a.engine.createList({
        name: 'to γ',
        accountId: a.engine.accounts()[0]!.id,
        color: model.lists.newColor(),
      });
      await a.sync();
      await b.sync();
      const { path, items } = [...folders[0]!.lists.values()].find(({ name }) => name === 'β')!;
      const [file] = [...items].find(([, { text }]) => text.includes('SUMMARY:Pack bag 0'))!;
      renameSync(fileURLToPath(file), fileURLToPath(`${path}.aside`));
      await a.sync();
      renameSync(fileURLToPath(`${path}.aside`), fileURLToPath(file));
      await model.acts.movesList(() => a.engine.moveTask(rowOf(a, 'Pass 0'), { listId: to }));
      await a.sync();
      const there = b.engine.lists().find(({ name }) => name === 'to γ')!;
      await b.engine.moveTask(rowOf(b, 'Pack bag 0'), { listId: there.id });
      await b.sync();
    }));
});
