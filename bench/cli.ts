import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../src/engine';
import { program } from '../test/cli/support/terminal';
import { isInstalled } from '../test/interop/support/servers';
import { Todoman } from '../test/interop/support/todoman';
import { todoText } from '../test/sync/support/texts';
import { compared, inFolder, inTurns, type Report } from './reference/figure';

const day = 86_400_000;

/** A program that keeps tasks, with as many of the same in it. */
type Contestant = Readonly<Record<'list' | 'add', () => unknown>>;

const tasksOf = (length: number) =>
  Array.from({ length }, (_, at) => ({
    title: `Task number ${at} of the list`,
    due: (Math.floor(Date.now() / day) + (at % 60) - 20) * day,
    tags: at % 3 === 0 ? ['work'] : [],
  }));
type Tasks = ReturnType<typeof tasksOf>;
const isoDay = (due: number) => new Date(due).toISOString().slice(0, 10).replaceAll('-', '');

function start(command: string, args: readonly string[], env: Record<string, string> = {}, input = ''): void {
  const how = { encoding: 'utf8', input, maxBuffer: 2 ** 26, env: { ...process.env, ...env } } as const;
  const { status, stderr } = spawnSync(command, args, how);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
}

/** Keeps its compiled program, as the command that the extension installs does. */
async function dueline(folder: string, tasks: Tasks): Promise<Contestant> {
  const engine = await openEngine({ folder });
  const listId = engine.lists()[0]!.id;
  await engine.apply(tasks.map(task => ({ type: 'create', listId, input: { ...task, isAllDay: true } })));
  await engine.close();
  const env = { NODE_COMPILE_CACHE: join(folder, '../compiled') };
  const own = (...words: string[]) => start(process.execPath, [program, '--store', folder, ...words], env);
  return { list: () => own('list'), add: () => own('add', 'Buy milk tomorrow #home') };
}

function taskwarrior(folder: string, tasks: Tasks): Contestant {
  const settings = join(folder, 'taskrc');
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(settings, `data.location=${join(folder, 'data')}\nconfirmation=no\nverbose=nothing\n`);
  const task = (words: string[], input?: string) => start('task', words, { TASKRC: settings }, input);
  const imported = tasks.map(({ title, due, tags }) => ({ description: title, due: `${isoDay(due)}T000000Z`, tags }));
  task(['import', '-'], JSON.stringify(imported));
  return { list: () => task(['list']), add: () => task(['add', 'Buy milk', 'due:tomorrow', '+home']) };
}

function todoman(folder: string, tasks: Tasks): Contestant {
  const inbox = join(folder, 'lists/inbox');
  mkdirSync(inbox, { recursive: true });
  for (const [at, { title, due }] of tasks.entries())
    writeFileSync(join(inbox, `${at}.ics`), todoText(String(at), `SUMMARY:${title}`, `DUE;VALUE=DATE:${isoDay(due)}`));
  const todoman = new Todoman(join(folder, 'lists'), join(folder, 'own'));
  return { list: () => todoman.run('list'), add: () => todoman.run('new', '-l', 'inbox', 'Buy milk') };
}

/** The command line against others of its kind. */
export async function run(report: Report): Promise<void> {
  for (const size of [20, 5_000])
    await inFolder(async folder => {
      const tasks = tasksOf(size);
      const ours = await dueline(join(folder, 'dueline'), tasks);
      const task = isInstalled('task') ? taskwarrior(join(folder, 'task'), tasks) : undefined;
      const todo = isInstalled('todoman') ? todoman(join(folder, 'todoman'), tasks) : undefined;
      for (const act of ['list', 'add'] as const) {
        const times = await inTurns(9, { ours: ours[act], Taskwarrior: task?.[act], todoman: todo?.[act] });
        for (const name of ['Taskwarrior', 'todoman'] as const)
          report(compared(`${act} with ${size} tasks against ${name}`, times.ours, times[name], 1));
      }
    });
}
