import { linesOf, type Raw } from '../fields/lines';
import type { EpochMs } from '../kernel/model';
import type { TimeEdit } from '../kernel/working';
import { formatLine, paramOf, parseLine } from '../lines/contentLines';
import { formatUtc, parseDigits } from '../lines/dateDigits';
import { formatDuration, parseDuration } from '../time/durations';

const timeName = 'X-DUELINE-TIME';
const version = '1';
/** A task keeps this many sessions; earlier ones are stored as their sum. */
const maxSessions = 60;

/** A span of time in which the user worked on a task. */
export interface WorkSession {
  readonly start: EpochMs;
  readonly ms: number;
  /** REPO of an anchor: the repository that was in front. */
  readonly repo?: string;
}

/** Sessions whose own moments are no longer known. */
interface CompactedSessions {
  readonly count: number;
  readonly ms: number;
  /** When the last of them began. */
  readonly until: EpochMs;
}

interface WorkTime {
  /** The earliest first. */
  readonly sessions: readonly WorkSession[];
  readonly folded?: CompactedSessions;
  /** The sum of all of them. */
  readonly ms: number;
}

type SessionLine = { readonly session: WorkSession } | { readonly folded: CompactedSessions };

const isOurs = (line: string) => line.slice(0, timeName.length).toUpperCase() === timeName;

/** Damaged lines and lines of other versions count as no time and stay as they are. */
function readTime(text: string): SessionLine | undefined {
  const line = parseLine(text);
  if (line.name !== timeName || paramOf(line, 'V') !== version) return undefined;
  const [from = '', lasting] = line.value.trim().split('/');
  const count = paramOf(line, 'SUM');
  const start = momentOf(from);
  const duration = lasting === undefined ? undefined : parseDuration(lasting);
  if (start === undefined || !duration || duration.days < 0 || duration.ms < 0) return undefined;
  const ms = duration.days * 86_400_000 + duration.ms;
  if (count !== undefined) return /^\d{1,9}$/.test(count) ? { folded: { count: +count, ms, until: start } } : undefined;
  const repo = paramOf(line, 'REPO')?.toLowerCase();
  return { session: { start, ms, ...(repo && /^[\da-f]{12}$/.test(repo) ? { repo } : {}) } };
}

function momentOf(text: string): EpochMs | undefined {
  const digits = parseDigits(text);
  return digits?.kind === 'utc' ? digits.civil : undefined;
}

/** The time of a task. If two computers have folded the same sessions, the longer sum holds. */
export function workTimeOf(row: Raw): WorkTime {
  if (!row.unknownProperties?.toUpperCase().includes(timeName)) return { sessions: [], ms: 0 };
  const found = linesOf(row).flatMap(line => (isOurs(line) ? (readTime(line) ?? []) : []));
  const sessions = found.flatMap(one => ('session' in one ? one.session : [])).sort((a, b) => a.start - b.start);
  const [folded] = found.flatMap(one => ('folded' in one ? one.folded : [])).sort((a, b) => b.ms - a.ms);
  const ms = sessions.reduce((sum, one) => sum + one.ms, folded?.ms ?? 0);
  return { sessions, ...(folded && { folded }), ms };
}

/** A start and a DURATION, as in a PERIOD (RFC 5545 3.3.9). */
const lineOf = (start: EpochMs, ms: number, param: readonly (readonly [string, string])[]) => {
  // Hours and not days, which follow the wall clock.
  const lasting = formatDuration({ days: 0, ms });
  return formatLine(timeName.toLowerCase(), `${formatUtc(start)}/${lasting}`, [['V', version], ...param]);
};

/**
 * `unknownProperties` with these sessions added. Sessions with the same begin are one, so that adding twice adds once.
 * All but the last 60 are added up in one sum.
 */
export function withSessions(row: Raw, added: readonly WorkSession[]): string | null {
  const { sessions, folded } = workTimeOf(row);
  const known = new Set(sessions.map(({ start }) => second(start)));
  const fresh = added.filter(({ start, ms }) => !known.has(second(start)) && ms >= 1000);
  if (fresh.length === 0) return row.unknownProperties;
  const all = [...sessions, ...fresh].sort((a, b) => a.start - b.start);
  const old = all.slice(0, Math.max(0, all.length - maxSessions));
  const kept = new Set(all.slice(old.length).map(({ start }) => second(start)));
  const lines = linesOf(row).filter(line => {
    const read = isOurs(line) ? readTime(line) : undefined;
    if (!read) return true;
    return 'session' in read ? kept.has(second(read.session.start)) : old.length === 0;
  });
  if (old.length > 0) {
    const ms = old.reduce((sum, one) => sum + one.ms, folded?.ms ?? 0);
    const until = Math.max(old.at(-1)!.start, folded?.until ?? 0);
    lines.push(lineOf(until, ms, [['SUM', String((folded?.count ?? 0) + old.length)]]));
  }
  for (const { start, ms, repo } of fresh)
    if (kept.has(second(start))) lines.push(lineOf(start, ms, repo ? [['REPO', repo]] : []));
  return JSON.stringify(lines);
}

/** `unknownProperties` after the correction. */
export function withTimeEdit(row: Raw, { remove, add }: TimeEdit): string | null {
  if (remove === undefined) return withSessions(row, add);
  const isRemoved = (line: string) => {
    const read = isOurs(line) ? readTime(line) : undefined;
    return read !== undefined && 'session' in read && second(read.session.start) === second(remove);
  };
  const lines = linesOf(row).filter(line => !isRemoved(line));
  return withSessions({ unknownProperties: lines.length > 0 ? JSON.stringify(lines) : null }, add);
}

/** Sessions are kept to the second. */
const second = (ms: EpochMs) => Math.floor(ms / 1000);

/** `3:25`: hours and minutes. */
export const hoursText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
};
