import type { DuelineEngine } from '../../src/api';
import { openEngine } from '../../src/engine';

/** An engine with an account that it has not synced yet. */
export async function withAccount(folder: string, serverUrl: string, username = '', password = '') {
  const engine = await openEngine({ folder });
  // A busy machine is no reason to give up: what is measured is time.
  engine.configure({ syncTimeoutSeconds: 300 });
  await engine.addAccount({ serverUrl, username, password });
  return engine;
}

/** Requests of one sync of everything. */
export async function synced(engine: DuelineEngine): Promise<number> {
  const [report] = (await engine.sync()).accounts;
  if (!report || report.error !== null) throw new Error(report?.error ?? 'There is no account.');
  return report.requests;
}

/** Tasks of accounts, the title ending so. */
export function expectTasks(engine: DuelineEngine, count: number, end = ''): void {
  const tasks = engine.lists().flatMap(({ id, accountId }) => (accountId === null ? [] : engine.rows(id)));
  const found = tasks.filter(({ title }) => title?.endsWith(end)).length;
  if (found !== count) throw new Error(`${found} tasks arrived.`);
}

/** The lines of a task as a user's calendar has it; `word` distinguishes its versions. */
export const aTask = (at: number, word: string): readonly string[] => [
  'CREATED:20261101T080000Z',
  `SUMMARY:Task ${at} ${word}`,
  'DESCRIPTION:Something to do\\, in a few words\\nand a second line.',
  `DUE;VALUE=DATE:202612${String((at % 28) + 1).padStart(2, '0')}`,
  `PRIORITY:${at % 10}`,
  'CATEGORIES:home,errand',
  ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Reminder', 'TRIGGER:-PT15M', 'END:VALARM'],
];
