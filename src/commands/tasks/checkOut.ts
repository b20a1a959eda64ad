import * as vscode from 'vscode';
import { isolate, plain, t } from '../../shared/l10n';
import { showErrorText, showWarning } from '../../ui/notifications';
import type { GitRepository } from '../../ui/text/codeLinks';

export interface Branch {
  readonly name: string;
  readonly isNew?: true;
}

/** An error of the git extension; its message is the same for all. */
interface GitError {
  readonly gitErrorCode?: string;
  readonly stderr?: string;
  readonly message?: string;
}

const overwrites: readonly unknown[] = ['LocalChangesOverwritten', 'DirtyWorkTree'];

/** Checks a branch out; returns false if git refuses it, which a message shows, or if the user cancels. */
export async function checkOut(git: GitRepository, branch: Branch): Promise<boolean> {
  try {
    if (branch.isNew) await git.createBranch(branch.name, true);
    else await git.checkout(branch.name);
    return true;
  } catch (error) {
    if (git.createStash && git.popStash && overwrites.includes((error as GitError).gitErrorCode))
      return stashAndCheckOut(git, branch.name);
    showFailure(t('Git cannot switch to {0}: {1}', isolate(branch.name), isolate(reasonOf(error))));
    return false;
  }
}

/** The changes come along: as stash, and back again. */
async function stashAndCheckOut(git: GitRepository, name: string): Promise<boolean> {
  const go = t('Stash & Checkout');
  const detail = t('Git keeps them in a stash, and applies them on the branch.');
  const before = git.state?.HEAD?.name;
  const question = t('Your changes would be overwritten by the branch {0}.', isolate(name));
  if ((await showWarning(question, { modal: true, detail }, go)) !== go) return false;
  try {
    await git.createStash!({ message: `dueline: ${name}`, includeUntracked: true });
  } catch (error) {
    showFailure(t('Git cannot stash your changes: {0}', isolate(reasonOf(error))));
    return false;
  }
  const isThere = await git.checkout(name).then(
    () => true,
    error => {
      showFailure(t('Git cannot switch to {0}: {1}', isolate(name), isolate(reasonOf(error))));
      return false;
    },
  );
  await git.popStash!().catch(error => {
    if ((error as GitError).gitErrorCode === 'StashConflict') showConflict(name, before);
    else showFailure(t('Your changes are in a stash. Git cannot apply them here: {0}', isolate(reasonOf(error))));
  });
  return isThere;
}

/**
 * Git keeps the stash, and has written what conflicts into the files. The way back discards what is in them, which only
 * the user may decide.
 */
function showConflict(name: string, before: string | undefined): void {
  const changes = t('Show Changes');
  const text = t(
    'Your changes conflict with the branch {0}. Resolve the conflicts, then drop the stash, which still has all your changes.',
    isolate(name),
  );
  const back =
    before === undefined ? '' : t('To go back, discard all changes, check out {0} and pop the stash.', isolate(before));
  void showWarning([text, back].filter(Boolean).join(' '), changes).then(picked => {
    if (picked === changes) void vscode.commands.executeCommand('workbench.view.scm');
  });
}

/** Never awaited: the message stays until it is read. */
function showFailure(text: string): void {
  const output = t('Show Git Output');
  void showErrorText(text, output).then(picked => {
    if (picked === output) void vscode.commands.executeCommand('git.showOutput');
  });
}

/** The first line of git's message, which names the reason. */
function reasonOf(error: unknown): string {
  const { stderr = '', message = '', gitErrorCode = '' } = error as GitError;
  const lines = stderr.split('\n').map(line => line.replace(/^(?:error|fatal): /, '').trim());
  return plain(lines.find(line => line !== '' && !/^(?:hint|warning):/.test(line)) ?? (gitErrorCode || message));
}
