import { linesOf, type Raw } from '../fields/lines';
import { escapeText, formatLine, paramOf, parseLine, unescapeText } from '../lines/contentLines';
import { hashedPath, type Repository } from './repository';

const branchName = 'X-DUELINE-BRANCH';
const version = '1';

/** A branch whose name does not say that it is a task's. */
export interface TaskBranch {
  /** {@link Repository.id}. */
  readonly repo: string;
  /** Made by {@link writtenBranch}. */
  readonly name: string;
}

/** Most tasks have none: costs less than reading them. */
export const hasBranches = ({ unknownProperties }: Raw): boolean =>
  unknownProperties?.toUpperCase().includes(branchName) ?? false;

/** Damaged lines, and those of other versions, are no branch and stay as they are. */
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

/** In plain text only if paths are: names of branches say what the user works on. */
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

/** `unknownProperties` with the branch too; the same line is not added twice. */
export function withBranch(row: Raw, { repo, name }: TaskBranch): string {
  const lines = linesOf(row);
  const line = formatLine(branchName.toLowerCase(), escapeText(name), [
    ['V', version],
    ['REPO', repo],
  ]);
  return JSON.stringify(lines.includes(line) ? lines : [...lines, line]);
}
