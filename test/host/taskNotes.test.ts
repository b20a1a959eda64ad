import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { duelineApi, eventually, run } from './support/api';

describe('the notes of a task', () => {
  let api: DuelineEngine;
  let id: number;
  let notes: vscode.TextEditor;
  before(async () => {
    api = (await duelineApi()) as DuelineEngine;
  });
  beforeEach(async () => {
    id = await api.createTask(api.lists()[0]!.id, { title: 'Fix: the race', description: 'See src/race.ts:12.' });
    await run('dueline.editNotes', id);
    notes = await eventually('the editor', () => {
      const { activeTextEditor } = vscode.window;
      return activeTextEditor?.document.getText() === 'See src/race.ts:12.' && activeTextEditor;
    });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await api.deleteTask(id);
  });

  const stored = () => api.task(id)?.description;
  const shown = (subject: string, text: string) => eventually(subject, () => notes.document.getText() === text);
  const insert = (line: number, character: number, text: string) =>
    notes.edit(edit => edit.insert(new vscode.Position(line, character), text));

  it('are edited in an editor, with changes in both directions', async () => {
    assert.equal(notes.document.languageId, 'markdown');
    // The file is that of the task, whatever the task is called by now.
    await api.updateTask(id, { title: 'Fix: the race, again' });
    await insert(0, 0, 'First. ');
    assert.equal(await notes.document.save(), true);
    assert.equal(stored(), 'First. See src/race.ts:12.');
    assert.equal(notes.document.isDirty, false);
    await api.updateTask(id, { description: 'From elsewhere' });
    await shown('the change from elsewhere', 'From elsewhere');
  });

  it('keep their letters with another encoding in the settings', async () => {
    const files = vscode.workspace.getConfiguration('files');
    try {
      await files.update('encoding', 'windows1252', true);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      const other = await api.createTask(api.lists()[0]!.id, { title: 'Other', description: 'Grün 日本' });
      await run('dueline.editNotes', other);
      notes = await eventually('the editor', () => {
        const { activeTextEditor } = vscode.window;
        return activeTextEditor?.document.uri.path.includes('Other') && activeTextEditor;
      });
      assert.equal(notes.document.getText(), 'Grün 日本');
      await insert(0, 0, 'Größe ');
      assert.equal(await notes.document.save(), true);
      assert.equal(api.task(other)?.description, 'Größe Grün 日本');
      await api.deleteTask(other);
    } finally {
      await files.update('encoding', undefined, true);
    }
  });

  it('lose neither version if both were changed', async () => {
    await insert(0, 19, ' And mine');
    await api.updateTask(id, { description: 'From elsewhere again' });
    assert.equal(await notes.document.save(), false, 'the editor asks which to keep');
    assert.equal(stored(), 'From elsewhere again');
    assert.equal(notes.document.getText(), 'See src/race.ts:12. And mine');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await shown('the stored text', 'From elsewhere again');
  });
});
