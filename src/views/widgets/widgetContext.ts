import type { DuelineEngine } from '../../api';
import type { Id, Occurrence, TaskList } from '../../core/kernel/model';
import type { Day } from '../../core/time/dates';
import type { WidgetSetup } from '../../shared/widgetProtocol';
import type { DateStyle } from '../../ui/settings/settings';
import type { RowSetting } from '../webview/rowView';

/** What the groups of one widget are made with. */
export interface WidgetContext {
  readonly engine: DuelineEngine;
  readonly setup: WidgetSetup;
  readonly style: DateStyle;
  readonly lists: ReadonlyMap<Id, TaskList>;
  readonly now: Day;
  /** How many rows of a group are shown, where a group shows its first ones. */
  maxRowsOf(group: string): number;
  /** Makes the rows of a group and gives their keys. */
  rows(group: string, items: readonly Occurrence[], more?: Partial<RowSetting>): readonly string[];
}
