import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRepository } from '../support/repository';
import { todoFiles } from '../support/sampleCode';
import { Editor } from '../support/vscode/editor';
import { finds, lineInFront, showFile } from './support/code';
import { clear } from './support/widgets';

describe('TODO comments', () => {
  let editor: Editor;
  let folder: string;
  const path = (name: string) => join(folder, name);
  const show = (name: string) => showFile(editor, path(name));
  const todos = () => editor.tree('dueline.todos');
  const isListed = () => editor.commands.context('dueline.listsTodos') === true;
  const shows = (...expected: string[]) =>
    editor.changes.until(`the rows ${expected.join()}`, () => {
      const rows = todos().rows.map(({ label, description }) => `${label} ${description}`);
      return rows.length === expected.length && expected.every((text, at) => rows[at]!.includes(text));
    });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-todos-'));
    makeRepository(folder, todoFiles);
    editor = await Editor.open({
      folder,
      extensions: {
        // The editor's own extension does the same while it is off.
        'vscode.git': {
          getAPI: () => {
            throw new Error('Git model not found');
          },
        },
      },
    });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await clear(editor);
    editor.settings.reset();
    await show('src/session.ts');
    await todos().row('close the socket');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
    await editor.changes.until('no comments', () => todos().message === 'No TODO comments.');
    assert.equal(isListed(), editor.settings.value('dueline.todos.scope') !== 'off');
  });

  const addTask = async (words: string) => {
    await editor.inline('close the socket', 'Create Task from TODO Comment', 'dueline.todos');
    await editor.questions.row('session.ts:9');
    await editor.changes.until('the words', () => editor.questions.current?.line === 'close the socket');
    editor.questions.type(words);
    await editor.questions.row('Add');
    editor.questions.accept();
    await finds(editor, 'source:todo', 'close the socket');
  };

  it('become tasks by a button of their row, which then shows that', async () => {
    await addTask('close the socket tomorrow');
    await todos().row(/close the socket.*Tomorrow/);
    assert.equal(readFileSync(path('src/session.ts'), 'utf8'), todoFiles['src/session.ts']);
    await finds(editor, 'source:todo', 'close the socket');
  });

  it('keep their rows, and the buttons below the mouse, when something else changes', async () => {
    const drawn = new Set([todos().rows]);
    await editor.engine.createTask(editor.engine.lists()[0]!.id, { title: 'Buy milk' });
    await show('lib/token.py');
    await editor.changes.until('the comment of another file', () => {
      drawn.add(todos().rows);
      return todos().rows.length === 5;
    });
    assert.equal(drawn.size, 2);
  });

  it('become tasks named after their first sentence, with all their lines in the notes', async () => {
    const text = 'class A {\n  // TODO: close the pool and\n  // its pipes. Then wait,\n  // or not.\n  a = 1;\n}\n';
    writeFileSync(path('src/pool.ts'), text);
    await show('src/pool.ts');
    await editor.inline('close the pool and its pipes.', 'Create Task from TODO Comment', 'dueline.todos');
    await editor.questions.row('pool.ts:2');
    assert.equal(editor.questions.current?.value, 'close the pool and its pipes.');
    editor.questions.accept();
    await finds(editor, 'source:todo', 'close the pool and its pipes.');
    const id = editor.engine.query('source:todo')[0]!.task.id;
    assert.equal(editor.engine.task(id)!.description, 'close the pool and\nits pipes. Then wait,\nor not.');
    rmSync(path('src/pool.ts'));
  });

  it('that contain the ID of a task show that in their row', async () => {
    const id = await editor.engine.createTask(editor.engine.defaultListId(), { title: 'Sign it' });
    const text = readFileSync(path('lib/token.py'), 'utf8');
    const shortId = editor.engine.shortIdOf(editor.engine.task(id)!);
    writeFileSync(path('lib/token.py'), text.replace('TODO: sign', `TODO(${shortId}): sign`));
    await show('lib/token.py');
    await todos().row(/sign it.*task/);
    writeFileSync(path('lib/token.py'), text);
  });

  it('of many files are sorted once for a drawing, and not for each row', async () => {
    const id = await editor.engine.createTask(editor.engine.defaultListId(), { title: 'Sign it' });
    const shortId = editor.engine.shortIdOf(editor.engine.task(id)!);
    const names = Array.from({ length: 12 }, (_, at) => `src/many${at}.ts`);
    const all = (state: string) =>
      editor.changes.until(`the rows ${state}`, () => {
        const rows = todos().rows.filter(({ label, description }) => `${label} ${description}`.match(`sign.*${state}`));
        return rows.length === names.length;
      });
    for (const name of names) {
      writeFileSync(path(name), `// TODO(${shortId}): sign it\n`);
      await show(name);
    }
    await all('task');
    const { sort } = Array.prototype;
    let sorts = 0;
    const counted = function (this: { todos?: object }[], compare: () => number) {
      if (this[0]?.todos) sorts++;
      return sort.call(this, compare);
    };
    Object.assign(Array.prototype, { sort: counted });
    try {
      await editor.engine.completeTask(id);
      await all('done');
    } finally {
      Object.assign(Array.prototype, { sort });
    }
    assert.ok(sorts < names.length, `${sorts} times`);
    for (const name of names) rmSync(path(name));
  });

  it('have the keys of the other views: Space completes, Ctrl+Z undoes, / searches', async () => {
    const may = (contextKey: 'canUndo' | 'canRedo') =>
      editor.changes.until(contextKey, () => editor.commands.context(`dueline.${contextKey}`) === true);
    const isFocused = (label: string) => assert.equal(todos().focused?.label, label);
    await addTask('close the socket');
    await todos().row(/close the socket.*task/);
    await editor.command('dueline.todos.focus');
    await todos().focusRow('close the socket');
    editor.key('space');
    await finds(editor, 'source:todo');
    await todos().row(/close the socket.*done/);
    isFocused('close the socket');
    await may('canUndo');
    editor.key('ctrl+z');
    await finds(editor, 'source:todo', 'close the socket');
    await may('canRedo');
    editor.key('ctrl+shift+z');
    await finds(editor, 'source:todo');
    isFocused('close the socket');
    await may('canUndo');
    editor.key('ctrl+z');
    await finds(editor, 'source:todo', 'close the socket');
    // A comment without a task has none to complete.
    await todos().focusRow('retry');
    editor.key('space');
    editor.key('/');
    await editor.questions.asked();
    await finds(editor, 'source:todo', 'close the socket');
  });

  it('of a branch that cannot be compared are not shown, with the reason', async () => {
    await editor.command('workbench.action.closeSidebar');
    void editor.command('dueline.showTodosOf');
    await editor.questions.pick('This Branch');
    await editor.changes.until('the words', () => todos().message?.includes('This branch cannot be compared') === true);
    await shows();
    assert.match(todos().description ?? '', /0 · This Branch/);
    void editor.command('dueline.showTodosOf');
    await editor.questions.pick('Open Files');
    await todos().row('close the socket');
  });

  it('are opened at their line by a click, and disappear with the tab of their file', async () => {
    await todos().click('close the socket');
    await editor.changes.until('the line', () => editor.tabs.activeEditor?.selection.active.line === 8);
    assert.match(lineInFront(editor), /FIXME\(ana\)/);
    assert.match(todos().find('close the socket')!.description, /line 9.*FIXME.*ana/);
    await show('src/other.ts');
    await shows('other.ts', 'as long as the server is old', 'session.ts', 'retry', 'close the socket');
    assert.match(todos().description ?? '', /3 · Open Files/);
    await editor.command('workbench.action.closeActiveEditor');
    await shows('session.ts', 'retry', 'close the socket');
  });

  it('are not listed if that is off, and are found by the set keywords', async () => {
    for (const name of ['lib/token.py', 'src/other.ts']) await show(name);
    await todos().row('as long as');
    editor.settings.update('dueline.todos.scope', 'off');
    await editor.changes.until('no list', () => !isListed());
    editor.settings.update('dueline.todos.words', ['HACK']);
    editor.settings.update('dueline.todos.scope', undefined);
    await shows('other.ts', 'as long as the server is old');
    assert.ok(isListed());
    editor.settings.update('dueline.todos.words', undefined);
    await shows('token.py', 'sign it', 'other.ts', 'as long as', 'session.ts', 'retry', 'close the socket');
  });
});
