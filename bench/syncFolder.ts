import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isInstalled } from '../test/interop/support/servers';
import { Todoman } from '../test/interop/support/todoman';
import { todoText } from '../test/sync/support/texts';
import { compared, inFolder, inTurns, type Report, timed, took } from './reference/figure';
import { aTask, expectTasks, synced, withAccount } from './reference/synced';

const many = 5_000;

/** Folder lists against a program that keeps the same files, in the same run. */
export const run = (report: Report): Promise<void> =>
  inFolder(async folder => {
    const lists = join(folder, 'lists');
    mkdirSync(join(lists, 'large'), { recursive: true });
    const fileOf = (at: number) => join(lists, 'large', `bench-${at}.ics`);
    const write = (at: number) => writeFileSync(fileOf(at), todoText(`bench-${at}`, ...aTask(at, 'first')));
    for (let at = 0; at < many; at++) write(at);
    const open = (round: number) => withAccount(join(folder, `own${round}`), pathToFileURL(lists).href);

    const engines = await Promise.all(Array.from({ length: 4 }, (_, round) => open(round)));
    const list = (round: number) => {
      const found = new Todoman(lists, join(folder, `todoman${round}`)).list();
      if (found.length !== many) throw new Error('todoman has other tasks.');
    };
    // The first time it reads every file into a cache, and then those that are new.
    const works = {
      own: async (round: number) => void (await synced(engines[round]!)),
      todoman: isInstalled('todoman') ? list : undefined,
    };
    const first = await inTurns(3, works);
    for (const engine of engines) expectTasks(engine, many);
    for (const engine of engines) await synced(engine);
    const idle = await inTurns(3, works);
    report(compared(`first sync of a folder of ${many} tasks / by todoman`, first.own, first.todoman, 1));
    report(compared(`nothing to do, a folder of ${many} tasks / by todoman`, idle.own, idle.todoman, 1));

    // The same as in the editor: the watch asks for a run of the list, which the end of the engine ends.
    const [engine] = engines as [(typeof engines)[0]];
    const sync = (listId?: number) => void engine.sync({ listId, trigger: 'folderChange' }).catch(() => {});
    const watching = engine.syncing!.watchFolders(sync);
    const changes = await timed(5, async round => {
      await wait(1000);
      const arrived = new Promise<void>(resolve => {
        const listening = engine.onDidChange(() => {
          if (engine.query(`"Task ${many + round}"`).length === 0) return;
          listening.dispose();
          resolve();
        });
      });
      const own = await took(() => {
        write(many + round);
        return Promise.race([arrived, wait(20_000)]);
      });
      rmSync(fileOf(many + round));
      await wait(1000);
      return own;
    });
    watching.dispose();
    const name = `a file of another program in a folder of ${many} tasks until its row is there, ms`;
    report({ name, ratio: changes, goal: 1000 });
    for (const engine of engines) await engine.close();
  });
