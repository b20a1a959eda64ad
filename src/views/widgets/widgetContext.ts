import type { DuelineEngine } from '../../api';
import type { Id, Occurrence, TaskList } from '../../core/model';
import type { Day } from '../../core/time/dates';
import type { GroupView, WidgetSetup } from '../../shared/widgetProtocol';
import type { DateStyle } from '../../ui/settings/settings';
import type { RowSetting } from '../webview/rowView';
import type { GroupLimits } from './groupLimits';

/** What the groups of one widget are made with. */
export interface WidgetContext {
  readonly engine: DuelineEngine;
  readonly setup: WidgetSetup;
  readonly style: DateStyle;
  readonly lists: ReadonlyMap<Id, TaskList>;
  readonly now: Day;
  readonly limits: GroupLimits;
  /** Makes the rows that a group shows. */
  rows(group: string, items: readonly Occurrence[], look?: RowsLook): Pick<GroupView, 'rows' | 'more'>;
}

interface RowsLook extends Partial<RowSetting> {
  /** Of each item, below others. */
  readonly depths?: readonly number[];
  /** How many there are, if `items` are only the first ones; the others are open. */
  readonly count?: number;
}
