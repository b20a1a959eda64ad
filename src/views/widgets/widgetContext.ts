import type { DuelineEngine } from '../../api';
import type { Id, Occurrence, TaskList } from '../../core/kernel/model';
import type { Day } from '../../core/time/dates';
import type { WidgetSetup } from '../../shared/widgetProtocol';
import type { DateStyle } from '../../ui/settings/settings';
import type { RowSetting } from './rowView';

/** The context in which the groups of one widget are made. */
export interface WidgetContext {
  readonly engine: DuelineEngine;
  readonly setup: WidgetSetup;
  readonly style: DateStyle;
  readonly lists: ReadonlyMap<Id, TaskList>;
  readonly now: Day;
  /** How many rows of a group are shown, if a group shows its first ones. */
  maxRowsOf(group: string): number;
  /** Builds the rows of a group and returns their keys. */
  rows(group: string, items: readonly Occurrence[], more?: Partial<RowSetting>): readonly string[];
}
