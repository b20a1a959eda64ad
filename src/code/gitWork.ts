import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { withoutTrailer, withTrailer } from '../core/code/gitText';
import { isClosed } from '../core/fields/status';
import { Disposables } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import { brief, isolate, t } from '../shared/l10n';
import { setting } from '../ui/settings/settings';
import type { GitRepository } from '../ui/text/codeLinks';
import { titleOf } from '../ui/text/taskText';
import type { BranchTasks } from './branchTasks';
import { type GitApi, gitApi } from './git';
import type { CurrentCode } from './here';
import type { MergedBranches } from './mergedBranches';
import type { MovedFiles } from './movedFiles';
import type { WorkingCopies } from './workingCopies';

/** The git extension starts with the window, and not because of us. */
const startMs = 3_000;
const debounceMs = 300;

interface GitWorkServices {
  readonly engine: DuelineEngine;
  readonly here: CurrentCode;
  readonly copies: WorkingCopies;
  readonly branches: BranchTasks;
  readonly merged: MergedBranches;
  readonly moved: MovedFiles;
}

/** Tasks in the git extension: the Commit button and the commit message. */
export class GitWork implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #offer: vscode.StatusBarItem;
  #api: GitApi | undefined;
  #hasStarted = false;
  #mayStart = false;
  #button: vscode.Disposable | undefined;
  #trailer: string | undefined;
  #branch: string | undefined;
  #offered: Id | undefined;
  /** Hashes of the names of each repository, by its address. */
  readonly #names = new Map<string, readonly string[]>();

  constructor(private readonly parts: GitWorkServices) {
    const { engine, here, merged } = parts;
    this.#offer = this.#owned.add(
      vscode.window.createStatusBarItem('dueline.branch', vscode.StatusBarAlignment.Left, 49.7),
    );
    this.#offer.name = t('Dueline: Branch Task');
    const start = setTimeout(() => void this.#start(), startMs);
    for (const part of [
      { dispose: () => clearTimeout(start) },
      { dispose: () => this.#button?.dispose() },
      engine.working.onDidChange(() => this.#update()),
      here.onDidChange(() => {
        this.#offerTask();
        // A repository may be made, or its first file opened, at any time.
        if (this.#mayStart) void this.#start();
      }),
      merged.onDidChange(() => here.redraw()),
      vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('dueline.git') && this.#update()),
    ])
      this.#owned.add(part);
  }

  async #start(): Promise<void> {
    const isFirst = !this.#mayStart;
    this.#mayStart = true;
    const copies = await this.parts.copies.all();
    if (isFirst) this.#branch = this.parts.here.copy?.branch;
    if (this.#hasStarted || !copies.some(({ hasGit }) => hasGit)) return;
    this.#hasStarted = true;
    this.#api = await gitApi();
    if (!this.#api) return;
    const { repositories = [], onDidOpenRepository } = this.#api;
    for (const repository of repositories) void this.#watch(repository);
    if (onDidOpenRepository) this.#owned.add(onDidOpenRepository(repository => void this.#watch(repository)));
    this.#update();
  }

  async #watch(repository: GitRepository): Promise<void> {
    const { onDidCommit, rootUri } = repository;
    // The git extension empties the box after the event.
    if (onDidCommit) this.#owned.add(onDidCommit(() => setTimeout(() => this.#writeTrailer(repository), debounceMs)));
    const { names } = await this.parts.copies.of(vscode.Uri.joinPath(rootUri, 'file'));
    this.#names.set(
      rootUri.toString(),
      names.map(({ id }) => id),
    );
    this.#update();
    this.#writeTrailer(repository);
    this.parts.merged.watch(repository, names);
    this.#owned.add(this.parts.moved.watch(repository));
  }

  /** All windows share the active task, so a commit to another repository does not concern it. */
  #isActiveIn({ rootUri }: Pick<GitRepository, 'rootUri'>): boolean {
    const { repo = '' } = this.parts.engine.working.active() ?? {};
    return this.#names.get(rootUri.toString())?.includes(repo) === true;
  }

  #update(): void {
    this.#offerTask();
    this.#button?.dispose();
    this.#button = undefined;
    const active = this.parts.engine.working.active()?.task;
    if (active)
      this.#button = this.#api?.registerPostCommitCommandsProvider?.({
        getCommands: repository =>
          this.#isActiveIn(repository)
            ? [
                {
                  command: 'dueline.completeActive',
                  title: `$(check) ${t('Commit and Complete')}`,
                  tooltip: t('Commit and complete {0}', isolate(titleOf(active))),
                },
              ]
            : [],
      });
    const before = this.#trailer;
    this.#trailer =
      active && setting('dueline.git.trailer') === 'always'
        ? `Task: ${this.parts.engine.shortIdOf(active)}`
        : undefined;
    if (before === this.#trailer) return;
    for (const repository of this.#api?.repositories ?? []) {
      if (before) repository.inputBox.value = withoutTrailer(repository.inputBox.value, before);
      this.#writeTrailer(repository);
    }
  }

  #writeTrailer({ inputBox, rootUri }: GitRepository): void {
    if (this.#trailer && this.#isActiveIn({ rootUri })) inputBox.value = withTrailer(inputBox.value, this.#trailer);
  }

  /** Offers to start the task whose branch was checked out. */
  #offerTask(): void {
    const { branch, names = [] } = this.parts.here.copy ?? {};
    if (branch === this.#branch && this.#offered === undefined) return;
    this.#branch = branch;
    const { working } = this.parts.engine;
    // A task whose time ended with the editor is offered to resume.
    const current = working.active()?.task ?? working.interrupted();
    const ids = [...this.parts.branches.of(names, branch)];
    const task = ids.flatMap(id => this.parts.engine.task(id) ?? []).find(one => !isClosed(one));
    this.#offered = ids.includes(current?.id ?? -1) ? undefined : task?.id;
    if (!task || this.#offered === undefined || !setting('dueline.statusBar.enabled')) {
      this.#offer.hide();
      return;
    }
    const words = t('Start {0}?', isolate(brief(titleOf(task), 40)));
    this.#offer.text = `$(git-branch) ${words}`;
    this.#offer.tooltip = t('The branch {0} belongs to this task.', isolate(branch ?? ''));
    this.#offer.command = { command: 'dueline.start', title: words, arguments: [task.id] };
    this.#offer.show();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
