/** When tasks are due, start, repeat and remind. */
import type { OnReminders, OnTask, OnTasks, OnTasksByKey } from '../commandTargets';
import { command } from '../define';
import { all, inToday, isRecurringRow, letterKey, oncePageTask, oneRow, openTask, remindedPageTask } from '../when';

export const scheduleCommands = {
  'dueline.setDue': command<OnTasksByKey>({
    icon: 'calendar',
    menus: [
      { menu: 'view/item/context', group: 'inline@1', when: openTask },
      { menu: 'dueline.due', group: '2@1' },
    ],
    keys: [letterKey('d')],
  }),
  'dueline.addAlarm': command<OnTasks>({
    menus: [{ menu: 'dueline.due', group: '3@2' }],
  }),
  'dueline.skipOccurrence': command<OnTask>({
    palette: false,
    menus: [{ menu: 'dueline.repeat', group: '1@2', when: oneRow }],
  }),
  'dueline.setStart': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.due', group: '3@1' }] }),
  'dueline.dueToday': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.due', group: '1@1' }] }),
  'dueline.dueTomorrow': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.due', group: '1@2' }] }),
  'dueline.dueNextWeek': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.due', group: '1@3' }] }),
  'dueline.clearDue': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.due', group: '2@3' }] }),
  'dueline.postpone': command<OnTasksByKey>({
    icon: 'arrow-circle-right',
    menus: [
      { menu: 'view/item/context', group: 'inline@2', when: openTask },
      { menu: 'dueline.due', group: '2@2' },
    ],
    keys: [letterKey('s')],
  }),
  'dueline.planToday': command({ menus: [{ menu: 'view/title', group: '1_plan@0', when: inToday }] }),
  'dueline.rescheduleOverdue': command({
    palette: false,
    menus: [{ menu: 'view/title', group: '1_plan@1', when: inToday }],
  }),
  'dueline.setRecurrence': command<OnTasksByKey>({
    menus: [
      { menu: 'view/item/context', group: '2_schedule@2', when: all(openTask, `!(${isRecurringRow})`) },
      { menu: 'webview/context', group: '2_schedule@2', when: oncePageTask },
      { menu: 'dueline.repeat', group: '1@1' },
    ],
    keys: [letterKey('r')],
  }),
  'dueline.snooze': command<OnTasksByKey>({
    palette: false,
    icon: 'watch',
    menus: [{ menu: 'webview/context', group: '0_reminder@1', when: remindedPageTask }],
    keys: [letterKey('z')],
  }),
  'dueline.dismissReminder': command<OnTasks>({
    palette: false,
    icon: 'bell-slash',
    menus: [{ menu: 'dueline.due', group: '3@3', when: remindedPageTask }],
  }),
  'dueline.showPendingAlarms': command<OnReminders>({ icon: 'bell' }),
};
