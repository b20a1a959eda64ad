import { isDeepStrictEqual } from 'node:util';
import { packageOnce } from '../../scripts/package/once.mjs';
import type { TrashEntry } from '../../src/api';
import { Peer } from '../../test/interop/support/peer';
import { type Server, startRadicale } from '../../test/interop/support/servers';
import { Device } from '../../test/interop/support/twoDevices';
import { stateOf } from '../../test/interop/support/wideModel';
import { Session } from '../../test/ui/support/driver';
import { accounts, connect } from '../../test/ui/support/engine';
import { until } from '../../test/ui/support/wait';
import { openWidget } from '../../test/ui/support/widgetPages';
import type { Window } from '../../test/ui/support/window';
import { verdictOf } from '../reference/figure';
import { actByApi, createAtRandom } from './apiActs';
import { errorsInLogs, listenTo, warningsInLogs } from './complaints';
import { Gauge, type Trend, trendsOf } from './gauge';
import { Ledger } from './ledger';
import { Neighbour } from './neighbour';
import { Programs } from './programs';
import { call, engineOf, look, mastersIn } from './seen';
import { takeBack } from './takeBack';
import { Turn } from './turn';

const timeoutMs = 120_000;
/** Those on top of which is what is due first: what is out of sight is not drawn. */
const watchedKinds = ['today', 'board', 'tasks'] as const;
const dayMs = 86_400_000;
const population = 70;
const lists = [
  ['errands', 'Errands α'],
  ['work', 'Work β'],
] as const;
/** In fewer minutes than that what one act holds at the moment weighs more than what stays. */
const minutesOfTrend = 10;
/**
 * How much more there may be in the second half; figures without a goal inform only. Those of the second window begin
 * again with each of its reloads. In the editor's server nothing of Dueline runs, and nobody can have it collect its
 * garbage: how far its memory has grown within some minutes says when it last did. The extension host's heap grows with
 * every row that the editor draws, whosesoever, and only the rest of it says something of Dueline.
 */
const goals: readonly [RegExp, number][] = [
  [/window 1: extension host, heap without/, 1.15],
  [/window 1: page, heap/, 1.15],
  [/window 1: page, thousand nodes/, 1.15],
  [/window 1: extension host, resident/, 1.2],
];

interface SoakResult {
  readonly acts: Readonly<Record<string, number>>;
  readonly created: number;
  readonly rounds: number;
  readonly memory: readonly (Trend & { goal?: number })[];
  readonly problems: readonly string[];
  /** Of the logs: for the reader of the run; they fail nothing. */
  readonly warnings: readonly string[];
}

/** Two windows of one person, the command line and an agent beside them, and another program on their server. */
export class Soak {
  readonly #ledger = new Ledger();
  readonly #gauge: Gauge;
  readonly #neighbour: Neighbour;
  readonly #programs: Programs;
  readonly #acts: Record<string, number> = {};
  readonly #number = { next: 1 };
  #rounds = 0;
  #minutes = 0;

  private constructor(
    private readonly random: () => number,
    private readonly server: Server,
    private readonly session: Session,
    private readonly windows: readonly [Window, Window],
    private readonly problems: string[],
  ) {
    this.#gauge = new Gauge(windows, session.server.pid);
    const paths = lists.map(([path]) => `/${server.username}/${path}/`);
    this.#neighbour = new Neighbour(server, paths, this.#ledger, random);
    this.#programs = new Programs(session.server.user);
  }

