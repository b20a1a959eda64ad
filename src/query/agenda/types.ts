import type { Id } from '../../core/kernel/model';
import type { ItemGroup } from '../eval/group';
import type { WidgetKind } from './widgets';

export interface WidgetOptions {
  /** Lists to show; all visible lists if absent. */
  lists?: readonly Id[];
  /** A saved filter's name or a query. */
  filter?: string;
  /** The most lines; in `lists`, the most of each list. */
  limit?: number;
  /** In `today`: the most lines of each group. */
  groupLimit?: number;
}

export interface WidgetGroup extends ItemGroup {
  /** In `today`: how many lines it has, also those beyond `groupLimit`. */
  readonly count?: number;
}

/** A snapshot of the kind that was asked for: a caller need not know of other kinds. */
export interface WidgetSnapshot<Kind extends WidgetKind = WidgetKind> {
  readonly kind: Kind;
  /**
   * Today: `overdue`, `today`. Up next: days `YYYY-MM-DD`. Week: seven of them, Month: 42. Lists: one group a list, by id.
   * Tasks: as the query's `group:` says.
   */
  readonly groups: readonly WidgetGroup[];
  /** Open tasks of the widget, also those beyond its limit; one that is in several groups counts once. */
  readonly openCount: number;
  /** Tasks repeat so often that some of their dates are left out. */
  readonly isCut?: true;
}
