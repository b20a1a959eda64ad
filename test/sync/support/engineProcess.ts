/**
 * An engine in a process of its own, for tests that stop or kill it. Its parent sends numbered requests, and each answer
 * has the number of its request. {@link EngineProcess} starts it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncReport } from '../../../src/api';
import { workTimeOf } from '../../../src/core/code/workTime';
import type { EpochMs, Id, Task, TaskInput } from '../../../src/core/kernel/model';
import { openEngine } from '../../../src/engine';

interface Commands {
  open: (folder: string) => Promise<void>;
  addAccount: (account: { serverUrl: string; username: string; password: string }) => Promise<Id>;
  sync: () => Promise<SyncReport>;
  /** Begins a sync, and kills the process as soon as `count` tasks of a list are reported as stored. */
  syncAndDieAt: (count: number) => Promise<SyncReport>;
  createTask: (listName: string, title: string, input?: Omit<TaskInput, 'title'>) => Promise<Id>;
  tasks: (listName: string) => readonly Pick<Task, 'uid' | 'title' | 'isDirty' | 'isDeleted'>[];
  /** Reads what other processes wrote. */
  refresh: () => Promise<void>;
  /** True if this process shows the reminders. */
  lead: () => boolean;
  /** Fires the reminders that are due; returns the titles of their tasks. */
  remind: () => Promise<(string | null)[]>;
  startWork: (id: Id) => Promise<void>;
  stopWork: () => Promise<void>;
  /** Reports that someone is at this window, or not. */
  beat: (isUsed: boolean) => Promise<void>;
  /** The minutes of each session of work on the task. */
  worked: (id: Id) => number[];
  now: () => EpochMs;
  /** Moves the engine's clock forward. */
  advance: (ms: number) => void;
  /** The number of times that the engine has read the clock: a process that waits for the lock reads it often. */
  clockReads: () => number;
  close: () => Promise<void>;
}

type Named = { [Name in keyof Commands]: { name: Name; args: Parameters<Commands[Name]> } }[keyof Commands];
interface Request {
  readonly id: number;
  readonly call: Named;
}
interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

if (require.main === module) serve();

function serve(): void {
  let engine: Awaited<ReturnType<typeof openEngine>>;
  let offset = 0;
  let clockReads = 0;
  const now = () => {
    clockReads++;
    return Date.now() + offset;
  };
  const listOf = (name: string) => engine.lists().find(list => list.name === name)!.id;
  const commands: Commands = {
    open: async folder => {
      engine = await openEngine({ folder, clock: { now, timeZone: 'UTC' }, secrets: secretsIn(folder) });
    },
    addAccount: account => engine.addAccount(account),
    sync: () => engine.sync(),
    syncAndDieAt: count =>
      engine.sync({ onProgress: ({ done }) => void (done >= count && process.kill(process.pid, 'SIGKILL')) }),
    createTask: (list, title, input) => engine.createTask(listOf(list), { title, ...input }),
    tasks: list =>
      engine.rows(listOf(list)).map(({ uid, title, isDirty, isDeleted }) => ({ uid, title, isDirty, isDeleted })),
    refresh: () => engine.refresh(),
    lead: () => engine.reminders.takeLead(),
    remind: async () => (await engine.reminders.fire()).map(({ task }) => task.title),
    startWork: id => engine.working.start(id),
    stopWork: () => engine.working.stop(),
    beat: async isUsed => void (await engine.working.reportPresence(isUsed)),
    worked: id => workTimeOf(engine.task(id)!).sessions.map(({ ms }) => Math.round(ms / 60_000)),
    now,
    advance: ms => {
      offset += ms;
    },
    clockReads: () => clockReads,
    close: () => engine.close(),
  };
  process.on('message', async ({ id, call }: Request) => {
    try {
      const command = commands[call.name] as (...args: unknown[]) => unknown;
      process.send!({ id, value: await command(...call.args) } satisfies Answer);
    } catch (error) {
      process.send!({ id, error: String(error) } satisfies Answer);
    }
  });
  process.once('disconnect', () => process.exit(0));
}

/** Secrets in a file of the folder, which every process reads. */
function secretsIn(folder: string) {
  const path = join(folder, 'secrets.json');
  const read = () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>) : {});
  return {
    get: async (key: string) => read()[key],
    set: async (key: string, value: string) => writeFileSync(path, JSON.stringify({ ...read(), [key]: value })),
    delete: async (key: string) => {
      const { [key]: _, ...rest } = read();
      writeFileSync(path, JSON.stringify(rest));
    },
  };
}

/** Starts such a process, and sends requests to it. */
export class EngineProcess {
  readonly #child: ChildProcess = fork(join('out/test/sync/support/engineProcess.js'), {
    stdio: 'inherit',
    // Optimizing the code of SQLite takes longer than such a process runs.
    execArgv: ['--liftoff-only'],
  });
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  readonly #ended: Promise<unknown>;
  #requests = 0;

  constructor() {
    this.#child.on('message', ({ id, value, error }: Answer) => {
      const asker = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) asker?.resolve(value as never);
      else asker?.reject(new Error(error));
    });
    this.#ended = new Promise(resolve => this.#child.once('exit', resolve));
    void this.#ended.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The process has ended.'));
    });
  }

  call<Name extends keyof Commands>(
    name: Name,
    ...args: Parameters<Commands[Name]>
  ): Promise<Awaited<ReturnType<Commands[Name]>>> {
    const id = this.#requests++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, call: { name, args } } as Request);
    });
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  async end(): Promise<void> {
    // No other signal ends a stopped process.
    this.signal('SIGKILL');
    await this.#ended;
  }
}
