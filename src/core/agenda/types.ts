import type { ItemGroup } from '../filter/eval/group';
import type { Id } from '../model';
import type { WidgetKind } from './widgets';

export interface WidgetOptions {
  /** Lists to show; all visible lists if absent. */
  lists?: readonly Id[];
  /** A saved filter's name or a query. */
  filter?: string;
  /** At most so many lines; in `lists`, so many of each list. */
  limit?: number;
}

export type WidgetGroup = ItemGroup;

export interface WidgetSnapshot {
  readonly kind: WidgetKind;
  /**
   * Today: `overdue`, `today`. Up next: days `YYYY-MM-DD`. Week: seven of them. Lists: one group a list, by id.
   * Tasks: as the query's `group:` says.
   */
  readonly groups: readonly WidgetGroup[];
  /** Open tasks of the widget, also those beyond its limit; one that stands in several groups counts once. */
  readonly openCount: number;
  /** Tasks repeat so often that some of their dates are left out. */
  readonly isCut?: true;
}
