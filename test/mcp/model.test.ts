import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DuelineEngine } from '../../src/api';
import { someAgents, type TestAgent } from './support/agents';

const kinds = [
  ...(['add', 'change', 'change', 'many', 'complete', 'undo', 'read'] as const),
  ...(['place', 'place', 'claim', 'claim', 'claim', 'release', 'finish', 'cancel', 'series'] as const),
];
type Call = (typeof kinds)[number];

const calls = fc.array(
  fc.record({
    call: fc.constantFrom<Call>(...kinds),
    at: fc.nat(99),
    value: fc.nat(999),
  }),
  { minLength: 15, maxLength: 25 },
);

describe('random calls of two agents that compete for claims, beside a window', function () {
  this.timeout(300_000);
  const agents = someAgents({ inProcesses: true });

  it('lose nothing, and undo restores what each of them did', async () => {
    await fc.assert(
      fc.asyncProperty(calls, calls, calls, async (ofOne, ofTwo, ofWindow) => {
        const store = agents.folder();
        const window = await agents.window(store);
        const first = await window.quickAddLines(Array.from({ length: 5 }, (_, at) => ({ text: `Given ${at}` })));
        const given = first.map(id => window.shortIdOf(id));
        await window.createList({ name: 'Elsewhere' });
        const fieldsOf = (engine: DuelineEngine) =>
          first
            .map(id => engine.task(id)!)
            .map(task => {
              const { title, priority, tags, status, listId, parentId } = task;
              const after = engine.blockersOf(task).map(({ uid }) => uid);
              return { title, priority, tags, status, listId, parentId, after };
            });
        const state = fieldsOf(window);
        const [one, two] = [
          await agents.connect(store, { name: 'One' }),
          await agents.connect(store, { name: 'Two', isNew: true }),
        ];
        // Each has columns of its own: what two wrote to one column, the later has it.
        const works = [
          new Work(
            one,
            window,
            given,
            value => ({ priority: value % 2 === 0 ? 'high' : 'low' }),
            (other, value) => [{ list: 'Elsewhere' }, { list: 'Inbox' }, { parent: other }, { parent: '' }][value % 4]!,
          ),
          new Work(
            two,
            window,
            given,
            value => ({ tags: [`t${value}`] }),
            (other, value) => ({ after: value % 3 === 0 ? [] : [other] }),
          ),
        ];
        works[0]!.other = works[1]!;
        works[1]!.other = works[0]!;
        const person = async () => {
          for (const { at, value } of ofWindow) await window.updateTask(first[at % 5]!, { location: `Place ${value}` });
          return ofWindow.map(({ at, value }) => [at % 5, `Place ${value}`] as const);
        };
        const [places] = await Promise.all([person(), works[0]!.run(ofOne), works[1]!.run(ofTwo)]);
        await window.refresh();
        const titles = window.query('show:done').map(({ task }) => task.title);
        const countIn = (all: readonly (string | null)[], title: string) => all.filter(each => each === title).length;
        for (const { added } of works)
          for (const title of added) assert.equal(countIn(titles, title), countIn(added, title), title);
        for (const work of works) await work.checkClaims();
        assert.equal(titles.length, 5 + works[0]!.added.length + works[1]!.added.length);
        // Claims bind until they are given back: then each can undo all that it did.
        for (const work of works) await work.releaseAll();
        // Whichever goes first.
        await works[ofOne.length % 2]!.undoAll();
        await works[(ofOne.length + 1) % 2]!.undoAll();
        await window.refresh();
        assert.deepEqual(fieldsOf(window), state);
        assert.equal(window.query('show:done').length, 5);
        const last = new Map(places);
        for (const [at, place] of last) assert.equal(window.task(first[at]!)!.location, place);
      }),
      { numRuns: Number(process.env.DUELINE_RUNS ?? 4) },
    );
  });
});

const isHeld = /^Another agent works on one of these tasks\. Nothing was changed\.$/;

