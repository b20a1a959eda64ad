import type { Id } from '../../core/kernel/model';
import type { GroupView } from '../../shared/widgetProtocol';
import { isLoaded, type KnownRow, type RowDetails, type RowSummary } from '../../shared/widgetRow';

/** A row of a widget whose details are computed when the page draws it. */
export interface RowLine {
  readonly summary: RowSummary;
  details(): RowDetails;
}

/** Enough for the first drawing of a group and the next screen; the page asks for more as it scrolls. */
const firstOfGroup = 40;
const initialRowLimit = 400;

/** The rows that a page has, and those that it must get next. */
export class RowDelivery {
  #sent = new Map<string, KnownRow>();
  #lines: ReadonlyMap<string, RowLine> = new Map();

  /**
   * Compares with the rows that the widget shows now; returns those that the page does not have. `fresh` if it has
   * none; `whole` if its layout depends on the details, so that it needs all of them.
   */
  diff(lines: readonly RowLine[], groups: readonly GroupView[], { fresh, whole }: How): KnownRow[] {
    this.#lines = new Map(lines.map(line => [line.summary.key, line]));
    const first = whole ? undefined : keysAtFirst(groups);
    const before = fresh ? new Map<string, KnownRow>() : this.#sent;
    // The page forgets rows that are not shown, and must get them again when they come back.
    this.#sent = new Map();
    const changed: KnownRow[] = [];
    for (const [key, line] of this.#lines) {
      const old = before.get(key);
      const isNeeded = old ? isLoaded(old) : !first || first.has(key);
      const row = isNeeded ? line.details() : line.summary;
      const isSame = old !== undefined && (old === row || sameRow(old, row));
      this.#sent.set(key, isSame ? old : row);
      if (!isSame) changed.push(row);
    }
    return changed;
  }

  /** True if a row of one of the tasks is shown. */
  hasAny(tasks: readonly Id[]): boolean {
    return [...this.#lines.values()].some(({ summary }) => tasks.includes(summary.taskId));
  }

  /** The details of rows that have come into sight, without those that are gone by now. */
  detailsOf(keys: readonly string[]): RowDetails[] {
    return keys.flatMap(key => {
      const row = this.#lines.get(key)?.details();
      if (row) this.#sent.set(key, row);
      return row ?? [];
    });
  }

  /**
   * The rows behind the keys that are shown. A row that has just gone to another group is still the same row: the
   * page may not have drawn it there yet when a key of the keyboard means it.
   */
  summaries(keys: readonly string[]): RowSummary[] {
    let anywhere: ReadonlyMap<string, RowLine> | undefined;
    const inOtherGroup = (key: string) => {
      anywhere ??= new Map([...this.#lines].map(([known, line]) => [withoutGroup(known), line]));
      return anywhere.get(withoutGroup(key));
    };
    return keys.flatMap(key => (this.#lines.get(key) ?? inOtherGroup(key))?.summary ?? []);
  }
}

/** The key of a row begins with that of its group. */
const withoutGroup = (key: string) => key.slice(key.lastIndexOf('/'));

interface How {
  readonly fresh: boolean;
  readonly whole: boolean;
}

function keysAtFirst(groups: readonly GroupView[]): ReadonlySet<string> {
  const keys = groups.filter(({ folded }) => !folded).flatMap(({ rows }) => rows.slice(0, firstOfGroup));
  return new Set(keys.slice(0, initialRowLimit));
}

function sameRow(one: KnownRow, other: KnownRow): boolean {
  if (isLoaded(one) || isLoaded(other)) return JSON.stringify(one) === JSON.stringify(other);
  return (
    one.taskId === other.taskId &&
    one.occurrence === other.occurrence &&
    one.state === other.state &&
    one.depth === other.depth &&
    one.isTall === other.isTall
  );
}
