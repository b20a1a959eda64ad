import { contextLines, type Fingerprint, minLetters, quoteAt, rankOf, type TextIndex } from './fingerprint';

/** How sure it is that a task's code is at a line; `stale` if its line is unknown. */
type Certainty = 'sure' | 'probable' | 'stale';

export interface LocateResult {
  readonly certainty: Certainty;
  /** Counted from 0; if it is stale, its last known line. */
  readonly line: number;
  /** 0 to 1. */
  readonly score: number;
}

/** The facts that are known about a code location. */
export interface LocateQuery {
  readonly fingerprint: Fingerprint | undefined;
  /** Its last line, from 0. */
  readonly line: number;
  /** The line as this computer saw it last, without white space: finds it after it was edited. */
  readonly quote?: string;
}

const weights = { line: 50, before: 20, after: 20, position: 2 };
const allWeights = weights.line + weights.before + weights.after + weights.position;
const leastSure = 0.75;
const leastProbable = 0.5;

/** The share that both sides of an edited line must have in common with the old neighborhood. */
const leastAround = 0.6;

/** The lead that one of several equal lines needs, if it does not have all its neighbors. */
const leastLead = 0.15;
const certainScore = 0.95;

/** An edited line is never sure: it may be another one, which was like it before. */
const maxEditedScore = leastSure - 0.01;

/** Lines between two neighbors that may have been added since. */
const maxGap = 5;
/** The cost of each line of distance to a neighbor. Without it the line of the next block would be as good. */
const gapCost = 0.15;
/** The nearest neighbor says most. */
const nearness = [5, 4, 3, 2, 1];
const totalWeight = 15;

/** Finds the line that a query describes in a text. */
export function locate(index: TextIndex, query: LocateQuery): LocateResult {
  const { fingerprint } = query;
  const lost: LocateResult = { certainty: 'stale', line: query.line, score: 0 };
  if (!fingerprint) {
    if (query.line >= index.lineCount) return lost;
    return { certainty: 'probable', line: query.line, score: leastProbable };
  }
  if (index.hashes.length === 0) return lost;
  const search = new LineMatcher(index, fingerprint, query);
  const best = search.best();
  if (!best || best.score < leastProbable) return lost;
  const certainty = best.score >= leastSure ? 'sure' : 'probable';
  return { certainty, line: index.numbers[best.rank]!, score: best.score };
}

/** The first of several queries that finds a line for sure decides, else the first that finds one. */
export function locateFirst(index: TextIndex, queries: readonly LocateQuery[]): LocateResult | undefined {
  const found = queries.map(query => locate(index, query)).filter(({ certainty }) => certainty !== 'stale');
  return found.find(({ certainty }) => certainty === 'sure') ?? found[0];
}

interface Candidate {
  readonly rank: number;
  readonly score: number;
}

class LineMatcher {
  readonly #hint: number;
  /** Lines that have the hash. */
  readonly #equalLines: readonly number[];

  constructor(
    readonly index: TextIndex,
    readonly fingerprint: Fingerprint,
    readonly query: LocateQuery,
  ) {
    this.#hint = rankOf(index, query.line);
    this.#equalLines = ranksOf(index.hashes, fingerprint.line);
  }

  best(): Candidate | undefined {
    let best: Candidate | undefined;
    let second = 0;
    for (const rank of this.#equalLines) {
      const score = this.#score(rank, 1, this.#contextScores(rank));
      second = Math.max(second, Math.min(score, best?.score ?? 0));
      if (!best || score > best.score) best = { rank, score };
    }
    const edited = this.#edited();
    if (edited && edited.score > (best?.score ?? 0)) return edited;
    const isClear = best && (best.score >= certainScore || best.score - second >= leastLead);
    return isClear ? best : undefined;
  }

