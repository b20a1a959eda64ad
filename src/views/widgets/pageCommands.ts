import type { CommandId } from '../../contributions/definitions';
import { t } from '../../shared/l10n';
import type { RowAct, WidgetAct } from '../../shared/widgetProtocol';

/** The commands behind the actions of a page. */

export const rowCommands: Record<RowAct, CommandId> = {
  complete: 'dueline.complete',
  open: 'dueline.open',
  preview: 'dueline.open',
  rename: 'dueline.rename',
  delete: 'dueline.delete',
  due: 'dueline.setDue',
  repeat: 'dueline.setRecurrence',
  tags: 'dueline.editTags',
  priority: 'dueline.setPriority',
  list: 'dueline.moveToList',
  postpone: 'dueline.postpone',
  snooze: 'dueline.snooze',
  openLink: 'dueline.openLink',
  editAsText: 'dueline.editAsText',
};

export const widgetCommands = (): Partial<Record<WidgetAct, readonly [CommandId, ...unknown[]]>> => ({
  undo: ['dueline.undo'],
  redo: ['dueline.redo'],
  quickAdd: ['dueline.quickAdd'],
  search: ['dueline.search'],
  newList: ['dueline.list.new'],
  toggleMeetings: ['dueline.meetings.toggle'],
  planTomorrow: ['dueline.quickAdd', { text: `${t('tomorrow')} ` }],
});

export const meetingsCommand: CommandId = 'dueline.meetings.open';
