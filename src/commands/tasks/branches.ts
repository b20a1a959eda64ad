import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { branchName, isBranchName, withTrailer } from '../../core/code/gitText';
import type { Task } from '../../core/kernel/model';
import { issueName } from '../../core/text/issueLinks';
import { isolate, t } from '../../shared/l10n';
import { showInputBox, showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { inSeries } from '../../ui/occurrences';
import { isTaskTarget } from '../../ui/selection';
import type { CommandServices } from '../../ui/services';
import { setting } from '../../ui/settings/settings';
import { codeLinks, type GitRepository } from '../../ui/text/codeLinks';
import { titleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';
import { pickTask } from '../common/pickTask';
import type { TargetResolver } from '../common/targets';
import { type Branch, checkOut } from './checkOut';

/**
 * Creates a branch for a task, or a commit message that names it. If git is not available, the name or message is
 * copied.
 */
export const branchCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.startOnBranch', async target => {
      const task = await targets.task(target, t('Select a task to start on a branch'));
      const git = task && (await gitFor());
      const branch = task && (await askBranch(engine, task, git));
      if (!branch) return;
      if (!git) {
        await vscode.env.clipboard.writeText(branch.name);
        void showInformation(t('Git is not available in this window. The branch name was copied.'));
      } else if (!(await checkOut(git, branch))) return;
      await keepBranch(engine, inSeries(engine, task).task, branch.name);
      await vscode.commands.executeCommand('dueline.start', target ?? task.id);
    }),
    commands.on('dueline.completeActive', async () => {
      const active = engine.working.active()?.task;
      if (active) await vscode.commands.executeCommand('dueline.complete', active.id);
      else void showInformation(t('No task is active. Start working on one first.'));
    }),
    commands.on('dueline.commitAndComplete', target => commitAndComplete(engine, target)),
    commands.on('dueline.insertTrailer', async target => {
      const task = await workedOn(engine, targets, target);
      if (!task) return;
      const trailer = `Task: ${engine.shortIdOf(inSeries(engine, task).task)}`;
      const git = await gitFor(target);
      if (!git) {
        await vscode.env.clipboard.writeText(trailer);
        void showInformation(t('Git is not available in this window. The line for the commit message was copied.'));
        return;
      }
      git.inputBox.value = withTrailer(git.inputBox.value, trailer);
      vscode.window.setStatusBarMessage(t('Added {0} to the commit message', isolate(titleOf(task))), 5000);
    }),
  );

/** The repository whose menu in Source Control was used, else the one in front. */
async function gitFor(target?: unknown): Promise<GitRepository | undefined> {
  const { rootUri } = (target ?? {}) as Partial<Pick<GitRepository, 'rootUri'>>;
  return codeLinks()?.git(rootUri);
}

/** Commits, and completes the task that was active before, once there is a commit. */
async function commitAndComplete(engine: DuelineEngine, target: unknown): Promise<void> {
  const active = engine.working.active()?.task;
  if (!active) return void showInformation(t('No task is active. Start working on one first.'));
  const git = await gitFor(target);
  if (!git?.state) {
    const text = t('Git is not available in this window. Commit your changes elsewhere, then complete the task.');
    return void showInformation(text);
  }
  const before = git.state.HEAD?.commit;
  await vscode.commands.executeCommand('git.commit', git.rootUri);
  await git.status?.();
  if (git.state.HEAD?.commit !== before) await vscode.commands.executeCommand('dueline.complete', active.id);
}

/** Keeps a branch whose name does not identify its task as a line of the task. */
async function keepBranch(engine: DuelineEngine, task: Task, name: string): Promise<void> {
  const branch = codeLinks()?.isBranchOf(task, name) ? undefined : codeLinks()?.branchLine(name);
  if (branch) await engine.apply([{ type: 'branch', id: task.id, branch }]);
}

/** Branches of the task that there are come first. */
async function askBranch(
  engine: DuelineEngine,
  task: Task,
  git: GitRepository | undefined,
): Promise<Branch | undefined> {
  const series = inSeries(engine, task).task;
  const id = engine.shortIdOf(series);
  const found = ((await git?.getBranches?.({ remote: false })) ?? []).flatMap(({ name }) => name ?? []);
  const own = found.filter(name => codeLinks()?.isBranchOf(series, name));
  if (own.length > 0) {
    const lines = own.map(name => ({ ...withIcon('git-branch', isolate(name)), name }));
    const more = { ...withIcon('add', t('New Branch…')), name: '' };
    const picked = await showQuickPick([...lines, more], { placeHolder: t('Select a branch for this task') });
    if (!picked) return undefined;
    if (picked.name !== '') return { name: picked.name };
  }
  const name = await showInputBox({
    title: git ? t('Start on a Branch in {0}', isolate(git.rootUri.path.split('/').at(-1)!)) : t('Start on a Branch'),
    prompt: t('Branch name'),
    value: suggestedName(task, id, git),
    validateInput: name => (isBranchName(name.trim()) ? undefined : t('Invalid branch name.')),
  });
  if (name === undefined) return undefined;
  return { name: name.trim(), ...(found.includes(name.trim()) ? {} : { isNew: true }) };
}

/** By Dueline's setting, and behind the prefix that the user has set for every new branch. */
function suggestedName(task: Task, id: string, git: GitRepository | undefined): string {
  const issue = issueName(task.url ?? '')?.replace(/^.*#/, '');
  const name = branchName(setting('dueline.git.branchName'), titleOf(task), id, issue);
  const prefix = vscode.workspace.getConfiguration('git', git?.rootUri).get('branchPrefix', '');
  return name.startsWith(prefix) ? name : `${prefix}${name}`;
}

/** The active task, the only one in progress, else one that the user picks, with those in progress first. */
async function workedOn(engine: DuelineEngine, targets: TargetResolver, target: unknown): Promise<Task | undefined> {
  const question = t('Select a task for the commit message');
  if (isTaskTarget(target)) return targets.task(target, question);
  const active = engine.working.active()?.task;
  if (active) return active;
  const [first, ...others] = engine.query('is:started', { limit: 2 });
  if (first && others.length === 0) return first.task;
  return pickTask(engine, question, first ? 'is:started sort:-modified' : 'sort:due,priority');
}
