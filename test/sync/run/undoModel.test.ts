import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DuelineEngine } from '../../../src/api';
import type { Id, Task } from '../../../src/core/kernel/model';
import { Devices } from '../support/devices';
import { AServer } from '../support/server';
import { todoText } from '../support/texts';

const day = 86_400_000;
const kinds = [
  'create',
  'create below',
  'create series',
  'edit',
  'remind',
  'complete',
  'reopen',
  'delete',
  'delete with subtasks',
  'move to list',
  'move below',
  'move to the top',
  'repeat',
  'edit following',
  'edit one',
  'import',
  'new list',
  'move to new list',
  'bring back from the trash',
  'copy',
  'restore copy',
] as const;

interface Act {
  readonly kind: (typeof kinds)[number];
  /** The number of one of the tasks and lists that there are then. */
  readonly a: number;
  readonly b: number;
}

const acts = (maxLength: number) =>
  fc.array(fc.record<Act>({ kind: fc.constantFrom(...kinds), a: fc.nat(40), b: fc.nat(40) }), {
    minLength: 3,
    maxLength,
  });

/** A user who edits lists of this computer and of two accounts. */
class User {
  readonly copies: string[] = [];
  /** After every step that undo can take back. */
  readonly states: string[] = [];
  #names = 0;

  constructor(
    readonly engine: DuelineEngine,
    private readonly now: () => number,
  ) {}

  rows = () => this.engine.lists().flatMap(({ id, name }) => this.engine.rows(id).map(row => ({ ...row, list: name })));
  #living = () => this.rows().filter(({ isDeleted }) => !isDeleted);

  async act({ kind, a, b }: Act): Promise<void> {
    try {
      await this.#do(kind, a, b);
    } catch (error) {
      // An act that cannot be done changes nothing: a task below itself, or a second one of its UID in a list.
      if ((error as Error).name !== 'DuelineError') throw error;
    }
    this.note();
  }

  note(): void {
    const now = this.exactly();
    if (now !== this.states.at(-1)) this.states.push(now);
  }

  async #do(kind: Act['kind'], a: number, b: number): Promise<unknown> {
    const { engine } = this;
    const name = `${kind} ${this.#names++}`;
    const one = <T>(some: readonly T[], at: number): T => some[at % some.length]!;
    const list = one(engine.lists(), b).id;
    const masters = this.#living().filter(({ masterId }) => masterId === null);
    if (kind === 'create') return engine.createTask(list, { title: name });
    if (kind === 'create series') return engine.createTask(list, this.#series(name));
    if (kind === 'new list') return engine.createList({ name });
    if (kind === 'import') return engine.importTasks('markdown', `- [ ] ${name}\n  - [ ] below ${name}`, list);
    if (kind === 'copy') return this.copies.push((await engine.data.backUpNow()).path);
    if (kind === 'restore copy') return this.copies.length && engine.data.restoreBackup(one(this.copies, a));
    if (kind === 'bring back from the trash') {
      const trash = await engine.trash();
      return trash.length && engine.restore([one(trash, a).key]);
    }
    if (masters.length === 0) return undefined;
    const task = one(masters, a);
    const other = one(masters, b);
    if (kind === 'create below') return engine.createTask(task.listId, { title: name, parentId: task.id });
    if (kind === 'edit') return engine.updateTask(task.id, { title: name });
    if (kind === 'remind') return engine.updateTask(task.id, { due: this.now() + day, alarms: [{ minutesBefore: b }] });
    if (kind === 'complete') return engine.completeTask(task.id);
    if (kind === 'reopen') return engine.reopenTask(task.id);
    if (kind === 'delete') return engine.deleteTask(task.id);
    if (kind === 'delete with subtasks') return engine.deleteTask(task.id, { children: 'delete' });
    if (kind === 'move to list') return engine.moveTask(task.id, { listId: list });
    if (kind === 'move below') return engine.moveTask(task.id, { listId: other.listId, parentId: other.id });
    if (kind === 'move to the top') return engine.moveTask(task.id, { parentId: null });
    if (kind === 'repeat') return engine.setRepeat(task.id, b % 2 ? 'FREQ=DAILY' : null);
    if (kind === 'move to new list') {
      const listId = await engine.createList({ name: `${name} to` });
      this.note();
      return engine.moveTask(task.id, { listId });
    }
    return this.#editOccurrence(one(masters, a), kind === 'edit one' ? 'this' : 'following', name);
  }

  #series = (title: string) => ({ title, due: this.now() + day, timezone: 'UTC', rrule: 'FREQ=DAILY' });

