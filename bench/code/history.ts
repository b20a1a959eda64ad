import { execFileSync } from 'node:child_process';

/** A file at two commits, and where git says that its lines went. */
export interface FileChange {
  /** First-parent commits between the two. */
  readonly distance: number;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** By line of `before`, from 0: its lines in `after`; several where it was copied, absent where it was edited or removed. */
  readonly truth: ReadonlyMap<number, readonly number[]>;
}

export const distances = [1, 2, 5, 10, 20, 50];

/** Read-only: nothing of the repository is run, and no hook or filter of it. */
const git = (repository: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', repository, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const isSource = (path: string) =>
  !/\.(lock|svg|png|min\.js|min\.css|map|snap|sum|po)$|(^|\/)package-lock\.json$/.test(path);
const isText = (text: string) => text !== '' && text.length < 1 << 20 && !text.includes('\0');

/** Files that changed, at commits spread over a first-parent history; about `files` of them for each distance. */
export function* changesOf(repository: string, files: number): Generator<FileChange> {
  const commits = git(repository, 'log', '--first-parent', '--reverse', '--format=%H').trim().split('\n');
  for (const distance of distances) {
    const starts = Math.min(20, commits.length - distance - 1);
    for (let index = 0; index < starts; index++) {
      const at = Math.floor((index * (commits.length - distance - 1)) / starts);
      yield* between(repository, commits[at]!, commits[at + distance]!, distance, Math.ceil(files / starts));
    }
  }
}

/** So many of them, from all over the list. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
}

interface Pair {
  readonly from: string;
  readonly to: string;
}

function between(repository: string, older: string, newer: string, distance: number, most: number): FileChange[] {
  const pairs = git(repository, 'diff', '--name-status', '-M', '--diff-filter=MR', older, newer)
    .split('\n')
    .filter(line => line !== '')
    .map((line): Pair => {
      const [, from, to] = line.split('\t');
      return { from: from!, to: to ?? from! };
    })
    .filter(({ from, to }) => isSource(from) && isSource(to));
  return spread(pairs, most).flatMap(pair => changeOf(repository, older, newer, pair, distance) ?? []);
}

function changeOf(repository: string, older: string, newer: string, { from, to }: Pair, distance: number) {
  try {
    const before = git(repository, 'show', `${older}:${from}`);
    const after = git(repository, 'show', `${newer}:${to}`);
    if (!isText(before) || !isText(after)) return undefined;
    const truth = truthOf(git(repository, 'blame', ...blameOptions, `${older}..${newer}`, '--', to), older, from);
    return { distance, path: to, before, after, truth };
  } catch {
    return undefined;
  }
}

/** White space alone makes no other line; a line that was moved or copied is still that line. */
const blameOptions = ['--first-parent', '-w', '-C', '-M', '-s', '--porcelain'];

/** Lines that blame gives to the older commit are lines of its file. */
function truthOf(porcelain: string, older: string, path: string): Map<number, number[]> {
  const truth = new Map<number, number[]>();
  const files = new Map<string, string>();
  let entry: RegExpExecArray | null = null;
  for (const line of porcelain.split('\n')) {
    const head = /^([\da-f]{40}) (\d+) (\d+)/.exec(line);
    if (head) entry = head;
    else if (line.startsWith('filename ')) files.set(entry![1]!, line.slice(9));
    else if (line.startsWith('\t') && entry && entry[1] === older && files.get(older) === path) {
      const from = Number(entry[2]) - 1;
      truth.set(from, [...(truth.get(from) ?? []), Number(entry[3]) - 1]);
    }
  }
  return truth;
}
