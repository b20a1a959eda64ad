import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { rowsOfTemplate, templateOf } from '../../src/core/exchange/template';
import { wholeTemplates } from '../../src/core/exchange/wholeTemplates';
import { detailNames, isNumber, type TextName, textFacts, textNames } from '../../src/core/fields/table';
import { settableOf, type Texts, textOf } from '../../src/core/fields/values';
import type { Day } from '../../src/core/time/dates';
import { Draft } from '../../src/views/taskEditor/draft';
import { editOf } from '../../src/views/taskEditor/formEdit';
import { engines } from './support/engine';

const aValue = (name: TextName) => (textFacts[name].isUri ? 'https://left.example/' : 'Left; Hall, 1');
const textsWith = (name: TextName, text: string | null): Texts => Object.fromEntries([[name, text]]);

describe('every text field of a task', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let inbox: number;
  const textIn = (id: number, name: TextName) => textOf(engine.task(id)!, name);

  beforeEach(async () => {
    engine = await lab.open();
    inbox = engine.defaultListId();
  });

  for (const name of textNames.filter(one => !isNumber(one))) {
    const value = aValue(name);
    const { filter, csv } = textFacts[name];
    const aTask = () => engine.createTask(inbox, { title: 'A task', ...textsWith(name, value) });

    it(`is stored, changed and cleared: ${name}`, async () => {
      const id = await aTask();
      assert.equal(textIn(id, name), value);
      await engine.updateTask(id, textsWith(name, 'https://right.example/'));
      assert.equal(textIn(id, name), 'https://right.example/');
      await engine.updateTask(id, textsWith(name, null));
      assert.equal(textIn(id, name), null);
      await assert.rejects(engine.updateTask(id, { [name]: 7 }), new RegExp(name));
    });

    it(`is found by a query: ${name}`, async () => {
      const id = await aTask();
      await engine.createTask(inbox, { title: '' });
      for (const query of [`${filter.word}:LEFT`, `has:${filter.word}`, `${filter.word}:/ef[t]/`]) {
        const found = engine.query(query).map(({ task }) => task.id);
        assert.deepEqual(found, [id], query);
      }
      assert.equal(engine.query(`no:${filter.word}`).length, 1);
    });

    it(`is kept by a template: ${name}`, async () => {
      const stored = JSON.stringify([templateOf('Stored', engine.task(await aTask())!, () => [], 'UTC')]);
      const [row] = rowsOfTemplate(wholeTemplates(JSON.parse(stored))[0]!, '2026-12-24' as Day, 'UTC');
      assert.equal(row!.input[name], value);
    });

    it(`survives a CSV file: ${name}`, async () => {
      const id = await aTask();
      const file = engine.exportTasks('csv');
      assert.ok(file.split('\n')[0]!.split(',').includes(csv));
      await engine.updateTask(id, textsWith(name, null));
      await engine.importTasks('csv', file, inbox);
      assert.equal(textIn(id, name), value);
      const other = await engine.createList({ name: 'Other' });
      await engine.importTasks('json', engine.exportTasks('json'), other);
      assert.deepEqual(
        engine.rows(other).map(row => textOf(row, name)),
        [value],
      );
    });

    it(`is copied, and kept in a draft: ${name}`, async () => {
      const [copy] = [await engine.createTask(inbox, settableOf(engine.task(await aTask())!))];
      assert.equal(textIn(copy!, name), value);
      const draft = new Draft(engine, inbox);
      await draft.take(name === 'title' ? {} : textsWith(name, value));
      const later = new Draft(engine, inbox, JSON.parse(JSON.stringify(draft.input)));
      if (name !== 'title') assert.equal(textOf(later.task, name), value);
      const id = await later.take({ title: value });
      assert.equal(textIn(id!, name), value);
    });
  }

  it('is edited by the form if it is among the details', async () => {
    const id = await engine.createTask(inbox, { title: 'A task' });
    for (const name of detailNames) {
      const write = (value: string) =>
        engine.updateTask(id, editOf([{ type: 'field', field: name, value }], engine.task(id)!, 'UTC').patch);
      await write(aValue(name));
      assert.equal(textIn(id, name), aValue(name));
      await write(' ');
      assert.equal(textIn(id, name), null);
    }
  });
});
