import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { forgetPackages, packageOnce } from '../../scripts/package/once';
import { needPrograms } from '../../scripts/system';
import { Peer } from '../../test/interop/support/peer';
import { newRandom } from '../../test/interop/support/random';
import { startRadicale } from '../../test/interop/support/servers';
import { Device } from '../../test/interop/support/twoDevices';
import { stateOf } from '../../test/interop/support/wideModel';
import { Session } from '../../test/ui/support/driver';
import { accounts, connect } from '../../test/ui/support/engine';
import { until } from '../../test/ui/support/wait';
import { openWidget } from '../../test/ui/support/widgetPages';
import { verdictOf } from '../reference/figure';
import { forMinutes } from '../reference/forMinutes';
import { Actors, mastersIn } from './actors';
import { memoryOf, trendsOf } from './gauge';
import { Ledger } from './ledger';
import { actThere } from './neighbor';
import { agent, commandLine } from './programs';
import { engineIn, errorsInLogs, listenTo } from './windows';

const timeoutMs = 120_000;
/** Those on top of which is what is due first: what is out of sight is not drawn. */
const watchedKinds = ['today', 'board', 'tasks'] as const;
const lists = { errands: 'Errands α', work: 'Work β' };

const counts: Record<string, number> = {};
const problems = new Set<string>();
const addProblem = (problem: string) => {
  if (!problems.has(problem)) console.log(problem);
  problems.add(problem);
};

async function run(by: string, work: () => Promise<string | readonly string[]>): Promise<void> {
  try {
    for (const name of [await work()].flat()) counts[name] = (counts[name] ?? 0) + 1;
  } catch (error) {
    addProblem(`${by}: ${(error as Error).message}`);
  }
}

type Stage = Awaited<ReturnType<typeof start>>;

/** The interface, the command line and an agent on the store of two windows, and another program on their server. */
async function start(random: () => number) {
  // A package that an earlier run left would be installed in place of this code.
  forgetPackages();
  const server = await startRadicale();
  for (const [path, name] of Object.entries(lists)) await new Peer(server, `/anna/${path}/`).makeList(name);
  const session = await Session.open({
    vsix: [await packageOnce('full')],
    whole: true,
    size: { width: 1100, height: 900 },
    settings: { 'dueline.sync.intervalMinutes': 1 },
  });
  const { window, windows } = session;
  await connect(window, server, 'Home server');
  await session.openWindow(window.page.context());
  const folder = join(session.server.user, 'globalStorage/dueline.dueline/store');
  const ledger = new Ledger();
  const actors = await Actors.start(folder, random, ledger);
  for (const [at, one] of windows.entries()) {
    listenTo(one, problem => addProblem(`window ${at + 1}: ${problem}`));
    await one.view();
    for (const name of Object.values(lists)) await one.rows(name).first().waitFor({ timeout: timeoutMs });
  }
  await window.api('sync');
  return { random, server, session, windows, ledger, actors, cli: commandLine(folder), mcp: await agent(folder) };
}

/** The programs on the store and the one on the server act at the same time, and windows sync meanwhile. */
async function round(stage: Stage): Promise<void> {
  const { random, server, ledger, actors, windows, cli, mcp } = stage;
  const isAlone = random() < 0.6;
  await Promise.all([
    run('the interface', () => actors.act(isAlone)),
    !isAlone && run('the command line or the agent', () => actors.actBy([cli, mcp])),
    random() < 0.4 && run('the server’s user', () => actThere(server, mastersIn(actors.devices[0]), ledger, random)),
    random() < 0.1 &&
      run('a window', () =>
        actors
          .pick(windows)
          .api('sync')
          .then(() => 'sync now'),
      ),
  ]);
  if (random() < 0.2) await watch(stage);
}

/** A widget that is open shows what is made elsewhere. */
async function watch({ actors, windows }: Stage): Promise<void> {
  const [window, kind] = [actors.pick(windows), actors.pick(watchedKinds)];
  await run(`a widget (${kind})`, async () => {
    const page = await openWidget(window, kind, await actors.createUrgent());
    const title = await actors.createUrgent();
    await page.getByText(title).first().waitFor({ state: 'attached', timeout: timeoutMs });
    return `watched: ${kind}`;
  });
}

/** The facts that must hold once all is sent. */
async function judge({ server, session, windows, ledger, actors }: Stage): Promise<void> {
  const [{ engine }] = actors.devices;
  await until('nothing left to send', timeoutMs, async () => {
    for (const window of windows) await window.api('sync');
    await engine.refresh();
    const rows = engine.lists().flatMap(({ id, accountId }) => (accountId === null ? [] : engine.rows(id)));
    return rows.every(row => !row.isDirty && !row.isDeleted);
  }).catch(error => addProblem(error.message));
  for (const { displayName, error } of await accounts(session.window))
    if (error) addProblem(`${displayName}: ${error}`);
  for (const fault of ledger.faults(mastersIn({ engine }))) addProblem(fault);
  const state = stateOf({ engine });
  for (const [at, window] of windows.entries())
    if (!isDeepStrictEqual(state, stateOf({ engine: await engineIn(window) }))) addProblem(`Window ${at + 1} differs.`);
  // A device that has never synced before has exactly what the server has.
  const fresh = new Device('fresh', '');
  await fresh.start();
  await fresh.engine.addAccount({ ...server, serverUrl: server.url });
  const error = await fresh.sync();
  if (error) addProblem(`the fresh device: ${error}`);
  if (!isDeepStrictEqual(state, stateOf(fresh))) addProblem('The server has something else.');
  await fresh.end();
  for (const line of errorsInLogs(join(session.server.user, '..'))) addProblem(line);
}

/** `npm run soak -- --minutes 30 --seed 7`: what must hold, holds at the end, and memory does not grow. */
forMinutes(5, async (minutes, seed) => {
  needPrograms('chromium', 'radicale');
  const stage = await start(newRandom(seed));
  try {
    const begin = Date.now();
    const samples: Awaited<ReturnType<typeof memoryOf>>[] = [];
    for (let sampled = 0, reloaded = begin; Date.now() < begin + minutes * 60_000; ) {
      await round(stage);
      if (Date.now() > reloaded + 240_000) {
        reloaded = Date.now();
        await run('the editor', () => stage.windows[1]!.reload().then(() => 'reload of a window'));
        await run('the editor', () => stage.windows[1]!.view().then(() => 'its views again'));
      }
      if (Date.now() < sampled + 20_000) continue;
      samples.push(await memoryOf(stage.session.window));
      sampled = Date.now();
      const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
      console.log(`${Math.round((sampled - begin) / 1000)} s, ${done} acts, ${problems.size} problems`);
    }
    await judge(stage);
    for (const figure of trendsOf(samples, minutes)) {
      const { name, ratio, detail } = figure;
      console.log(`  ${name.padEnd(30)} ${ratio.toFixed(2)} ${verdictOf(figure).padEnd(8)} ${detail}`);
      if (verdictOf(figure) === 'MISSED') addProblem(`${name} grew by ${ratio.toFixed(2)}`);
    }
    console.log(counts);
    console.log(problems.size === 0 ? 'Nothing was wrong.' : `${problems.size} problems`);
    return problems.size === 0;
  } finally {
    await stage.mcp.end();
    for (const { engine } of stage.actors.devices) await engine.close();
    await stage.session.close();
    await stage.server.stop();
  }
});
