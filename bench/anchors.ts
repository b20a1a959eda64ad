import { fingerprintAt, indexText, quoteAt, rankOf, type TextIndex } from '../src/core/code/fingerprint';
import { LiveAnchors, type TextChange } from '../src/core/code/liveAnchors';
import { type LocateQuery, locate, locateAmong } from '../src/core/code/locate';
import { afterReload, changedLines } from '../src/core/code/reloaded';
import { renameCandidates } from '../src/core/code/repository';
import { changesOf, distances, type FileChange } from './code/history';
import { MadeHistory, seeded } from './code/madeHistory';
import { type Report, timed } from './reference/figure';

/** At most so many percent, over all distances. */
const goals = { notRight: 5, wrong: 0.5 };
const anchorsOfFile = 12;
const filesOfDistance = 200;

interface Tally {
  right: number;
  wrong: number;
  stale: number;
}

/** Where anchors are after edits, against where their lines are: in the histories of `--repo`, else in one that is made. */
export async function run(report: Report, { repo = [] }: { readonly repo?: readonly string[] } = {}): Promise<void> {
  for (const path of repo) judgeAll(changesOf(path, filesOfDistance), path.replace(/\/(repo|\.git)?\/?$/, ''), report);
  if (repo.length > 0) return;
  const made = new MadeHistory(20_250_711).changes(distances);
  const known = made.filter(({ path, oldPath }) => path === oldPath);
  judgeAll(known, 'made history', report);
  judgeOpen(known, report);
  judgeRenames(made, report);
  speeds(report);
}

function judgeAll(changes: Iterable<FileChange>, name: string, report: Report): void {
  const random = seeded(7);
  const tallies = { 'this computer': new Map<number, Tally>(), 'another computer': new Map<number, Tally>() };
  for (const change of changes)
    for (const [where, byDistance] of Object.entries(tallies)) {
      const tally = byDistance.get(change.distance) ?? { right: 0, wrong: 0, stale: 0 };
      byDistance.set(change.distance, tally);
      judge(change, where === 'this computer', random, tally);
    }
  for (const [where, byDistance] of Object.entries(tallies)) {
    const all = { right: 0, wrong: 0, stale: 0 };
    for (const [distance, tally] of byDistance) {
      for (const key of ['right', 'wrong', 'stale'] as const) all[key] += tally[key];
      const { notRight } = sharesOf(tally);
      report({ name: `${name}, ${where}, ${distance} commits: not right, %`, ratio: notRight, detail: wordsOf(tally) });
    }
    const { notRight, wrong } = sharesOf(all);
    report({ name: `${name}, ${where}: not right, %`, ratio: notRight, goal: goals.notRight, detail: wordsOf(all) });
    report({ name: `${name}, ${where}: wrong, %`, ratio: wrong, goal: goals.wrong });
  }
}

const sumOf = ({ right, wrong, stale }: Tally) => right + wrong + stale;
const sharesOf = (tally: Tally) => ({
  notRight: (100 * (tally.wrong + tally.stale)) / sumOf(tally),
  wrong: (100 * tally.wrong) / sumOf(tally),
});

function wordsOf(tally: Tally): string {
  const share = (count: number) => ((100 * count) / sumOf(tally)).toFixed(2);
  return `right ${share(tally.right)}, wrong ${share(tally.wrong)}, stale ${share(tally.stale)} of ${sumOf(tally)}`;
}

/** Anchors on lines of one file; `isSeen` is the computer that knows the words of the line. */
function judge(change: FileChange, isSeen: boolean, random: () => number, tally: Tally): void {
  const [before, after] = [indexText(change.before), indexText(change.after)];
  const survivors = new Set([...change.truth.values()].flat());
  for (let count = Math.min(anchorsOfFile, before.numbers.length); count > 0; count--) {
    const rank = Math.floor(random() * before.numbers.length);
    const line = before.numbers[rank]!;
    const wanted = { fingerprint: fingerprintAt(before, line), line };
    const found = locate(after, isSeen ? { ...wanted, quote: quoteAt(before, rank) } : wanted);
    note(tally, change, survivors, line, found.standing === 'stale' ? undefined : found.line);
  }
}

function note(
  tally: Tally,
  change: FileChange,
  survivors: ReadonlySet<number>,
  line: number,
  found: number | undefined,
) {
  const truth = change.truth.get(line);
  if (found === undefined) tally[truth ? 'stale' : 'right']++;
  else if (truth) tally[truth.includes(found) ? 'right' : 'wrong']++;
  else tally[!survivors.has(found) && isInGap(change, line, found) ? 'right' : 'wrong']++;
}

