import { execFileSync } from 'node:child_process';

/** A file at two commits, and the lines to which git says that its lines moved. */
export interface FileChange {
  readonly before: string;
  readonly after: string;
  /** The file after each commit between them that changed it, and `after`; only `after` if it was renamed. */
  readonly steps: readonly string[];
  /** By line of `before`, from 0: its lines in `after`; several if it was copied, absent if it was edited or removed. */
  readonly truth: ReadonlyMap<number, readonly number[]>;
}

/** First-parent commits between the two. */
const distances = [1, 5, 20, 50];
/** The number for each distance. */
const files = 80;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const linesOf = (text: string) => text.split('\n').filter(line => line !== '');

const isSource = (path: string) =>
  !/\.(lock|svg|png|min\.js|min\.css|map|snap|sum|po)$|(^|\/)package-lock\.json$/.test(path);
const isText = (text: string) => text !== '' && text.length < 1 << 20 && !text.includes('\0');

/** Files that changed, at commits spread over a first-parent history. */
export function* changesOf(): Generator<FileChange> {
  const commits = linesOf(git('log', '--first-parent', '--reverse', '--format=%H'));
  for (const distance of distances)
    for (const at of spread(commits.slice(0, -distance).keys(), 20)) {
      const [older, newer] = [commits[at]!, commits[at + distance]!];
      const names = linesOf(git('diff', '--name-status', '-M', '--diff-filter=MR', older, newer));
      const pairs = names.map(line => line.split('\t').slice(1)).filter(paths => paths.every(isSource));
      for (const [from, to = from] of spread(pairs, files / 20)) yield* changeOf(older, newer, from!, to!);
    }
}

/** At most `count` of them, from all over the list. */
function spread<T>(all: Iterable<T>, count: number): T[] {
  const items = [...all];
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
}

function* changeOf(older: string, newer: string, from: string, to: string): Generator<FileChange> {
  const textOf = (commit: string, path: string) => git('show', `${commit}:${path}`);
  const [before, after] = [textOf(older, from), textOf(newer, to)];
  if (!isText(before) || !isText(after)) return;
  // White space alone makes no other line; a line that was moved or copied is still that line.
  const how = ['--first-parent', '-w', '-C', '-M', '-s', '--porcelain', `${older}..${newer}`, '--', to];
  const between =
    from === to
      ? git('log', '--first-parent', '--reverse', '--diff-filter=AM', '--format=%H', `${older}..${newer}`, '--', to)
      : '';
  const steps = linesOf(between)
    .slice(0, -1)
    .map(commit => textOf(commit, to));
  yield { before, after, steps: [...steps, after], truth: truthOf(git('blame', ...how), older, from) };
}

/** Lines that blame assigns to the older commit are lines of its file. */
function truthOf(porcelain: string, older: string, path: string): Map<number, number[]> {
  const truth = new Map<number, number[]>();
  const names = new Map<string, string>();
  let entry: RegExpExecArray | null = null;
  for (const line of porcelain.split('\n')) {
    const head = /^([\da-f]{40}) (\d+) (\d+)/.exec(line);
    if (head) entry = head;
    else if (line.startsWith('filename ')) names.set(entry![1]!, line.slice(9));
    else if (line.startsWith('\t') && entry && entry[1] === older && names.get(older) === path) {
      const from = Number(entry[2]) - 1;
      truth.set(from, [...(truth.get(from) ?? []), Number(entry[3]) - 1]);
    }
  }
  return truth;
}
