import { fingerprintAt, indexText, quoteAt, rankOf, type TextIndex } from '../src/core/code/fingerprint';
import { LiveAnchors, type TextChange } from '../src/core/code/liveAnchors';
import { type LocateQuery, locate } from '../src/core/code/locate';
import { afterReload, changedLines } from '../src/core/code/reloaded';
import { newRandom } from '../test/interop/support/random';
import { type Report, timed } from './reference/figure';
import { changesOf, type FileChange } from './reference/history';

const anchorsOfFile = 12;

/**
 * The two ways of finding a line again: in a file that is opened after the change, and in one that is open meanwhile.
 */
const ways = {
  'opened later': (change: FileChange, before: TextIndex, line: number) =>
    locate(indexText(change.after), wantedIn(before, line)),
  'open while it changes': followed,
};

/** Compares the lines of anchors after edits with those that `git blame` names, in the history of the repository that it is started in. */
export async function run(report: Report): Promise<void> {
  const random = newRandom(7);
  const names = Object.keys(ways) as (keyof typeof ways)[];
  const tallies = names.map(way => ({ way, right: 0, wrong: 0, stale: 0 }));
  for (const change of changesOf()) {
    const before = indexText(change.before);
    for (let count = Math.min(anchorsOfFile, before.numbers.length); count > 0; count--) {
      const line = before.numbers[Math.floor(random() * before.numbers.length)]!;
      for (const tally of tallies) {
        const found = ways[tally.way](change, before, line);
        tally[verdict(change, line, !found || found.certainty === 'stale' ? undefined : found.line)]++;
      }
    }
  }
  for (const { way, right, wrong, stale } of tallies) {
    const all = right + wrong + stale;
    const name = `this repository’s history, ${way}`;
    const detail = `${right} right, ${wrong} wrong, ${stale} stale`;
    report({ name: `${name}: not right, %`, ratio: (100 * (wrong + stale)) / all, goal: 5, detail });
    report({ name: `${name}: wrong, %`, ratio: (100 * wrong) / all, goal: 0.5 });
  }
  await speeds(report);
}

/** Measures the work that is done while the user types or saves. */
async function speeds(report: Report): Promise<void> {
  const lines = Array.from({ length: 5_000 }, (_, at) => `    const value${at} = compute(argument, ${at * 7});`);
  const index = indexText(lines.join('\n'));
  const later = `// one more\n${lines.join('\n')}`;
  const read = await timed(40, () => void locate(indexText(later), wantedIn(index, 2_475)));
  report({ name: 'a file of 5 000 lines read, one anchor found, ms', ratio: read, goal: 5 });
  const anchors = Array.from({ length: 200 }, (_, key) => ({
    ...{ key, line: key * 25 },
    fingerprint: fingerprintAt(index, key * 25)!,
  }));
  const live = new LiveAnchors<number>();
  live.open('file', anchors, line => lines[line]!);
  const edit = await timed(500, round => {
    const at = { line: (round * 37) % 5_000, character: 4 };
    live.edit('file', [{ start: at, end: at, text: 'x\ny' }], () => 'const a = 1;');
  });
  report({ name: 'an edit of a file with 200 anchors, ms', ratio: edit, goal: 1 });
}

function verdict(change: FileChange, line: number, found: number | undefined): 'right' | 'wrong' | 'stale' {
  const truth = change.truth.get(line);
  if (found === undefined) return truth ? 'stale' : 'right';
  if (truth) return truth.includes(found) ? 'right' : 'wrong';
  const isTaken = [...change.truth.values()].some(lines => lines.includes(found));
  return !isTaken && isInGap(change, line, found) ? 'right' : 'wrong';
}

/** A line that was edited is, to git, one that was removed and another one in its place. */
function isInGap({ before, after, truth }: FileChange, line: number, found: number): boolean {
  let [low, high] = [-1, after.length];
  for (let at = line - 1; at >= 0 && low < 0; at--) low = truth.get(at)?.at(-1) ?? -1;
  for (let at = line + 1; at < before.length && high === after.length; at++) high = truth.get(at)?.[0] ?? high;
  return found > low && found < high;
}

const wantedIn = (index: TextIndex, line: number): LocateQuery => ({
  fingerprint: fingerprintAt(index, line),
  line,
  quote: quoteAt(index, rankOf(index, line)),
});

/** The file is open while each commit is pulled: a line that was found after one is searched after the next. */
function followed(change: FileChange, before: TextIndex, line: number): ReturnType<typeof afterReload> {
  const original = wantedIn(before, line);
  let seen = original;
  let best: ReturnType<typeof afterReload>;
  let found: number | undefined = line;
  for (const [at, text] of change.steps.entries()) {
    const index = indexText(text);
    const changes = changedLines([changeOf(change.steps[at - 1] ?? change.before, text)])!;
    best = afterReload(index, [seen, original], found, changes);
    found = best?.line;
    if (best) seen = wantedIn(index, best.line);
  }
  return best;
}

/**
 * The change that an editor reports if it reads a file again: everything between the first and the last line that
 * differ.
 */
function changeOf(before: string, after: string): TextChange {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from++;
  let same = 0;
  while (same < Math.min(old.length, now.length) - from && old.at(-1 - same) === now.at(-1 - same)) same++;
  const text = now.slice(from, now.length - same).map(line => `${line}\n`);
  return { start: { line: from, character: 0 }, end: { line: old.length - same, character: 0 }, text: text.join('') };
}
