import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { contextKeys } from '../../contributions/ids';
import { Disposables } from '../../core/kernel/events';
import type { ShownMeeting } from '../../core/meetings/calendars';
import { meetingsOn } from '../../core/meetings/days';
import { addDays, dayBounds, today } from '../../core/time/dates';
import { isolate, t } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import type { CommandServices } from '../../ui/services';
import { dateStyle, setting, writeSetting } from '../../ui/settings/settings';
import { openTaskLink } from '../../ui/taskLinks';
import { meetingOf, meetingWhen } from '../../ui/text/meetingText';
import { withIcon } from '../../ui/withIcon';
import { addTaskFor } from './addTaskFor';
import { chooseCalendars } from './chooseCalendars';

/** The commands for meetings, none of which changes one. */
export function meetingCommands({ commands, engine }: CommandServices): vscode.Disposable {
  const owned = new Disposables();
  const { meetings } = engine;
  const publish = () =>
    void vscode.commands.executeCommand('setContext', contextKeys.hasCalendars, meetings.calendars.length > 0);
  owned.add(meetings.onDidChange(publish));
  void meetings.open().catch(showError);
  owned.add(commands.on('dueline.meetings.choose', () => chooseCalendars(engine)));
  const toggle = () => writeSetting('dueline.meetings.show', !setting('dueline.meetings.show'));
  owned.add(commands.on('dueline.meetings.toggle', toggle));
  owned.add(commands.on('dueline.meetings.show', toggle));
  owned.add(
    commands.on('dueline.meetings.open', async keys => {
      const meetings = (keys ?? []).flatMap(key => meetingOf(engine, key) ?? []);
      const meeting = meetings.length > 1 ? await pickMeeting(engine, meetings) : meetings[0];
      return meeting && act(engine, meeting);
    }),
  );
  owned.add(
    commands.on('dueline.meetings.addTask', async () => {
      const meeting = await pickMeeting(engine, await nextDays(engine));
      return meeting && addTaskFor(engine, meeting);
    }),
  );
  return owned as vscode.Disposable;
}

/** The meetings of today and the six days after it. */
async function nextDays(engine: DuelineEngine): Promise<readonly ShownMeeting[]> {
  await engine.meetings.open();
  const { clock, startHour } = dateStyle(engine);
  const first = today(clock, startHour);
  const all = engine.meetings.between(first, addDays(first, 6));
  const days = Array.from({ length: 7 }, (_, at) => dayBounds(addDays(first, at), clock.timeZone, startHour));
  return [...new Set(days.flatMap(day => meetingsOn(all, day, clock.timeZone)))];
}

async function pickMeeting(
  engine: DuelineEngine,
  meetings: readonly ShownMeeting[],
): Promise<ShownMeeting | undefined> {
  const style = dateStyle(engine);
  const lines = meetings.map(meeting => ({
    label: titleOf(meeting),
    description: meetingWhen(meeting, style),
    ...(meeting.location === undefined ? {} : { detail: isolate(meeting.location) }),
    meeting,
  }));
  return (await showQuickPick(lines, { placeHolder: t('Select a meeting') }))?.meeting;
}

async function act(engine: DuelineEngine, meeting: ShownMeeting): Promise<unknown> {
  const { link, location } = meeting;
  const lines = [
    ...(link === undefined
      ? []
      : [{ ...withIcon('link-external', t('Open')), description: isolate(link), run: () => openTaskLink(link) }]),
    { ...withIcon('add', t('Add a Task for This Meeting')), run: () => addTaskFor(engine, meeting) },
  ];
  const picked = await showQuickPick(lines, {
    title: titleOf(meeting),
    placeHolder: [meetingWhen(meeting, dateStyle(engine)), location && isolate(location)].filter(Boolean).join(' · '),
  });
  return picked?.run();
}

const titleOf = ({ title }: ShownMeeting) => isolate(title || t('(no title)'));