  static async start(random: () => number): Promise<Soak> {
    const server = await startRadicale();
    for (const [path, name] of lists) await new Peer(server, `/anna/${path}/`).makeList(name);
    const session = await Session.open({
      vsix: [await packageOnce('full')],
      whole: true,
      size: { width: 1100, height: 900 },
      settings: { 'dueline.sync.intervalMinutes': 1, 'dueline.completion.confirmDelete': 'never' },
    });
    const problems: string[] = [];
    const first = session.window;
    await connect(first, server, 'Home server');
    const [list] = (await look(first)).lists;
    await first.command('dueline.list.setDefault', list!.id);
    await first.reload();
    const second = await session.openWindow(first.page.context());
    const windows = [first, second] as const;
    for (const [at, window] of windows.entries()) {
      listenTo(window, `window ${at + 1}`, problems);
      await window.view();
      for (const [, name] of lists) await window.rows(name).first().waitFor({ timeout: timeoutMs });
    }
    const soak = new Soak(random, server, session, windows, problems);
    await soak.#fill();
    return soak;
  }

  async close(): Promise<void> {
    await this.#programs.end();
    await this.session.close();
    await this.server.stop();
  }

  /** As many tasks as there will be throughout, so that memory does not grow with them. */
  async #fill(): Promise<void> {
    const [first] = this.windows;
    while (this.#ledger.created < population) await createAtRandom(first, await this.#turn(first, 'the beginning'));
    await call(first, 'sync');
  }

  async #turn(window: Window, by: string, taken = new Set<number>()): Promise<Turn> {
    return new Turn(by, await look(window), this.#ledger, this.random, taken, this.#number, population);
  }

  async run(minutes: number): Promise<void> {
    this.#minutes = minutes;
    const begin = Date.now();
    let sampled = 0;
    let reloaded = begin;
    while (Date.now() < begin + minutes * 60_000) {
      await this.#round();
      if (Date.now() > reloaded + 4 * 60_000) {
        await this.windows[1].reload();
        await this.windows[1].view();
        reloaded = Date.now();
        this.#count('reload of a window');
      }
      if (Date.now() > sampled + 20_000) {
        await this.#gauge.take();
        sampled = Date.now();
        const acts = Object.values(this.#acts).reduce((sum, count) => sum + count, 0);
        console.log(`${Math.round((sampled - begin) / 1000)} s, ${acts} acts, ${this.problems.length} problems`);
      }
    }
  }

  /** Both windows act by the interface while programs and the server's user do, too; or one undoes, alone. */
  async #round(): Promise<void> {
    this.#rounds++;
    const at = this.random() < 0.5 ? 0 : 1;
    const [mine, other] = [this.windows[at], this.windows[1 - at]!];
    if (this.random() < 0.12) return this.#takeBack(mine);
    if (this.random() < 0.1) {
      // A window that is reloaded meanwhile leaves it to the other one.
      void call(other, 'sync').catch(error => {
        if (!/canceled/.test(error.message)) this.problems.push(`sync: ${error.message}`);
      });
      this.#count('sync now');
    }
    const taken = new Set<number>();
    const actIn = async (window: Window, number: number) => {
      for (let acts = 0; acts < 4; acts++)
        await this.#byApi(window, await this.#turn(window, `interface in window ${number}`, taken));
    };
    const outside = async () => this.random() < 0.3 && this.#byProgram(other, taken);
    const neighbour = async () => this.random() < 0.4 && this.#count(await this.#neighbour.act());
    await Promise.all([actIn(mine, at + 1), actIn(other, 2 - at), outside(), neighbour()]);
    if (this.random() < 0.2) await this.#watch(mine, other);
  }

  /** A widget of one window shows what is made in the other one. */
  async #watch(window: Window, other: Window): Promise<void> {
    const turn = await this.#turn(other, 'interface, watched by a widget');
    const kind = turn.one(watchedKinds);
    const title = turn.title();
    try {
      const create = async (title: string) => {
        const due = (Math.floor(Date.now() / dayMs) - 100 - this.#number.next) * dayMs;
        const id = await call(other, 'createTask', turn.one(turn.seen.lists).id, { title, due, isAllDay: true });
        turn.ledger.add((await call(other, 'task', id))!, turn.by);
      };
      const first = turn.title();
      await create(first);
      const page = await openWidget(window, kind, first);
      await create(title);
      await page.getByText(title).first().waitFor({ state: 'attached', timeout: timeoutMs });
      this.#count(`watched: ${kind}`);
    } catch (error) {
      this.problems.push(`${kind} does not show “${title}”: ${(error as Error).message}`);
      await window.shot(`soak-unseen-${kind}`).catch(() => undefined);
    }
  }