/** A file that is open while each commit is pulled: what was seen after one is looked for after the next. */
function judgeOpen(changes: ReturnType<MadeHistory['changes']>, report: Report): void {
  const random = seeded(7);
  const tally: Tally = { right: 0, wrong: 0, stale: 0 };
  for (const change of changes) {
    const before = indexText(change.before);
    const steps = change.steps.map((text, at) => ({
      index: indexText(text),
      lines: changedLines([changeOf(change.steps[at - 1] ?? change.before, text)])!,
    }));
    const survivors = new Set([...change.truth.values()].flat());
    for (let count = Math.min(anchorsOfFile, before.numbers.length); count > 0; count--) {
      const line = before.numbers[Math.floor(random() * before.numbers.length)]!;
      const said = wantedIn(before, line);
      let seen = said;
      let found: number | undefined = line;
      for (const step of steps) {
        const best = afterReload(step.index, [seen, said], found, step.lines);
        found = best?.line;
        if (best) seen = wantedIn(step.index, best.line);
      }
      note(tally, change, survivors, line, found);
    }
  }
  const { notRight, wrong } = sharesOf(tally);
  const name = 'made history, open while it changes';
  report({ name: `${name}: not right, %`, ratio: notRight, goal: goals.notRight, detail: wordsOf(tally) });
  report({ name: `${name}: wrong, %`, ratio: wrong, goal: goals.wrong });
}

/** As an editor reads a file again: all between the first and the last line that differ. */
function changeOf(before: string, after: string): TextChange {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from++;
  let same = 0;
  while (same < Math.min(old.length, now.length) - from && old.at(-1 - same) === now.at(-1 - same)) same++;
  const text = now.slice(from, now.length - same).map(line => `${line}\n`);
  return { start: { line: from, character: 0 }, end: { line: old.length - same, character: 0 }, text: text.join('') };
}

const wantedIn = (index: TextIndex, line: number): LocateQuery => ({
  fingerprint: fingerprintAt(index, line),
  line,
  quote: quoteAt(index, rankOf(index, line)),
});

/** A line that was edited is, to git, one that was removed and another one in its place. */
function isInGap({ before, after, truth }: FileChange, line: number, found: number): boolean {
  let [low, high] = [-1, after.length];
  for (let at = line - 1; at >= 0 && low < 0; at--) low = truth.get(at)?.at(-1) ?? -1;
  for (let at = line + 1; at < before.length && high === after.length; at++) high = truth.get(at)?.[0] ?? high;
  return found > low && found < high;
}

/** A file that is gone, with nobody saying where: among the files of its name. */
function judgeRenames(changes: ReturnType<MadeHistory['changes']>, report: Report): void {
  const random = seeded(11);
  const tally: Tally = { right: 0, wrong: 0, stale: 0 };
  for (const { before: text, path, oldPath, files, placeOf } of changes) {
    if (path === oldPath || files.has(oldPath)) continue;
    const before = indexText(text);
    const candidates = renameCandidates(oldPath, files.keys());
    const indexes = candidates.map(file => ({ file, index: indexText(files.get(file)!) }));
    for (let count = 0; count < anchorsOfFile; count++) {
      const rank = Math.floor(random() * before.numbers.length);
      const line = before.numbers[rank]!;
      const found = locateAmong(indexes, { fingerprint: fingerprintAt(before, line), line });
      const now = placeOf(line);
      if (!found) tally[now ? 'stale' : 'right']++;
      else tally[found.file === now?.path && found.line === now.line ? 'right' : 'wrong']++;
    }
  }
  report({
    name: 'renamed files, by their name: not right, %',
    ratio: sharesOf(tally).notRight,
    detail: wordsOf(tally),
  });
  report({ name: 'renamed files, by their name: wrong, %', ratio: sharesOf(tally).wrong, goal: goals.wrong });
}

function speeds(report: Report): void {
  const lines = Array.from({ length: 5000 }, (_, index) =>
    index % 3 === 2 ? '    }' : `    const value${index} = compute(argument, ${index * 7}, options);`,
  );
  const text = lines.join('\n');
  const index = indexText(text);
  const places = Array.from({ length: 200 }, (_, key) => {
    const line = key * 25 - (key % 3 === 2 ? 1 : 0);
    return { key, line, fingerprint: fingerprintAt(index, line)! };
  });
  const later = `// one more\n${text.replaceAll('argument, 7', 'argument, 8')}`;
  report({
    name: 'a file of 5 000 lines read, one anchor found, ms',
    ratio: timed(40, () => locate(indexText(later), places[99]!), 10),
    goal: 5,
  });
  report({
    name: 'a file of 5 000 lines read, 200 anchors found, ms',
    ratio: timed(
      40,
      () => {
        const read = indexText(later);
        for (const place of places) locate(read, { ...place, quote: quoteAt(index, place.line) });
      },
      10,
    ),
  });
  const live = new LiveAnchors<number>();
  live.open('file', places, line => lines[line]!);
  const at = (line: number, character: number) => ({ line, character });
  const edit = (line: number) =>
    live.edit('file', [{ start: at(line, 4), end: at(line, 4), text: 'x\ny' }], () => 'const a = 1;');
  const lineOfEdit = seeded(3);
  report({
    name: 'an edit of a file with 200 anchors, ms',
    ratio: timed(500, () => edit(Math.floor(lineOfEdit() * 5000)), 100),
    goal: 1,
  });
}
