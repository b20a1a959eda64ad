import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calendar } from '../../test/sync/support/texts';
import type { Window } from '../../test/ui/support/window';
import { type Draw, widget } from './window';

/** A title, the days from today, and the hours from when to when. */
const meetings = [
  ['Standup', [0, 1, 2, 3], 9.5, 9.75],
  ['Review of the sync design', [0], 10.5, 12],
  ['Lunch with Ana', [0, 3], 12.5, 13.5],
  ['Planning', [1], 13, 15.5],
  ['One to one', [2], 11, 11.5],
  ['Interview', [2], 16, 17],
] as const;

/** How long tasks take, by the first word of their title. */
const estimates: Readonly<Record<string, string>> = {
  Send: '30m',
  Review: '1h30m',
  Read: '45m',
  Water: '15m',
  Write: '2h',
  Slides: '3h',
  Call: '15m',
  Pay: '15m',
};

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export const daySettings = {
  'dueline.week.startToday': true,
  'dueline.day.hours': Object.fromEntries(weekdays.map(day => [day, 8])),
};

/** The pictures of docs/meetings.md and docs/estimates.md, in a window with tasks. */
export async function dayPictures(
  window: Window,
  moment: (day: number, hour: number) => number,
  draw: Draw,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-pictures-'));
  const file = join(folder, 'Team.ics');
  const wall = (day: number, hour: number) => new Date(moment(day, hour)).toISOString().replace(/[-:]|\.\d+Z/g, '');
  const event = (title: string, day: number, from: number, to: number) => [
    ...['BEGIN:VEVENT', `UID:${title} ${day}`, `SUMMARY:${title}`, 'DTSTAMP:20250101T000000Z'],
    ...[`DTSTART:${wall(day, from)}`, `DTEND:${wall(day, to)}`, 'END:VEVENT'],
  ];
  const events = meetings.flatMap(([title, days, from, to]) => days.map(day => event(title, day, from, to)));
  writeFileSync(file, calendar(...events));
  try {
    for (const { id } of await window.api('lists'))
      for (const { id: task, title } of await window.api('rows', id)) {
        const estimate = estimates[title.split(' ')[0]];
        if (estimate) await window.api('updateTask', task, { estimate });
      }
    await addCalendar(window, file);
    await draw(window, await widget(window, 'today', 420, 420, '.meeting'), 'day-today');
    await draw(window, await widget(window, 'week', 960, 560, '.meeting'), 'day-week');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const addCalendar = (window: Window, address: string) =>
  window.run(async (vscode, address) => {
    const { meetings } = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    await meetings.add({ kind: 'file', name: 'Team', color: '#3b6ea8', address });
  }, address);
