import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openEngine } from '../src/engine';
import { median, type Report } from './reference/figure';

const many = 5_000;
const rounds = 9;
const day = 86_400_000;

/** A program that keeps tasks, with as many of the same in it. */
interface Contestant {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly list: readonly string[];
  readonly add: readonly string[];
}

const dueOf = (at: number) => new Date(Date.now() + ((at % 60) - 20) * day);
const titleOf = (at: number) => `Task number ${at} of the list`;
const isoDay = (date: Date) => date.toISOString().slice(0, 10).replace(/-/g, '');

async function dueline(folder: string): Promise<Contestant> {
  const engine = await openEngine({ folder });
  const listId = engine.lists()[0]!.id;
  const tasks = Array.from({ length: many }, (_, at) => ({
    title: titleOf(at),
    due: Math.floor(dueOf(at).getTime() / day) * day,
    isAllDay: true,
    tags: at % 3 === 0 ? ['work'] : [],
  }));
  await engine.apply(tasks.map(input => ({ type: 'create', listId, input })));
  await engine.close();
  const start = [process.execPath, resolve('dist/cli.cjs'), '--store', folder];
  return { name: 'Dueline', list: [...start, 'list'], add: [...start, 'add', 'Buy milk tomorrow #home'] };
}

function taskwarrior(folder: string): Contestant {
  const settings = join(folder, 'taskrc');
  writeFileSync(settings, `data.location=${join(folder, 'data')}\nconfirmation=no\nverbose=nothing\n`);
  mkdirSync(join(folder, 'data'));
  const tasks = Array.from({ length: many }, (_, at) => ({
    description: titleOf(at),
    due: `${isoDay(dueOf(at))}T000000Z`,
    ...(at % 3 === 0 ? { tags: ['work'] } : {}),
  }));
  const env = { TASKRC: settings };
  spawnSync('task', ['import', '-'], { input: JSON.stringify(tasks), env: { ...process.env, ...env } });
  return {
    name: 'Taskwarrior',
    env,
    list: ['task', 'list'],
    add: ['task', 'add', 'Buy milk', 'due:tomorrow', '+home'],
  };
}

/** Debian calls its program `todoman`, others `todo`. */
function todoman(folder: string): Contestant {
  const lists = join(folder, 'lists');
  mkdirSync(join(lists, 'inbox'), { recursive: true });
  for (let at = 0; at < many; at++) {
    const lines = [
      `UID:${at}`,
      'DTSTAMP:20260101T000000Z',
      `SUMMARY:${titleOf(at)}`,
      `DUE;VALUE=DATE:${isoDay(dueOf(at))}`,
    ];
    const todo = ['BEGIN:VTODO', ...lines, 'END:VTODO'];
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Bench//EN', ...todo, 'END:VCALENDAR', ''].join('\r\n');
    writeFileSync(join(lists, 'inbox', `${at}.ics`), text);
  }
  const settings = join(folder, 'config.py');
  const values = {
    path: `${lists}/*`,
    default_list: 'inbox',
    cache_path: join(folder, 'cache'),
    date_format: '%Y-%m-%d',
  };
  writeFileSync(
    settings,
    Object.entries(values)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
      .join(''),
  );
  const start = [hasProgram('todo') ? 'todo' : 'todoman', '--config', settings];
  return { name: 'todoman', list: [...start, 'list'], add: [...start, 'new', '-l', 'inbox', 'Buy milk'] };
}

const hasProgram = (name: string) => spawnSync(name, ['--version']).status === 0;

/** Wall time of a start to its end, in ms. */
function timed({ env }: Contestant, [program, ...args]: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(program!, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...env },
  });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
  return took;
}

/** The command line against others of its kind, in turns, so that each finds the machine as busy as the others do. */
export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-bench-cli-'));
  const own = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  try {
    const ours = await dueline(own('dueline'));
    const others = [
      ...(hasProgram('task') ? [taskwarrior(own('task'))] : []),
      ...(hasProgram('todo') || hasProgram('todoman') ? [todoman(own('todoman'))] : []),
    ];
    for (const act of ['list', 'add'] as const) {
      const all = [ours, ...others];
      const times = new Map(all.map(one => [one.name, [] as number[]]));
      for (const one of all) timed(one, one[act]);
      for (let round = 0; round < rounds; round++)
        for (let at = 0; at < all.length; at++) {
          const one = all[(at + round) % all.length]!;
          times.get(one.name)!.push(timed(one, one[act]));
        }
      const mine = median(times.get(ours.name)!);
      for (const name of ['Taskwarrior', 'todoman']) {
        const theirs = times.get(name);
        const ratio = theirs ? mine / median(theirs) : Number.NaN;
        const detail = theirs ? `${mine.toFixed(0)} ms against ${median(theirs).toFixed(0)} ms` : 'not installed';
        report({ name: `${act} with ${many} tasks against ${name}`, ratio, goal: 1, detail });
      }
    }
    const bare = median(Array.from({ length: rounds }, () => timed(ours, [process.execPath, '-e', '0'])));
    report({ name: 'the start of Node.js alone, ms', ratio: bare });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