/** The work of one agent, with the acts that its own undo has to take back. */
class Work {
  /** For each step that can be undone, the titles that it added and the given task that it changed. */
  readonly #steps: { readonly titles: readonly string[]; readonly id?: string }[] = [];

  /** Tasks that it has, from the answer to its claim until it gives it back; each claim is another object. */
  readonly #claimed = new Map<string, object>();
  /** Tasks that it may have: the same, with the calls that are under way. */
  readonly #reached = new Set<string>();
  other: Work | undefined;

  constructor(
    readonly agent: TestAgent,
    readonly window: DuelineEngine,
    readonly given: readonly string[],
    readonly fields: (value: number) => object,
    /** The place that a given task goes to, or the task it waits for, by another one: it may be refused. */
    readonly places: (other: string, value: number) => object,
  ) {}

  get added(): readonly string[] {
    return this.#steps.flatMap(({ titles }) => titles);
  }

  async run(all: readonly { readonly call: Call; readonly at: number; readonly value: number }[]): Promise<void> {
    for (const [nth, { call, at, value }] of all.entries()) {
      const id = this.given[at % this.given.length]!;
      if (call === 'add') await this.#add([`Added ${this.agent.pid} ${nth}`]);
      else if (call === 'many') await this.#add([0, 1, 2].map(each => `${this.agent.pid} ${nth} ${each}`));
      else if (call === 'change') await this.#change({ id, ...this.fields(value + nth * 1000) });
      else if (call === 'complete') await this.#complete(nth);
      else if (call === 'cancel') await this.#cancel(nth);
      else if (call === 'series') await this.#series(nth);
      else if (call === 'place')
        await this.#place({ id, ...this.places(this.given[value % this.given.length]!, value) });
      else if (call === 'claim') await this.#claim(id);
      else if (call === 'release') await this.#release(id);
      else if (call === 'finish') await this.#finish(id);
      else if (call === 'undo') await this.#undo();
      else await this.agent.done('find_tasks', { query: `sort:title limit:${value + 1}` });
    }
  }

  async undoAll(): Promise<void> {
    while (this.#steps.length > 0) assert.equal(await this.#undo(), true);
    assert.equal((await this.agent.call('undo')).isError, true);
  }

  async releaseAll(): Promise<void> {
    for (const id of [...this.#claimed.keys()]) await this.#release(id);
  }

  /** A call that changes a given task: refused exactly if the other has it. Returns whether it was done. */
  async #bound(id: string | undefined, work: () => Promise<{ readonly isError: boolean; readonly text: string }>) {
    const other = this.other!;
    const before = id === undefined ? undefined : other.#claimed.get(id);
    const mayBeHeld = other.#reached.size > 0;
    const answer = await work();
    const isRefused = answer.isError && isHeld.test(answer.text);
    if (isRefused) assert.ok(mayBeHeld || other.#reached.size > 0, 'nobody has a claim');
    else if (before) assert.notEqual(other.#claimed.get(id!), before, `${id} is claimed by the other: ${answer.text}`);
    return { ...answer, isRefused };
  }

  async #add(titles: string[]): Promise<void> {
    await this.agent.add(...titles);
    this.#steps.push({ titles });
  }

  async #change(update: { readonly id: string }): Promise<void> {
    const { id } = update;
    const [before] = (await this.agent.done('find_tasks', { query: `id:${id}` })).data.tasks;
    const { isError, isRefused, text } = await this.#bound(id, () =>
      this.agent.call('update_tasks', { updates: [update] }),
    );
    assert.equal(isError, isRefused, text);
    const isSame = Object.entries(update).every(([field, value]) => String(before![field]) === String(value));
    if (!isError && !isSame) this.#steps.push({ titles: [], id });
  }

  /** One of its own, which it adds with another step. */
  async #complete(nth: number): Promise<void> {
    const title = `Done ${this.agent.pid} ${nth}`;
    const [id] = await this.agent.add(title);
    this.#steps.push({ titles: [title] });
    await this.agent.done('complete_tasks', { ids: [id!] });
    this.#steps.push({ titles: [] });
  }

