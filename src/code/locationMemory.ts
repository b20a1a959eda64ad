import type * as vscode from 'vscode';
import type { TaskAnchor } from '../core/code/anchors';
import type { TextIndex } from '../core/code/fingerprint';
import {
  type Fingerprint,
  fingerprintAt,
  formatFingerprint,
  parseFingerprint,
  quoteAt,
  rankOf,
} from '../core/code/fingerprint';
import type { LocateQuery } from '../core/code/locate';
import { isHashedPath } from '../core/code/repository';

/** A code location as this computer saw it last. */
interface KnownLocation {
  /** Never a hash. */
  readonly path: string;
  readonly line?: number;
  readonly print?: string;
  /** The line without its white space. */
  readonly quote?: string;
  readonly isStale?: true;
  /** The file is gone. */
  readonly isMissing?: true;
  /** Only the lines around it are the same. */
  readonly isProbable?: true;
  /** The last certain line, if the current one is only probable. */
  readonly sure?: string;
  /** The line exists, but without the comment that the task was made from. */
  readonly isBare?: true;
}

/** The state of a line that is there. */
type LineState = { readonly isBare?: boolean; readonly isProbable?: boolean };

const key = 'dueline.places';
const maxEntries = 2000;

/**
 * Code locations as they are seen while files are open and edited. They are kept with the window's workspace, on this computer:
 * opening a file must not change a task, and the text of a line must not leave with it.
 */
export class LocationMemory {
  readonly #known: Map<string, KnownLocation>;
  #writing: NodeJS.Timeout | undefined;

  constructor(private readonly workspaceState: vscode.Memento) {
    this.#known = new Map(Object.entries(workspaceState.get<Record<string, KnownLocation>>(key, {})));
  }

  of = ({ source }: TaskAnchor): KnownLocation | undefined => this.#known.get(source);

  pathOf(anchor: TaskAnchor): string | undefined {
    return this.of(anchor)?.path ?? (isHashedPath(anchor.path) ? undefined : anchor.path);
  }

  /** The code is not in its file, or the file is gone. */
  isStale(anchor: TaskAnchor): boolean {
    const { isStale, isMissing } = this.of(anchor) ?? {};
    return isStale === true || isMissing === true;
  }

  /** Records that the file has this path now, or is gone; its lines were not checked. */
  notePath(anchor: TaskAnchor, path: string, isMissing = false): void {
    const { isMissing: _, ...before } = this.of(anchor) ?? {};
    this.#keep(anchor, { ...before, path, ...(isMissing && { isMissing }) });
  }

  /** The code locations to search for: the last known one, and the task's own. */
  queries(anchor: TaskAnchor): LocateQuery[] {
    const { line = anchor.line ?? 0, print, quote } = this.of(anchor) ?? {};
    const seen = print && parseFingerprint(print);
    return [...(seen ? [{ fingerprint: seen, line, ...(quote ? { quote } : {}) }] : []), ...this.ownQueries(anchor)];
  }

  /** The lines by which a probable one is known to be the task's: as it was before, and the task's own. */
  ownQueries(anchor: TaskAnchor): LocateQuery[] {
    const own = { fingerprint: anchor.fingerprint, line: anchor.line ?? 0 };
    const { sure, line = own.line } = this.of(anchor) ?? {};
    const before = sure && parseFingerprint(sure);
    return before ? [{ fingerprint: before, line }, own] : [own];
  }

  /** `line` undefined: the code is not there. */
  note(anchor: TaskAnchor, path: string, index: TextIndex, line: number | undefined, seen: LineState = {}): void {
    const { isMissing: _, ...before } = this.of(anchor) ?? {};
    const print = line === undefined ? undefined : fingerprintAt(index, line);
    const after: KnownLocation =
      line === undefined || !print
        ? { ...before, path, isStale: true }
        : { path, line, ...seenAt(index, line, print), ...flagsOf(seen), ...(seen.isProbable && sureIn(before)) };
    this.#keep(anchor, after);
  }

  #keep(anchor: TaskAnchor, after: KnownLocation): void {
    if (JSON.stringify(this.of(anchor)) === JSON.stringify(after)) return;
    this.#known.delete(anchor.source);
    this.#known.set(anchor.source, after);
    this.#writing ??= setTimeout(() => this.flush(), 1000);
  }

  flush(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    void this.workspaceState.update(key, Object.fromEntries([...this.#known].slice(-maxEntries)));
  }
}

const sureIn = ({ isProbable, print, sure = isProbable ? undefined : print }: Partial<KnownLocation>) =>
  sure === undefined ? {} : { sure };

const flagsOf = ({ isBare, isProbable }: LineState) => ({
  ...(isBare && { isBare }),
  ...(isProbable && { isProbable }),
});

const seenAt = (index: TextIndex, line: number, print: Fingerprint) => ({
  print: formatFingerprint(print),
  quote: quoteAt(index, rankOf(index, line)),
});
