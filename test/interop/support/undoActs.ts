import type { TaskList } from '../../../src/api';
import type { Device } from './twoDevices';

/** Returns what it did; undefined if there was nothing to do. */
type TakingBack = (device: Device, random: () => number, list: TaskList | undefined) => Promise<string | undefined>;

const oneOf = <T>(items: readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)];

/** Takes back, or does again, up to three acts. */
const stepping =
  (way: 'undoNamed' | 'redoNamed', name: string): TakingBack =>
  async ({ engine }, random) => {
    const done: string[] = [];
    for (let steps = random() * 3; steps > 0; steps--) {
      const label = await engine[way]();
      if (!label) break;
      done.push(label.key);
    }
    return done.length === 0 ? undefined : `${name} ${done.join(', ')}`;
  };

const undo = stepping('undoNamed', 'undoes');
const redo = stepping('redoNamed', 'does again');

async function restore({ engine }: Device, random: () => number): Promise<string | undefined> {
  const entry = oneOf(await engine.trash(), random);
  if (!entry) return undefined;
  await engine.restore([entry.key]);
  return `restores ${entry.task.uid}`;
}

async function backUp({ engine }: Device): Promise<string> {
  await engine.data.backUpNow();
  return 'backs up';
}

async function restoreBackup({ engine }: Device, random: () => number): Promise<string | undefined> {
  const backup = oneOf(engine.data.backups(), random);
  if (!backup) return undefined;
  await engine.data.restoreBackup(backup.path);
  return `restores the backup of ${new Date(backup.at).toISOString()}`;
}

const todo = (uid: string, words: string, parent?: string): string[] => [
  'BEGIN:VTODO',
  `UID:${uid}`,
  'CREATED:20260101T000000Z',
  `SUMMARY:${words}`,
  ...(parent === undefined ? [] : [`RELATED-TO:${parent}`]),
  'END:VTODO',
];

/** A packing list; every import of it has the same UIDs. */
export function fileOf(number: number): string {
  const uid = (at: number) => `0000000${number}-0000-4000-8000-00000000000${at}`;
  const todos = [
    ...todo(uid(0), `Pack bag ${number}`),
    ...todo(uid(1), `Pass ${number}`, uid(0)),
    ...todo(uid(2), `Socks ${number}`, uid(0)),
  ];
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//File//EN', ...todos, 'END:VCALENDAR', ''].join('\r\n');
}

async function importFile(
  { engine }: Device,
  random: () => number,
  list: TaskList | undefined,
): Promise<string | undefined> {
  if (!list) return undefined;
  const number = Math.floor(random() * 2);
  await engine.importTasks('ics', fileOf(number), list.id);
  return `takes file ${number} into ${list.name}`;
}

/** Acts that bring rows back or in from elsewhere; undo reverts each. An act listed twice is chosen twice as often. */
export const bringingBack: readonly TakingBack[] = [restore, restore, importFile, backUp, restoreBackup];

export const takingBack: readonly TakingBack[] = [undo, undo, undo, redo, redo, ...bringingBack];
