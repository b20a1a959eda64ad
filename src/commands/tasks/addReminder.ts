import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { AlarmInput, EpochMs, Task } from '../../core/kernel/model';
import { civilMs } from '../../core/time/dates';
import { minuteMs } from '../../core/time/units';
import { t, tn } from '../../shared/l10n';
import { alarmChoices } from '../../ui/alarmChoices';
import { perform } from '../../ui/announcements';
import { instanceOf } from '../../ui/occurrences';
import { presetDays } from '../../ui/presetDays';
import { datesOfOccurrence } from '../../ui/reschedule';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { alarmLabel } from '../../ui/text/alarmText';
import { withIcon } from '../../ui/withIcon';
import { parseAlarm } from '../../views/taskEditor/chipSuggestions';
import { askDate } from '../common/askDate';
import { currentTasks, type TargetResolver } from '../common/targets';
import { reminderMoment } from './dueChoice';

export const alarmCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  commands.on('dueline.addAlarm', async (target, selection) => {
    const tasks = await targets.tasks(target, selection, t('Select a task to add a reminder to'));
    if (tasks.length === 0) return undefined;
    const alarm = await askAlarm(engine, tasks);
    if (!alarm) return undefined;
    const isSame = (one: AlarmInput) =>
      one.minutesBefore === alarm.minutesBefore && (one.reference ?? 'DUE') === alarm.reference;
    const changes = currentTasks(engine, tasks)
      .filter(task => !task.alarms.some(isSame))
      .map(task => ({ type: 'update' as const, id: task.id, patch: { alarms: [...task.alarms, alarm] } }));
    if (changes.length === 0) return undefined;
    return perform(
      engine,
      () => engine.apply(changes),
      () => tn(changes.length, 'Added a reminder to {0} task', 'Added a reminder to {0} tasks'),
    );
  });

/** Before the due date or the start, if the tasks have one, or at a moment of its own. */
function askAlarm(engine: DuelineEngine, tasks: readonly Task[]): Promise<AlarmInput | undefined> {
  const style = dateStyle(engine);
  const [hasDue, hasStart] = [tasks.every(({ due }) => due !== null), tasks.every(({ dtstart }) => dtstart !== null)];
  const first = tasks[0]!;
  const shown = { ...first, ...datesOfOccurrence(first, instanceOf(engine, first)) };
  const line = ({ minutesBefore, reference = 'DUE' }: AlarmInput) => ({
    label: alarmLabel({ minutesBefore, reference }, style),
    answer: { minutesBefore, reference },
  });
  const presets = [
    ...alarmChoices(hasDue, hasStart).map(line),
    ...presetDays(engine).flatMap(({ icon, label, day }) => {
      const alarm = alarmAt(reminderMoment(engine, { due: civilMs(day), isAllDay: true, timezone: null }));
      return isAhead(engine, alarm)
        ? [{ ...withIcon(icon, label), description: line(alarm).label, answer: alarm }]
        : [];
    }),
  ];
  const read = (text: string) => {
    const parsed = parseAlarm(engine, hasDue ? shown : undefined, text);
    // A time alone is on the day of the task, as on its page. Several tasks have no day in common, and a day that is over
    // is not meant.
    const isOwnDay = parsed?.reference !== 'ABSOLUTE' || (tasks.length === 1 && isAhead(engine, parsed));
    const alarm = isOwnDay ? parsed : parseAlarm(engine, undefined, text);
    if (!alarm) return undefined;
    return isAhead(engine, alarm) ? line(alarm) : { label: t('Type a time in the future.') };
  };
  const placeholder = t('Select when, or type it: 30 min before, tomorrow 9am');
  return askDate<AlarmInput>({ engine, title: t('Reminder'), placeholder, presets, read });
}

const alarmAt = (instant: EpochMs): AlarmInput => ({
  minutesBefore: -Math.round(instant / minuteMs),
  reference: 'ABSOLUTE',
});

const isAhead = ({ clock }: DuelineEngine, { minutesBefore, reference }: AlarmInput) =>
  reference !== 'ABSOLUTE' || -minutesBefore * minuteMs > clock.now();
