import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { hoursText, type WorkSession, workTimeOf } from '../../core/code/workTime';
import type { Task } from '../../core/kernel/model';
import type { TimeEdit } from '../../core/kernel/working';
import { wallOf } from '../../core/time/dates';
import { brief, isolate, t } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { showInputBox, showQuickPick } from '../../ui/dialogs';
import { titleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';

/** Corrects, adds or removes a session of a task. */
export async function editTime(engine: DuelineEngine, task: Task): Promise<Announcement | undefined> {
  const { sessions } = workTimeOf(task);
  const rows = sessions.toReversed().map(session => ({
    label: spanText(engine, session),
    description: hoursText(session.ms),
    session,
  }));
  const add: vscode.QuickPickItem & { readonly session?: WorkSession } = withIcon('add', t('Add Time…'));
  const title = t('Time: {0}', isolate(brief(titleOf(task), 40)));
  const picked = await showQuickPick([add, ...rows], { title });
  if (!picked) return undefined;
  const { session } = picked;
  const before = session ? spanText(engine, session) : '';
  const text = await showInputBox({
    title,
    value: before,
    prompt: session
      ? t('Start and end, for example today 9:00 to 10:30. Leave it empty to remove the time.')
      : t('Start and end, for example today 9:00 to 10:30'),
    validateInput: line => {
      const span = readSpan(engine, line);
      // If the end is before the start, it is on the next day.
      if (span)
        return {
          message: `${spanText(engine, span)} · ${hoursText(span.ms)}`,
          severity: vscode.InputBoxValidationSeverity.Info,
        };
      return session && line.trim() === '' ? undefined : t('This is not a time span.');
    },
  });
  if (text === undefined || text === before) return undefined;
  const span = readSpan(engine, text);
  const repo = session?.repo;
  const edit: TimeEdit = { remove: session?.start, add: span ? [{ ...span, ...(repo && { repo }) }] : [] };
  return perform(
    engine,
    () => engine.working.edit(task.id, edit),
    () => t('Changed the time of {0}', isolate(titleOf(task))),
  );
}

/** Quick Add reads it in every language: `2026-11-28 09:00 - 10:30`. */
function spanText({ clock }: DuelineEngine, { start, ms }: Pick<WorkSession, 'start' | 'ms'>): string {
  const [from, to] = [start, start + ms].map(moment =>
    new Date(wallOf(moment, clock.timeZone)).toISOString().slice(0, 16).replace('T', ' '),
  ) as [string, string];
  return `${from} - ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to}`;
}

function readSpan(engine: DuelineEngine, text: string): Pick<WorkSession, 'start' | 'ms'> | undefined {
  // The words are only read as a task's if there is a title.
  const { input, title } = engine.parseQuickAdd(`x ${text}`, { onlyDates: true });
  const { dtstart, due, isAllDay } = input;
  if (title !== 'x' || dtstart == null || due == null || isAllDay || due <= dtstart) return undefined;
  return { start: dtstart, ms: due - dtstart };
}