  /**
   * The line that the neighbors point to, on the computer that has seen it. Undefined if repeated code has such
   * neighbors in several parts of the file.
   */
  #edited(): Candidate | undefined {
    const { index, fingerprint, query } = this;
    const { quote } = query;
    if (quote === undefined) return undefined;
    const found = [...this.#besideNeighbors()].flatMap(rank => {
      if (rank < 0 || rank >= index.hashes.length || index.hashes[rank] === fingerprint.line) return [];
      const scores = this.#contextScores(rank);
      return Math.min(...scores) < leastAround ? [] : [{ rank, scores }];
    });
    const [only] = found;
    if (!only || found.length > 1) return undefined;
    const alike = Math.max(0, 2 * likeness(quote, quoteAt(index, only.rank)) - 1);
    return { rank: only.rank, score: Math.min(maxEditedScore, this.#score(only.rank, alike, only.scores)) };
  }

  /** The lines next to the two nearest distinctive neighbors on each side, wherever these are found. */
  #besideNeighbors(): ReadonlySet<number> {
    const { hashes, letters } = this.index;
    const ranks = new Set<number>();
    for (const [side, step] of [
      [this.fingerprint.before, 1],
      [this.fingerprint.after, -1],
    ] as const)
      for (const [distance, hash] of side.slice(0, 2).entries())
        for (const rank of ranksOf(hashes, hash)) {
          if (letters[rank]! < minLetters) break;
          ranks.add(rank + (distance + 1) * step);
        }
    return ranks;
  }

  #contextScores(rank: number): readonly [before: number, after: number] {
    const { index, fingerprint } = this;
    return [neighbors(index.hashes, fingerprint.before, rank, -1), neighbors(index.hashes, fingerprint.after, rank, 1)];
  }

  #score(rank: number, line: number, [before, after]: readonly [number, number]): number {
    const position = 1 - Math.abs(rank - this.#hint) / this.index.hashes.length;
    const sum =
      weights.line * line * this.#trust(rank, before, after) +
      weights.before * before +
      weights.after * after +
      weights.position * position;
    return sum / allWeights;
  }

  /** The weight of the line itself: a line that is common, or is there several times, needs its neighbors. */
  #trust(rank: number, before: number, after: number): number {
    const mean = (before + after) / 2;
    if (this.index.letters[rank]! < minLetters) return mean ** 3;
    if (this.#equalLines.length > 1) return mean;
    return 0.3 + 0.7 * Math.max(before, after);
  }
}

function ranksOf(hashes: Uint32Array, hash: number): number[] {
  const found: number[] = [];
  if (hash !== 0) for (let at = 0; at < hashes.length; at++) if (hashes[at] === hash) found.push(at);
  return found;
}

/** The share of the neighbors on one side that are found, in their order: 0 to 1. */
function neighbors(hashes: Uint32Array, context: readonly number[], rank: number, step: 1 | -1): number {
  let found = 0;
  let at = rank + step;
  for (let index = 0; index < contextLines; index++) {
    const hash = context[index]!;
    if (hash === 0) {
      if (at < 0 || at >= hashes.length) found += nearness[index]!;
      continue;
    }
    for (let gap = 0; gap <= maxGap; gap++) {
      if (hashes[at + gap * step] !== hash) continue;
      found += nearness[index]! * (1 - gap * gapCost);
      at += (gap + 1) * step;
      break;
    }
  }
  return found / totalWeight;
}

/** Pairs of characters that two texts share (Dice), 0 to 1. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < a.length; at++) {
    const pair = a.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at + 1 < b.length; at++) {
    const pair = b.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left > 0) {
      shared++;
      pairs.set(pair, left - 1);
    }
  }
  const all = a.length + b.length - 2;
  return all <= 0 ? 0 : (2 * shared) / all;
}

/** How much surer one file must be than every other. */
const minFileLead = 0.1;

/**
 * The one of several files that contains the line now; undefined if none does for certain, or two do, since a copy is
 * not the location.
 */
export function locateAmong<File>(
  files: Iterable<{ readonly file: File; readonly index: TextIndex }>,
  query: LocateQuery,
): (LocateResult & { readonly file: File }) | undefined {
  let best: (LocateResult & { readonly file: File }) | undefined;
  let second = 0;
  for (const { file, index } of files) {
    const found = locate(index, query);
    if (best && found.score <= best.score) second = Math.max(second, found.score);
    else {
      second = best?.score ?? 0;
      best = { ...found, file };
    }
  }
  return best && best.score >= leastSure && best.score - second >= minFileLead ? best : undefined;
}
