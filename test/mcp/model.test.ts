import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DuelineEngine } from '../../src/api';
import { someAgents, type TestAgent } from './support/agents';

const kinds = [
  ...(['add', 'change', 'change', 'many', 'complete', 'undo', 'read'] as const),
  ...(['place', 'place', 'claim', 'claim', 'release', 'cancel', 'series'] as const),
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

describe('random calls of two agents beside a window', function () {
  this.timeout(300_000);
  const agents = someAgents();

  it('lose nothing, and undo gives each what it did', async () => {
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

/** What one agent does, with what its own undo has to take back. */
class Work {
  /** For each step that can be undone, the titles that it added. */
  readonly #steps: string[][] = [];

  readonly #claimed = new Set<string>();
  other: Work | undefined;

  constructor(
    readonly agent: TestAgent,
    readonly window: DuelineEngine,
    readonly given: readonly string[],
    readonly fields: (value: number) => object,
    /** Where a given task goes, or what it waits for, with another one: it may be refused. */
    readonly places: (other: string, value: number) => object,
  ) {}

  get added(): readonly string[] {
    return this.#steps.flat();
  }

  async run(all: readonly { readonly call: Call; readonly at: number; readonly value: number }[]): Promise<void> {
    for (const [turn, { call, at, value }] of all.entries()) {
      const id = this.given[at % this.given.length]!;
      if (call === 'add') await this.#add([`Added ${this.agent.pid} ${turn}`]);
      else if (call === 'many') await this.#add([0, 1, 2].map(each => `${this.agent.pid} ${turn} ${each}`));
      else if (call === 'change') await this.#change({ id, ...this.fields(value + turn * 1000) });
      else if (call === 'complete') await this.#complete(turn);
      else if (call === 'cancel') await this.#cancel(turn);
      else if (call === 'series') await this.#series(turn);
      else if (call === 'place')
        await this.#place({ id, ...this.places(this.given[value % this.given.length]!, value) });
      else if (call === 'claim') await this.#claim(id);
      else if (call === 'release') await this.#release(id);
      else if (call === 'undo') await this.#undo();
      else await this.agent.done('find_tasks', { query: `sort:title limit:${value + 1}` });
    }
  }

  async undoAll(): Promise<void> {
    while (this.#steps.length > 0) await this.#undo();
    assert.equal((await this.agent.call('undo')).isError, true);
  }

  async #add(titles: string[]): Promise<void> {
    await this.agent.add(...titles);
    this.#steps.push(titles);
  }

  async #change(update: { readonly id: string }): Promise<void> {
    const [before] = (await this.agent.done('find_tasks', { query: `id:${update.id}` })).data.tasks;
    await this.agent.done('update_tasks', { updates: [update] });
    const isSame = Object.entries(update).every(([field, value]) => String(before![field]) === String(value));
    if (!isSame) this.#steps.push([]);
  }

  /** One of its own, which it adds with another step. */
  async #complete(turn: number): Promise<void> {
    const title = `Done ${this.agent.pid} ${turn}`;
    const [id] = await this.agent.add(title);
    this.#steps.push([title]);
    await this.agent.done('complete_tasks', { ids: [id!] });
    this.#steps.push([]);
  }

  async #cancel(turn: number): Promise<void> {
    const title = `Canceled ${this.agent.pid} ${turn}`;
    const [id] = await this.agent.add(title);
    this.#steps.push([title]);
    await this.agent.done('update_tasks', { updates: [{ id, status: 'cancelled' }] });
    this.#steps.push([]);
  }

  /** The date that is done is a task of its own. */
  async #series(turn: number): Promise<void> {
    const title = `Daily ${this.agent.pid} ${turn} water`;
    const text = `${title} 2030-05-06 every day`;
    const { data } = await this.agent.done('add_tasks', { tasks: [{ text }] });
    assert.equal(data.tasks[0]!.title, title);
    assert.equal(data.tasks[0]!.due, '2030-05-06');
    this.#steps.push([title]);
    await this.agent.done('complete_tasks', { ids: [data.tasks[0]!.id] });
    this.#steps.push([title]);
  }

  async #place(update: object): Promise<void> {
    const before = await this.#stepsInHistory();
    const { isError, text } = await this.agent.call('update_tasks', { updates: [update] });
    if (isError) assert.match(text, /circle|itself|subtask|parent/i);
    const made = (await this.#stepsInHistory()) - before;
    assert.ok(made === 0 || (made === 1 && !isError), text);
    if (made === 1) this.#steps.push([]);
  }

  async #stepsInHistory(): Promise<number> {
    await this.window.refresh();
    return (await this.window.undoSteps()).filter(({ label }) => label.client?.name === this.agent.name).length;
  }

  async #claim(id: string): Promise<void> {
    const { isError, text } = await this.agent.call('update_tasks', { updates: [{ id, claim: true }] });
    if (isError) assert.match(text, /works on one of these tasks/);
    else {
      assert.ok(!this.other!.#claimed.has(id));
      this.#claimed.add(id);
    }
  }

  async #release(id: string): Promise<void> {
    const isMine = this.#claimed.delete(id);
    const { isError } = await this.agent.call('update_tasks', { updates: [{ id, claim: false }] });
    if (isMine) assert.equal(isError, false);
  }

  async checkClaims(): Promise<void> {
    for (const id of this.given) {
      const { claimedBy } = (await this.agent.done('get_task', { id })).data;
      assert.equal(claimedBy === 'you', this.#claimed.has(id));
      assert.equal(claimedBy === undefined, !this.#claimed.has(id) && !this.other!.#claimed.has(id));
    }
  }

  async #undo(): Promise<void> {
    const { isError } = await this.agent.call('undo');
    assert.equal(isError, this.#steps.length === 0);
    this.#steps.pop();
  }
}
