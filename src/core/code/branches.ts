import { linesOf, type Raw } from '../fields/lines';
import { escapeText, formatLine, paramOf, parseLine, unescapeText } from '../lines/contentLines';
import { hashedPath, type Repository } from './repository';

const branchName = 'X-DUELINE-BRANCH';
const version = '1';

/** A branch that belongs to a task without having the task's short ID in its name. */
export interface TaskBranch {
  /** {@link Repository.id}. */
  readonly repo: string;
  /** Made by {@link writtenBranch}. */
  readonly name: string;
}

/** A cheap check before lines are parsed: most tasks have no branch. */
export const hasBranches = ({ unknownProperties }: Raw): boolean =>
  unknownProperties?.toUpperCase().includes(branchName) ?? false;

/** The branches of a task. Damaged lines and lines of other versions are skipped. */
function branchesOf(row: Raw): TaskBranch[] {
  if (!hasBranches(row)) return [];
  return linesOf(row).flatMap(text => {
    const line = parseLine(text);
    const repo = paramOf(line, 'REPO')?.toLowerCase();
    const name = unescapeText(line.value.trim());
    const isOurs = line.name === branchName && paramOf(line, 'V') === version;
    return isOurs && repo && /^[\da-f]{12}$/.test(repo) && name !== '' ? [{ repo, name }] : [];
  });
}

const hashed = (repository: Repository, branch: string) => hashedPath(repository, `refs/heads/${branch}`);

/**
 * The branch as it is stored. It is hashed unless the user lets paths be stored as plain text (`isPlain`): a branch's name
 * reveals what the user works on.
 */
export const writtenBranch = (repository: Repository, branch: string, isPlain: boolean): TaskBranch => ({
  repo: repository.id,
  name: isPlain ? branch : hashed(repository, branch),
});

export const isBranchOf = (row: Raw, repositories: readonly Repository[], branch: string): boolean => {
  const branches = branchesOf(row);
  return (
    branches.length > 0 &&
    repositories.some(repository =>
      branches.some(
        ({ repo, name }) => repo === repository.id && (name === branch || name === hashed(repository, branch)),
      ),
    )
  );
};

/** `unknownProperties` with a line for the branch, added unless it is there already. */
export function withBranch(row: Raw, { repo, name }: TaskBranch): string {
  const lines = linesOf(row);
  const line = formatLine(branchName.toLowerCase(), escapeText(name), [
    ['V', version],
    ['REPO', repo],
  ]);
  return JSON.stringify(lines.includes(line) ? lines : [...lines, line]);
}