  async #cancel(nth: number): Promise<void> {
    const title = `Canceled ${this.agent.pid} ${nth}`;
    const [id] = await this.agent.add(title);
    this.#steps.push({ titles: [title] });
    await this.agent.done('update_tasks', { updates: [{ id, status: 'cancelled' }] });
    this.#steps.push({ titles: [] });
  }

  /** The date that is done is a task of its own. */
  async #series(nth: number): Promise<void> {
    const title = `Daily ${this.agent.pid} ${nth} water`;
    const text = `${title} 2030-05-06 every day`;
    const { data } = await this.agent.done('add_tasks', { tasks: [{ text }] });
    assert.equal(data.tasks[0]!.title, title);
    assert.equal(data.tasks[0]!.due, '2030-05-06');
    this.#steps.push({ titles: [title] });
    await this.agent.done('complete_tasks', { ids: [data.tasks[0]!.id] });
    this.#steps.push({ titles: [title] });
  }

  async #place(update: { readonly id: string }): Promise<void> {
    const before = await this.#stepsInHistory();
    const { isError, isRefused, text } = await this.#bound(update.id, () =>
      this.agent.call('update_tasks', { updates: [update] }),
    );
    if (isError && !isRefused) assert.match(text, /circle|itself|subtask|parent/i);
    const made = (await this.#stepsInHistory()) - before;
    assert.ok(made === 0 || (made === 1 && !isError), text);
    if (made === 1) this.#steps.push({ titles: [], id: update.id });
  }

  async #stepsInHistory(): Promise<number> {
    await this.window.refresh();
    return (await this.window.undoSteps()).filter(({ label }) => label.client?.name === this.agent.name).length;
  }

  async #claim(id: string): Promise<void> {
    const had = this.#reached.has(id);
    this.#reached.add(id);
    const { isError, isRefused, text } = await this.#bound(id, () =>
      this.agent.call('update_tasks', { updates: [{ id, claim: true }] }),
    );
    assert.equal(isError, isRefused, text);
    if (isError) assert.equal(had, false, 'its own claim was refused');
    if (isError) this.#reached.delete(id);
    else if (!this.#claimed.has(id)) this.#claimed.set(id, {});
  }

  async #release(id: string): Promise<void> {
    const isMine = this.#claimed.delete(id);
    const { isError, isRefused, text } = await this.#bound(id, () =>
      this.agent.call('update_tasks', { updates: [{ id, claim: false }] }),
    );
    assert.equal(isError, isRefused, text);
    if (isMine) assert.equal(isError, false);
    this.#reached.delete(id);
  }

  /** Completing a given task gives it back; it is open again with one undo of the same agent. */
  async #finish(id: string): Promise<void> {
    const isMine = this.#claimed.delete(id);
    const before = await this.#stepsInHistory();
    const { isError, isRefused, text } = await this.#bound(id, () => this.agent.call('complete_tasks', { ids: [id] }));
    assert.equal(isError, isRefused, text);
    if (isMine) assert.equal(isError, false);
    if (!isError) this.#reached.delete(id);
    if ((await this.#stepsInHistory()) > before) this.#steps.push({ titles: [], id });
  }

  async checkClaims(): Promise<void> {
    for (const id of this.given) {
      const { claimedBy } = (await this.agent.done('get_task', { id })).data;
      assert.equal(claimedBy === 'you', this.#claimed.has(id));
      assert.equal(claimedBy === undefined, !this.#claimed.has(id) && !this.other!.#claimed.has(id));
    }
  }

  /** Returns whether it was done: a claim of the other binds the undo too. */
  async #undo(): Promise<boolean> {
    const { isError, isRefused, text } = await this.#bound(this.#steps.at(-1)?.id, () => this.agent.call('undo'));
    assert.equal(isError, isRefused || this.#steps.length === 0, text);
    if (!isRefused) this.#steps.pop();
    return !isError;
  }
}