  async #editOccurrence(task: Task, scope: 'this' | 'following', title: string): Promise<unknown> {
    if (task.rrule === null || task.due === null) return undefined;
    return this.engine.editOccurrence(task.id, task.due + 3 * day, scope, { title });
  }

  /** All there is, to the last column. */
  exactly(): string {
    const rows = this.rows().map(row => ({ ...row, alarms: row.alarms.map(({ minutesBefore }) => minutesBefore) }));
    return [...this.engine.lists(), ...rows.sort((one, other) => one.id - other.id)]
      .map(one => JSON.stringify(one))
      .join('\n');
  }

  /** The rows that a user sees, whatever the server calls them. */
  seen(): readonly string[] {
    const titleOf = (id: Id | null) => (id === null ? '-' : this.engine.task(id)?.title);
    return this.#living()
      .map(
        ({ uid, title, list, parentId, recurrenceId, status, rrule, alarms }) =>
          `${uid} ${title} in ${list} below ${titleOf(parentId)}, ${recurrenceId} ${status} ${rrule} ${alarms.map(({ minutesBefore }) => minutesBefore)}`,
      )
      .sort();
  }
}

describe('undo and redo of any user actions', () => {
  const atEnd: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of atEnd.splice(0)) await end();
  };
  afterEach(stop);

  /** Two accounts and a list of this computer, with a family and a series each, none of which undo can take back. */
  const start = async () => {
    const devices = new Devices();
    const servers = [await AServer.start(), await AServer.start()];
    atEnd.push(() => devices.close(), ...servers.map(server => () => server.stop()));
    for (const [at, name] of [
      [0, 'one'],
      [0, 'two'],
      [1, 'other'],
    ] as const) {
      const list = servers[at]!.addList(name);
      const put = (uid: string, ...lines: string[]) =>
        list.put(`${uid}.ics`, todoText(uid, `SUMMARY:${uid}`, ...lines));
      put(`${name}-parent`);
      put(`${name}-child`, `RELATED-TO:${name}-parent`);
      put(`${name}-series`, 'DTSTART:20261120T090000Z', 'DUE:20261120T090000Z', 'RRULE:FREQ=DAILY');
    }
    const engine = await devices.open(servers[0]!);
    const { url, username, password } = servers[1]!;
    await engine.addAccount({ serverUrl: url, username, password });
    await devices.storeOf(engine).edit({ origin: 'sync' }, tx => {
      const listId = tx.insertList({ name: 'local', color: 0 });
      const parentId = tx.insertTask({ listId, uid: 'local-parent', title: 'local-parent' });
      tx.insertTask({ listId, uid: 'local-child', title: 'local-child', parentId });
    });
    const sync = async () => {
      devices.clock.time += 3_600_000;
      const { accounts } = await engine.sync();
      assert.deepEqual(
        accounts.map(({ error }) => error),
        [null, null],
      );
    };
    for (let round = 0; round < 2; round++) await sync();
    const user = new User(engine, () => devices.clock.time);
    const walk = async (step: 'undo' | 'redo', then: () => unknown) => {
      let steps = 0;
      while (await engine[step]()) {
        await then();
        assert.ok(++steps < 100, 'it comes to an end');
      }
    };
    return { engine, user, sync, devices, walk };
  };

  it('return to the start, step by step, and to the end again, to the last column', async () => {
    await fc.assert(
      fc.asyncProperty(acts(14), async run => {
        const { user, walk, devices } = await start();
        const { states } = user;
        user.note();
        for (const act of run) {
          devices.clock.time += 60_000;
          await user.act(act);
        }
        for (const [step, expected] of [
          ['undo', states.toReversed()],
          ['redo', states],
        ] as const) {
          const passed = [user.exactly()];
          await walk(step, () => passed.push(user.exactly()));
          const isNew = (state: string, at: number) => state !== passed[at - 1];
          assert.deepEqual(passed.filter(isNew), expected);
        }
        await stop();
      }),
      { numRuns: 20 },
    );
  });

  it('do so with a sync after every action, and leave nothing pending or lost on a server', async () => {
    await fc.assert(
      fc.asyncProperty(acts(8), async run => {
        const { user, walk, sync } = await start();
        const before = user.seen();
        for (const act of run) {
          await user.act(act);
          await sync();
        }
        const after = user.seen();
        await walk('undo', sync);
        for (let round = 0; round < 2; round++) await sync();
        assert.deepEqual(user.seen(), before);
        await walk('redo', sync);
        for (let round = 0; round < 2; round++) await sync();
        assert.deepEqual(user.seen(), after);
        assert.deepEqual(
          user.rows().filter(({ isDirty, isDeleted }) => isDirty || isDeleted),
          [],
        );
        await stop();
      }),
      { numRuns: 8 },
    );
  });
});