  async #byApi(window: Window, turn: Turn): Promise<void> {
    try {
      this.#count(await actByApi(window, turn));
    } catch (error) {
      this.problems.push(`${turn.by}: ${(error as Error).message}`);
    }
  }

  async #byProgram(window: Window, taken: Set<number>): Promise<void> {
    const turn = await this.#turn(window, 'a program beside the windows', taken);
    try {
      this.#count(await this.#programs.act(turn));
    } catch (error) {
      this.problems.push(`${turn.by}: ${(error as Error).message}`);
    }
  }

  /** Only the product knows what it leads to, so nobody else acts meanwhile. */
  async #takeBack(window: Window): Promise<void> {
    const before = mastersIn(await look(window));
    const name = await takeBack(window, this.random, problem => this.problems.push(problem));
    await window.page.waitForTimeout(500);
    this.#count(name);
    this.#ledger.adopt(before, mastersIn(await look(window)), name);
  }

  #count(name: string): void {
    this.#acts[name] = (this.#acts[name] ?? 0) + 1;
  }

  async end(): Promise<SoakResult> {
    await this.#settle();
    const [a, b] = [await look(this.windows[0]), await look(this.windows[1])];
    this.problems.push(...this.#ledger.faults(mastersIn(a), await this.#trash()));
    const state = stateOf({ engine: engineOf(a) });
    if (!isDeepStrictEqual(state, stateOf({ engine: engineOf(b) }))) this.problems.push('The windows differ.');
    if (!isDeepStrictEqual(state, await this.#stateOfServer())) this.problems.push('The server has something else.');
    this.problems.push(...errorsInLogs(this.session.server.user));
    const memory = trendsOf(this.#gauge.samples).map(trend => ({
      ...trend,
      goal: this.#minutes < minutesOfTrend ? undefined : goals.find(([name]) => name.test(trend.name))?.[1],
    }));
    for (const figure of memory)
      if (verdictOf(figure) === 'MISSED') this.problems.push(`${figure.name} grew by ${figure.ratio.toFixed(2)}`);
    return {
      acts: this.#acts,
      created: this.#ledger.created,
      rounds: this.#rounds,
      memory,
      problems: [...new Set(this.problems)],
      warnings: warningsInLogs(this.session.server.user),
    };
  }

  async #trash(): Promise<Map<string, number>> {
    const entries = await this.windows[0].run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const all: TrashEntry[] = await api.trash();
      return all.map(({ task, deletedAt }) => [task.uid, deletedAt] as const);
    });
    return new Map(entries);
  }

  /** Until nothing waits to be sent. */
  async #settle(): Promise<void> {
    const [first] = this.windows;
    await until('nothing left to send', timeoutMs, async () => {
      await call(first, 'sync');
      const rows = (await look(first)).tasks;
      return rows.every(row => !row.isDirty && !row.isDeleted);
    }).catch(error => this.problems.push(error.message));
    for (const { displayName, error } of await accounts(first))
      if (error) this.problems.push(`${displayName}: ${error}`);
    for (const window of this.windows) await call(window, 'sync');
  }

  /** As a device has it that has never synced before. */
  async #stateOfServer(): Promise<unknown> {
    const device = new Device('fresh', '');
    await device.start();
    try {
      const { url, username, password } = this.server;
      await device.engine.addAccount({ serverUrl: url, username, password });
      const error = await device.sync();
      if (error) this.problems.push(`the fresh device: ${error}`);
      return stateOf(device);
    } finally {
      await device.end();
    }
  }
}
