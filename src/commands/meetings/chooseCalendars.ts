import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { CalendarState } from '../../core/meetings/calendars';
import { isolate, t } from '../../shared/l10n';
import { askInDialog, showQuickPick } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { localize } from '../../ui/text/errorText';
import { withIcon } from '../../ui/withIcon';
import { type CalendarWay, waysElsewhere } from './calendarWays';

type Line = vscode.QuickPickItem & { readonly calendar?: CalendarState; readonly way?: CalendarWay };

/** Lets the user add and remove calendars, one at a time, until they close the picker. */
export async function chooseCalendars(engine: DuelineEngine): Promise<void> {
  await engine.meetings.open();
  for (;;) {
    const picked = await showQuickPick(linesOf(engine), {
      title: t('Choose Calendars'),
      placeHolder: t('Meetings are shown next to your tasks. Dueline never changes them.'),
    });
    if (!picked) return;
    try {
      if (picked.calendar) await removeCalendar(engine, picked.calendar);
      else await picked.way?.add(engine);
    } catch (error) {
      await showError(error);
    }
  }
}

function linesOf(engine: DuelineEngine): readonly Line[] {
  const ways = [{ ...withIcon('file-add', t('Add a calendar file…')), add: addFile }, ...waysElsewhere(engine)];
  return [
    ...engine.meetings.calendars.map(calendar => ({
      ...withIcon('calendar', isolate(calendar.name)),
      description: isolate(calendar.address),
      ...(calendar.problem ? { detail: localize(calendar.problem) } : {}),
      calendar,
    })),
    ...ways.map(({ label, add }) => ({ label, way: { label, add } })),
  ];
}

async function removeCalendar(engine: DuelineEngine, { id, name }: CalendarState): Promise<void> {
  const remove = t('Remove');
  const detail = t('Its meetings will no longer be shown. Nothing else changes.');
  if ((await askInDialog(t('Remove the calendar {0}?', isolate(name)), detail, remove)) === remove)
    await engine.meetings.remove(id);
}

async function addFile({ meetings }: DuelineEngine): Promise<void> {
  const title = t('Add a Calendar File');
  const filters = { [t('Calendars')]: ['ics', 'ical', 'ifb', 'icalendar'] };
  const [file] = (await vscode.window.showOpenDialog({ title, openLabel: t('Add'), filters })) ?? [];
  if (!file) return;
  const name = file.path
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '');
  await meetings.add({ kind: 'file', name, color: null, address: file.fsPath });
}
