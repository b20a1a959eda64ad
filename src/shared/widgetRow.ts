/** The rows of a widget as its page knows them. Free of vscode and node, as the protocol is. */

import type { PriorityBucket } from '../core/fields/priority';
import type { EpochMs, Id } from '../core/kernel/model';

/** The facts that a page needs about every row, in sight or not. */
export interface RowSummary {
  /** Unique within the widget, stable while the row is shown. */
  readonly key: string;
  readonly taskId: Id;
  /** The series of an occurrence that is a task of its own. */
  readonly series?: Id;
  readonly occurrence: EpochMs | null;
  readonly state: 'open' | 'doing' | 'done' | 'cancelled';
  readonly depth: number;
  /** It has a second line. */
  readonly isTall: boolean;
}

/** A row with all its texts. */
export interface RowDetails extends RowSummary {
  readonly title: string;
  readonly priority: PriorityBucket;
  /** The one time that matters here. */
  readonly when?: string;
  readonly overdue: boolean;
  readonly recurring: boolean;
  /** The open tasks that it depends on, in words. */
  readonly after?: string;
  /** The title of its parent, if the row is not below that. */
  readonly parent?: string;
  /** From which date this occurrence was moved, in words. */
  readonly moved?: string;
  /** Marked as private or confidential. */
  readonly isPrivate: boolean;
  /** How long it takes, in words. */
  readonly takes?: string;
  readonly alarm: boolean;
  readonly linked: boolean;
  /** The first of its code locations: `session.ts:118`. */
  readonly codeLocation?: string;
  readonly noted: boolean;
  /** Its reminder waits for an answer. */
  readonly reminds?: true;
  /** The agent that has claimed it, in words. */
  readonly claimed?: string;
  /** Its time is being tracked. */
  readonly active?: true;
  /** The reason why sync needs the user, in a word. */
  readonly issue?: string;
  /** That reason is a conflict, which the user can decide. */
  readonly conflict?: true;
  readonly dirty: boolean;
  readonly readOnly: boolean;
  readonly list?: { readonly name: string; readonly color: string };
  readonly tags: readonly string[];
  readonly progress?: string;
  /** The whole row for a screen reader. */
  readonly accessibleLabel: string;
}

/** Texts take more time than the rest of a row, so a row that was never visible has none. */
export type KnownRow = RowSummary | RowDetails;

export const isLoaded = (row: KnownRow): row is RowDetails => 'title' in row;
