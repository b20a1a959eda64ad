import { linesOf, type Raw } from '../fields/lines';
import type { Id } from '../kernel/model';
import { formatLine, paramOf, parseLine, withValue } from '../lines/contentLines';
import { type Fingerprint, formatFingerprint, parseFingerprint } from './fingerprint';

export const anchorName = 'X-DUELINE-ANCHOR';
const version = '1';

/** The code location that a task is about. */
export interface Anchor {
  /** {@link Repository.id}. */
  readonly repo: string;
  /** Made by `plainPath` or `hashedPath`. */
  readonly path: string;
  /** From 0. Absent if the file as a whole is meant. */
  readonly line?: number;
  readonly fingerprint?: Fingerprint;
  /** Its task was made from a TODO comment there. */
  readonly isTodo?: boolean;
}

/** An anchor with its line of the VTODO, which identifies it among the anchors of its task. */
export interface TaskAnchor extends Anchor {
  readonly source: string;
}

const isOurs = (line: string) => line.slice(0, anchorName.length).toUpperCase() === anchorName;

/** The file as a whole is meant. */
export const isWholeFile = ({ line, fingerprint }: Anchor): boolean => line === undefined && !fingerprint;

/** Costs less than reading them. */
export const hasAnchors = ({ unknownProperties }: Raw): boolean =>
  unknownProperties?.toUpperCase().includes(anchorName) ?? false;

/**
 * Damaged lines and lines of other versions are no anchors and stay as they are. `known`: anchors that were read
 * before, by their lines.
 */
export function anchorsOf(task: Raw, known?: ReadonlyMap<string, TaskAnchor>): TaskAnchor[] {
  if (!hasAnchors(task)) return [];
  return linesOf(task).flatMap(line => (isOurs(line) ? (known?.get(line) ?? readAnchor(line) ?? []) : []));
}

function readAnchor(source: string): TaskAnchor | undefined {
  const line = parseLine(source);
  if (line.name !== anchorName || paramOf(line, 'V') !== version) return undefined;
  const repo = paramOf(line, 'REPO')?.toLowerCase();
  const path = paramOf(line, 'PATH')?.replace(/^\.\/(?!#)/, '');
  if (!repo || !/^[\da-f]{12}$/.test(repo) || !path) return undefined;
  const number = /^\d{1,9}$/.exec(paramOf(line, 'LINE') ?? '')?.[0];
  const fingerprint = parseFingerprint(line.value.trim());
  const at = number === undefined ? {} : { line: Math.max(0, Number(number) - 1) };
  const isTodo = paramOf(line, 'SOURCE') === 'TODO';
  return { repo, path, source, ...at, ...(fingerprint && { fingerprint }), ...(isTodo && { isTodo }) };
}

/** True if a task was made from a TODO comment. */
export const isFromTodo = (task: Raw): boolean => anchorsOf(task).some(({ isTodo }) => isTodo);

/** A part of the lines of every such task. */
export const todoSource = 'SOURCE=TODO';

const paramsOf = ({ repo, path, line, isTodo }: Anchor): [string, string][] => [
  ['V', version],
  ['REPO', repo],
  ['PATH', path],
  ...(line === undefined ? [] : [['LINE', String(line + 1)] satisfies [string, string]]),
  ...(isTodo ? [['SOURCE', 'TODO'] satisfies [string, string]] : []),
];

/** Cyrus refuses a task with a property that is empty. */
const printOf = ({ fingerprint }: Anchor) => (fingerprint ? formatFingerprint(fingerprint) : '0');

const formatAnchor = (anchor: Anchor): string =>
  formatLine(anchorName.toLowerCase(), printOf(anchor), paramsOf(anchor));

/** An edit of a task's anchors; `source` is that of {@link TaskAnchor}, and to remove a link it may be its URL. */
export interface AnchorEdit {
  readonly add?: readonly Anchor[];
  readonly remove?: readonly string[];
  /** Parameters that are not ours stay on the line. */
  readonly replace?: readonly { readonly source: string; readonly by: Anchor }[];
}

/** `unknownProperties` after an edit; null if nothing is left in it. The same line is not added twice. */
export function withAnchors(task: Raw, { add = [], remove = [], replace = [] }: AnchorEdit): string | null {
  const kept = linesOf(task).filter(line => !remove.includes(line));
  const lines = kept.map(line => {
    const by = replace.find(({ source }) => source === line)?.by;
    return by ? withValue(parseLine(line), printOf(by), ['V', 'REPO', 'PATH', 'LINE', 'SOURCE'], paramsOf(by)) : line;
  });
  for (const line of add.map(formatAnchor)) if (!lines.includes(line)) lines.push(line);
  if (add.length + remove.length + replace.length === 0) return task.unknownProperties;
  return lines.length > 0 ? JSON.stringify(lines) : null;
}

/** Links to files that tasks had before there were anchors: in the URL, and in the notes as `[name](file:///notes.md#L12)`. */
export interface FileLink {
  /** The link as it is written. */
  readonly source: string;
  /** Without its fragment. */
  readonly uri: string;
  /** From 0. */
  readonly line?: number;
}

/** A task with one of its code locations. */
export interface AnchoredTask {
  readonly task: Id;
  readonly anchor: TaskAnchor;
}

/** A task with one of its links to files. */
export interface FileLinkOfTask {
  readonly task: Id;
  readonly link: FileLink;
}

/** Text in rows that may have one: beginnings of what {@link fileLinksOf} finds. */
export const fileLinkStarts = ['file://', 'vscode-'];

/** `file:///home/ana/notes.md`, `vscode-remote://ssh-remote+box/src/a.ts`. */
const fileLink = /\b(?:file|vscode-remote|vscode-vfs):\/\/[^\s<>"')]+/g;

/** Each location once: an anchor without a fingerprint. */
export function fileLinksOf({ url, description }: { url: string | null; description: string | null }): FileLink[] {
  const found = [...(url?.match(fileLink) ?? []), ...(description?.match(fileLink) ?? [])];
  return [...new Set(found)].map(link => {
    const line = /#L(\d{1,9})$/.exec(link)?.[1];
    return { source: link, uri: link.replace(/#.*$/, ''), ...(line ? { line: Math.max(0, Number(line) - 1) } : {}) };
  });
}
