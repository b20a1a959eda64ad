import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { TodoTarget } from '../../contributions/commandTargets';
import { views } from '../../contributions/ids';
import type { Todo } from '../../core/code/todos';
import { isClosed } from '../../core/fields/status';
import { Disposables } from '../../core/kernel/events';
import type { Id, Task } from '../../core/kernel/model';
import { isolate, numeral, rowLabel, t, unlinked } from '../../shared/l10n';
import type { TaskSelection } from '../../ui/selection';
import { titleOf } from '../../ui/text/taskText';
import { whenOf } from '../decorations';
import type { OpenFiles } from '../openFiles';
import type { TodoFiles } from './todoFiles';
import type { TodoTasks } from './todoTasks';
import type { FileTodos } from './todoTexts';

interface FileNode extends FileTodos {
  readonly kind: 'file';
  readonly isExpanded: boolean;
}

interface TodoNode extends TodoTarget {
  readonly kind: 'todo';
  readonly id: string;
  readonly todo: Todo;
  readonly uri: vscode.Uri;
  /** The task of the comment, for the commands of tasks. */
  readonly taskId?: Id;
}

type Node = FileNode | TodoNode;

/** More files are drawn closed. */
const maxExpandedFiles = 20;
const debounceMs = 50;

/** The view of TODO comments: file by file, each with its task. */
export class TodoTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #redraw = this.#owned.add(new vscode.EventEmitter<void>());
  readonly onDidChangeTreeData = this.#redraw.event;
  readonly #view: vscode.TreeView<Node>;
  /** The nodes that the editor has asked for since the last redraw, under their parents, and what it got. */
  readonly #drawn = new Map<Node | undefined, string>();
  #soon: NodeJS.Timeout | undefined;

  constructor(
    private readonly engine: DuelineEngine,
    private readonly files: TodoFiles,
    private readonly tasks: Pick<TodoTasks, 'of'>,
    openFiles: Pick<OpenFiles, 'onDidChange'>,
    selection: Pick<TaskSelection, 'track'>,
  ) {
    this.#view = this.#owned.add(
      vscode.window.createTreeView<Node>(views.todos, { treeDataProvider: this, showCollapseAll: true }),
    );
    for (const part of [
      files.onDidChange(() => this.#drawSoon()),
      engine.onDidChange(() => this.#drawSoon()),
      openFiles.onDidChange(() => this.#drawSoon()),
      selection.track(this.#view, () => void vscode.commands.executeCommand(`${views.todos}.focus`)),
      this.#view.onDidChangeVisibility(({ visible }) => this.files.show(visible)),
      { dispose: () => clearTimeout(this.#soon) },
    ])
      this.#owned.add(part);
    void this.#draw();
  }

  #drawSoon(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#draw(), debounceMs);
  }

  async #draw(): Promise<void> {
    const { files, scope, message } = this.files;
    const count = files.reduce((sum, { todos }) => sum + todos.length, 0);
    this.#view.description = scope === 'off' ? undefined : `${numeral(count)} · ${scopeNames()[scope]}`;
    this.#view.message = message === undefined ? undefined : unlinked(message);
    if (this.#view.visible && (await this.#isAsDrawn())) return;
    this.#drawn.clear();
    this.#redraw.fire();
  }

  async #isAsDrawn(): Promise<boolean> {
    for (const [parent, drawn] of [...this.#drawn])
      if (this.#textOf(await this.#below(parent).catch(() => [])) !== drawn) return false;
    return true;
  }

  /** A row that is drawn again loses its buttons below the mouse until that moves, so it is drawn only if it differs. */
  #textOf(nodes: readonly Node[]): string {
    return JSON.stringify(
      nodes.map(node => {
        // Its row shows nothing else, and thousands of files may be compared at each change of a task.
        if (node.kind === 'file') return [node.uri.path, node.todos, node.isExpanded];
        const { id, label, description, iconPath, contextValue, tooltip } = this.getTreeItem(node);
        return [id, label, description, iconPath, contextValue, tooltip, node.todo, node.taskId];
      }),
    );
  }

  async getChildren(node?: Node): Promise<Node[]> {
    this.#drawn.set(node, ''); // what changes while it is computed is drawn as well
    const nodes = await this.#below(node);
    this.#drawn.set(node, this.#textOf(nodes));
    return nodes;
  }

  async #below(node?: Node): Promise<Node[]> {
    if (!node) {
      const { files } = this.files;
      const isExpanded = files.length <= maxExpandedFiles;
      return files.map(found => ({ kind: 'file', isExpanded, ...found }));
    }
    if (node.kind === 'todo') return [];
    const { uri, todos } = node;
    const tasks = await this.tasks.of(uri, todos);
    const file = uri.toString();
    const seen = new Map<string, number>();
    return todos.map(todo => {
      // A line that moves is the same row.
      const words = `${todo.word} ${todo.text}`;
      const nth = seen.get(words) ?? 0;
      seen.set(words, nth + 1);
      const task = tasks.get(todo.line);
      const id = `${file} ${nth} ${words}`;
      return { kind: 'todo', id, file, uri, todo, line: todo.line, text: todo.text, ...(task && { taskId: task.id }) };
    });
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node.kind === 'file' ? this.#fileItem(node) : this.#todoItem(node);
  }

  #fileItem({ uri, todos, isExpanded }: FileNode): vscode.TreeItem {
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(uri, isExpanded ? Expanded : Collapsed);
    const folder = folderOf(uri);
    item.id = uri.toString();
    item.iconPath = vscode.ThemeIcon.File;
    item.description = [numeral(todos.length), folder && isolate(folder)].filter(Boolean).join(' · ');
    return item;
  }

  #todoItem({ id, uri, todo, taskId }: TodoNode): vscode.TreeItem {
    const task = taskId === undefined ? undefined : this.engine.task(taskId);
    const item = new vscode.TreeItem(rowLabel(todo.text || todo.word));
    const line = t('line {0}', `${todo.line + 1}`);
    const owner = todo.owner && isolate(todo.owner);
    const state = task && this.#stateOf(task);
    item.id = id;
    // A narrow view cuts the end off.
    item.description = [line, state, isolate(todo.word), owner].filter(Boolean).join(' · ');
    item.iconPath = new vscode.ThemeIcon(
      task ? (isClosed(task) ? 'pass' : 'circle-large-outline') : (icons[todo.word] ?? 'comment'),
    );
    item.contextValue = task ? `todo.task.${isClosed(task) ? 'done' : 'open'}` : 'todo.none';
    item.tooltip = [
      [todo.word, owner, line].filter(Boolean).join(' · '),
      task && titleOf(task),
      todo.notes ?? todo.text,
    ]
      .filter(Boolean)
      .join('\n');
    const at = new vscode.Position(todo.line, todo.character);
    item.command = {
      command: 'vscode.open',
      title: t('Open'),
      arguments: [uri, { selection: new vscode.Range(at, at) } satisfies vscode.TextDocumentShowOptions],
    };
    return item;
  }

  #stateOf(task: Task): string {
    if (isClosed(task)) return t('done');
    const when = whenOf(this.engine, task);
    return when === undefined ? t('task') : isolate(when);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

/** Icons for words that mean more than something left to do. */
const icons: Readonly<Record<string, string>> = { FIXME: 'bug', BUG: 'bug', HACK: 'flame', XXX: 'flame' };

/** Empty for the root of the only folder. */
function folderOf(uri: vscode.Uri): string {
  const folder = vscode.Uri.joinPath(uri, '..');
  const root = vscode.workspace.getWorkspaceFolder(uri);
  if (root?.uri.toString() !== folder.toString()) return vscode.workspace.asRelativePath(folder);
  return (vscode.workspace.workspaceFolders?.length ?? 0) > 1 ? root.name : '';
}

export const scopeNames = () => ({
  openFiles: t('Open Files'),
  branch: t('This Branch'),
  workspace: t('Workspace'),
});
