import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../../src/api';
import type { CommandId } from '../../../src/contributions/definitions';
import type { Id } from '../../../src/core/kernel/model';
import { acceptAll, duelineApi, run } from './api';
import { until } from './changes';

/** The part of the editor's own git extension that tests use. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly HEAD?: { readonly name?: string; readonly commit?: string } };
  status(): Promise<void>;
}

interface GitApi {
  readonly repositories: readonly GitRepository[];
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

/** The editors of packages are without it. */
export const hasGit = process.env.TEST_GIT === '1';

async function gitApi(): Promise<GitApi> {
  const git = await vscode.extensions.getExtension('vscode.git')?.activate();
  assert.ok(git, 'the git extension');
  return git.getAPI(1);
}

/** The entries of the light bulb for the line of the cursor. The words of its entries are of the language that the editor has. */
export async function lineActions(): Promise<vscode.Command[]> {
  const { document, selection } = vscode.window.activeTextEditor!;
  const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    selection,
  );
  return found.flatMap(({ command }) => command ?? []);
}

/** Takes that entry of the light bulb, and answers with Enter what it asks. */
export async function takeAction(id: CommandId): Promise<void> {
  const found = (await lineActions()).find(({ command }) => command === id);
  assert.ok(found, id);
  await acceptAll(vscode.commands.executeCommand(found.command, ...(found.arguments ?? [])));
}

/** The lines that have words of tasks above them, as they are drawn if `dueline.links.show` is `codeLens`. */
export async function linesOfTasks(uri: vscode.Uri): Promise<number[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
  return lenses.map(({ range }) => range.start.line + 1);
}

export const setting = (name: string, value?: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration().update(name, value, true);

/** A folder in the one that is open, with files that tasks of a list of its own are linked to. */
export class CodeFolder {
  private constructor(
    readonly engine: DuelineEngine,
    readonly listId: Id,
    readonly path: string,
  ) {}

  static async make(name: string): Promise<CodeFolder> {
    const engine = (await duelineApi()) as DuelineEngine;
    const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const folder = new CodeFolder(engine, await engine.createList({ name }), mkdtempSync(join(root, 'code-')));
    await folder.#isWatched();
    return folder;
  }

  /**
   * The editor watches its folders some time after it has opened them, and does not report from when on: another
   * program's earlier writes are not seen until the file is opened again.
   */
  async #isWatched(): Promise<void> {
    const file = vscode.Uri.file(this.file('watched'));
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.path, 'watched'));
    let isSeen = false;
    const see = () => {
      isSeen = true;
    };
    watcher.onDidCreate(see);
    watcher.onDidChange(see);
    for (let times = 0; !isSeen; times++) {
      writeFileSync(file.fsPath, `${times}`);
      await vscode.workspace.fs.stat(file);
    }
    watcher.dispose();
    rmSync(file.fsPath);
  }

  file = (...names: string[]): string => join(this.path, ...names);

  /** Until the git extension has the repository in the folder of that name. */
  async openRepository(name = ''): Promise<GitRepository> {
    const repository = await (await gitApi()).openRepository(vscode.Uri.file(this.file(name)));
    assert.ok(repository, 'the repository is open');
    await repository.status();
    return repository;
  }

  /** Opens a file as a user does, so that the editor lets go of it when its tab is closed. */
  async show(name: string, line = 1): Promise<void> {
    const uri = vscode.Uri.file(this.file(name));
    const selection = new vscode.Range(line - 1, 0, line - 1, 0);
    await run('vscode.open' as never, uri as never, { selection, preview: false } as never);
    await this.isInFront(name, line);
    // The editor may still have the text of before.
    const text = readFileSync(this.file(name), 'utf8');
    await until(this.engine, () => vscode.window.activeTextEditor?.document.getText() === text);
  }

  /** Until the cursor is in that line, which is counted from 1. */
  isInFront = (name: string, line: number): Promise<true> =>
    until(this.engine, () => {
      const { document, selection } = vscode.window.activeTextEditor ?? {};
      return document?.uri.fsPath === this.file(name) && selection?.active.line === line - 1;
    });

  /** A task for a line. */
  async link(name: string, line: number, title: string): Promise<Id> {
    const id = await this.engine.createTask(this.listId, { title });
    await this.show(name, line);
    await run('dueline.linkHere', id);
    await this.finds('in:file', title);
    return id;
  }

  titles = (query: string): string[] =>
    this.engine.query(`${query} sort:title`, { lists: [this.listId] }).map(({ task }) => task.title ?? '');

  /** Until a query finds such a task, among others. */
  finds = (query: string, title: string): Promise<boolean> =>
    until(this.engine, () => this.titles(query).includes(title));

  /** Until a query finds such a task no more. */
  misses = (query: string, title: string): Promise<boolean> =>
    until(this.engine, () => !this.titles(query).includes(title));

  /** Nothing is open, and there is no task. */
  async clear(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const rows = this.engine.rows(this.listId).filter(({ isDeleted }) => !isDeleted);
    if (rows.length > 0) await this.engine.apply(rows.map(({ id }) => ({ type: 'delete' as const, id })));
  }

  async remove(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await this.engine.deleteList(this.listId);
    if (hasGit)
      for (const { rootUri } of (await gitApi()).repositories)
        await vscode.commands.executeCommand('git.close', rootUri);
    rmSync(this.path, { recursive: true, force: true });
  }
}
