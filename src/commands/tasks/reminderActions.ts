import * as vscode from 'vscode';
import type { DuelineEngine, Reminder } from '../../api';
import type { EpochMs } from '../../core/kernel/model';
import { snoozeChoices } from '../../core/reminders/snoozeChoices';
import { firstWorkdayOf } from '../../core/time/weekStart';
import { t, tn } from '../../shared/l10n';
import type { Announce } from '../../ui/announcements';
import { remindedTask } from '../../ui/pendingReminders';
import { dateStyle, setting } from '../../ui/settings/settings';
import { momentLabel } from '../../ui/text/dateText';
import { digestSentence, reminderSentence, snoozeLabel } from '../../ui/text/reminderText';
import { withIcon } from '../../ui/withIcon';
import { askDate } from '../common/askDate';
import { applyPlan } from '../common/changePlan';
import { planToggle } from './completeAndDelete';
import { reminderMoment } from './dueChoice';

/** The user's answers to reminders. After each, the reminders no longer wait. */
export class ReminderActions {
  constructor(
    private readonly engine: DuelineEngine,
    private readonly announce: Announce,
  ) {}

  /** Completes the task as its row does, with its open subtasks; if the user cancels the question about them, it waits on. */
  async complete(reminder: Reminder): Promise<void> {
    const { engine } = this;
    const { key, recurrenceId } = reminder;
    const task = engine.task(remindedTask(engine, reminder).id);
    // Done meanwhile, elsewhere: a second time would reopen it, or take the next occurrence along.
    if (task && engine.reminders.pending().some(one => one.key === key)) {
      const plan = await planToggle(engine, [{ task, occurrence: recurrenceId }]);
      if (!plan) return;
      const done = await applyPlan(engine, plan);
      if (done) this.announce(done);
    }
    await engine.reminders.dismiss([{ key }]);
  }

  async open(reminder: Reminder): Promise<void> {
    const { key, recurrenceId } = reminder;
    await this.engine.reminders.dismiss([{ key }]);
    const { id } = remindedTask(this.engine, reminder);
    await vscode.commands.executeCommand('dueline.open', { taskId: id, occurrence: recurrenceId });
  }

  dismiss(reminders: readonly Reminder[]): Promise<void> {
    return this.engine.reminders.dismiss(reminders);
  }

  /** Asks until when; returns false if the user cancels, and the reminders keep waiting. */
  async snooze(reminders: readonly Reminder[]): Promise<boolean> {
    const title = reminders.length === 1 ? reminderSentence(reminders[0]!, this.engine) : digestSentence(reminders);
    const until = await this.#askUntil(title);
    if (until === undefined) return false;
    await this.engine.reminders.snooze(reminders, until);
    const when = momentLabel(until, { timezone: 'UTC', isAllDay: false }, dateStyle(this.engine));
    vscode.window.setStatusBarMessage(
      tn(reminders.length, 'Snoozed until: {1}', '{0} reminders snoozed until: {1}', when),
      5000,
    );
    return true;
  }

  #askUntil(title: string): Promise<EpochMs | undefined> {
    const { clock, settings } = this.engine;
    const style = dateStyle(this.engine);
    const choices = snoozeChoices(setting('dueline.reminders.snoozeOptions'), {
      clock,
      startHour: style.startHour,
      morning: settings.allDayAlarmTime,
      firstWorkday: firstWorkdayOf(settings.firstDay, settings.locale),
    });
    const labelOf = (until: EpochMs) => momentLabel(until, { timezone: 'UTC', isAllDay: false }, style);
    const presets = choices.map(choice => ({
      ...withIcon('watch', snoozeLabel(choice)),
      description: labelOf(choice.until),
      answer: choice.until,
    }));
    const read = (text: string) => {
      const date = this.engine.readDate(text);
      const until = date && reminderMoment(this.engine, date);
      if (until === undefined) return undefined;
      return until > clock.now()
        ? { ...withIcon('check', date!.label), answer: until }
        : { label: t('Type a time in the future.') };
    };
    const placeholder = t('Select when to be reminded again, or type it: 2 min, tomorrow 9am');
    return askDate({ engine: this.engine, title, placeholder, presets, read });
  }
}
