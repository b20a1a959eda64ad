import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { notesScheme } from '../../contributions/ids';
import { Disposables } from '../../core/kernel/events';
import type { Id, Task } from '../../core/kernel/model';
import { isolate, t } from '../../shared/l10n';
import { type Announce, perform } from '../../ui/announcements';
import { EditedFiles } from '../../ui/documents/editedFiles';
import { explain } from '../../ui/errors';
import { fullTitleOf, titleOf } from '../../ui/text/taskText';

/** A Markdown file for the notes of a task; its name is the tab's. */
export const notesUri = (task: Task): vscode.Uri => {
  // Cut by characters: an address cannot contain half of an emoji.
  const name = [...fullTitleOf(task).replace(/[\\/:*?"<>|]/g, '-')].slice(0, 60).join('');
  return vscode.Uri.from({ scheme: notesScheme, path: `/${task.id}/${name}.md` });
};

const idOf = (uri: vscode.Uri): Id => Number(/^\/(\d+)\//.exec(uri.path)?.[1] ?? 0);

interface Version {
  readonly text: string;
  readonly mtime: number;
}

/**
 * The notes of tasks as files. A change from elsewhere is another version of the file: the editor shows it, or asks
 * which of the two to keep if the file has unsaved changes.
 */
export class NotesFiles extends EditedFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;
  /** Files that the editor has asked for, as they were then. */
  readonly #known = new Map<string, Version>();
  /**
   * The versions that the editor checked right before it writes, and those it has just written and will check right
   * after.
   */
  readonly #stated = new Map<string, Version>();
  readonly #written = new Map<string, Version>();

  constructor(
    private readonly engine: DuelineEngine,
    private readonly announce: Announce,
  ) {
    super();
    this.#owned.add(this.#changes);
    this.#owned.add(vscode.workspace.registerFileSystemProvider(notesScheme, this, { isCaseSensitive: true }));
    this.#owned.add(engine.onDidChange(() => this.#checkVersions()));
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const task = this.#task(uri);
    const key = uri.toString();
    const version = this.#version(uri, task);
    const { text, mtime } = this.#written.get(key) ?? version;
    this.#stated.set(key, version);
    // The editor does not know of a change that came while it was writing.
    if (this.#written.delete(key) && mtime !== version.mtime) setTimeout(() => this.#fireChanged(uri));
    const isReadOnly = this.engine.lists().find(({ id }) => id === task.listId)?.isReadOnly === true;
    return {
      type: vscode.FileType.File,
      ctime: task.createdAt ?? 0,
      mtime,
      size: this.bytesOf(text).length,
      ...(isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.bytesOf(this.#version(uri, this.#task(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const typed = this.textOf(content).replace(/\r\n?/g, '\n');
    const text = typed.trim() === '' ? '' : typed;
    const [key, task] = [uri.toString(), this.#task(uri)];
    if (this.#stated.get(key) !== this.#version(uri, task))
      throw vscode.FileSystemError.Unavailable(
        t('The notes were changed elsewhere at the same time. Save again to compare.'),
      );
    try {
      const write = () => this.engine.updateTask(task.id, { description: text === '' ? null : text });
      this.announce(await perform(this.engine, write, () => t('Changed the notes of {0}', isolate(titleOf(task)))));
      const version = this.#version(uri, this.#task(uri));
      this.#written.set(key, version.text === text ? version : { text, mtime: version.mtime - 1 });
    } catch (error) {
      throw vscode.FileSystemError.NoPermissions(explain(error));
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #task(uri: vscode.Uri): Task {
    const task = this.engine.task(idOf(uri));
    if (!task) throw vscode.FileSystemError.FileNotFound(t('This task no longer exists.'));
    return task;
  }

  #version(uri: vscode.Uri, { description }: Task): Version {
    const text = description ?? '';
    const known = this.#known.get(uri.toString());
    if (known?.text === text) return known;
    // Two versions within a millisecond are two.
    const version = { text, mtime: Math.max(Date.now(), (known?.mtime ?? 0) + 1) };
    this.#known.set(uri.toString(), version);
    return version;
  }

  #fireChanged(uri: vscode.Uri): void {
    this.#changes.fire([{ uri, type: vscode.FileChangeType.Changed }]);
  }

  #checkVersions(): void {
    const events: vscode.FileChangeEvent[] = [];
    for (const [key, known] of this.#known) {
      const uri = vscode.Uri.parse(key);
      const task = this.engine.task(idOf(uri));
      if (task && this.#version(uri, task) === known) continue;
      if (!task) this.#known.delete(key);
      events.push({ uri, type: task ? vscode.FileChangeType.Changed : vscode.FileChangeType.Deleted });
    }
    if (events.length > 0) this.#changes.fire(events);
  }
}
