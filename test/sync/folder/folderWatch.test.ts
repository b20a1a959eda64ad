import assert from 'node:assert/strict';
import { cpSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DuelineEngine } from '../../../src/api';
import { FolderDisk, newFileIndex, realDisk } from '../../../src/sync/folder/folderDisk';
import { ListFolder } from '../../../src/sync/folder/folderScan';
import { FolderWatch, waitAfterCheck } from '../../../src/sync/folder/folderWatch';
import { newTemporaryName } from '../../../src/sync/folder/vdir';
import { Scheduler } from '../../../src/sync/scheduler';
import { todoText } from '../support/texts';
import { aFolderWorld } from '../support/world';

const until = async (isSo: () => boolean) => {
  for (let waited = 0; waited < 20_000 && !isSo(); waited += 20) await wait(20);
  assert.ok(isSo());
};

describe('the watch on folders', () => {
  const world = aFolderWorld();
  let changeCount: number;
  beforeEach(() => {
    changeCount = 0;
  });

  const heard = async () => {
    await until(() => changeCount > 0);
    await wait(400);
    changeCount = 0;
  };

  it('continues in a folder that was deleted and created again', async () => {
    const watch = new FolderWatch<string>(() => changeCount++);
    const folders = new Map([[`${world.folder.url}errands/`, 'errands']]);
    try {
      world.folder.addList('errands');
      watch.watch(folders);
      world.folder.put('errands/bread.ics', todoText('bread'));
      await heard();
      rmSync(join(world.folder.path, 'errands'), { recursive: true });
      await heard();
      watch.watch(folders);
      world.folder.addList('errands');
      watch.watch(folders);
      await heard();
      world.folder.put('errands/milk.ics', todoText('milk'));
      await heard();
    } finally {
      watch.dispose();
      await world.folder.stop();
    }
  });

  it('finds by itself that a folder is back, and is notified by it again', async () => {
    const watch = new FolderWatch<string>(() => changeCount++, { quiet: 20, poll: 50, slowPoll: 50 });
    const away = `${world.folder.path}-away`;
    try {
      world.folder.put('bread.ics', todoText('bread'));
      watch.watch(new Map([[world.folder.url, 'errands']]));
      await wait(200);
      cpSync(world.folder.path, away, { recursive: true });
      rmSync(world.folder.path, { recursive: true });
      await heard();
      cpSync(away, world.folder.path, { recursive: true });
      await heard();
      world.folder.put('milk.ics', todoText('milk'));
      await heard();
    } finally {
      watch.dispose();
      rmSync(away, { recursive: true, force: true });
    }
  });

  it('finds unreported changes by polling: tasks, names and folders', async () => {
    const list = new ListFolder(world.folder.url, new FolderDisk(realDisk, 5_000, undefined), newFileIndex());
    const tags = new Set<string | null>();
    for (const write of [
      () => world.folder.addList('garden'),
      () => world.folder.put('bread.ics', todoText('bread')),
      () => writeFileSync(join(world.folder.path, 'displayname'), 'Errands'),
      () => writeFileSync(join(world.folder.path, 'displayname'), 'All errands'),
      () => unlinkSync(join(world.folder.path, 'bread.ics')),
    ]) {
      write();
      await wait(60);
      const { tag } = await list.glance();
      assert.equal((await list.glance()).tag, tag);
      tags.add(tag);
    }
    writeFileSync(join(world.folder.path, newTemporaryName()), '');
    tags.add((await list.glance()).tag);
    assert.equal(tags.size, 5);
  });

  it('checks a folder every five seconds, and less often the longer that takes', () => {
    assert.equal(waitAfterCheck(0.2), 5_000);
    assert.equal(waitAfterCheck(100), 20_000);
    assert.equal(waitAfterCheck(2_000), 60_000);
  });
});

describe('changes in a folder', () => {
  const world = aFolderWorld();

  const open = async () => {
    const engine = await world.devices.open(world.folder);
    await engine.sync();
    return engine;
  };
  const titles = (engine: DuelineEngine, name: string) => world.devices.list(engine, name).titles();
  /** The engine with sync as the editor schedules it. */
  const scheduled = (engine: DuelineEngine) => {
    const scheduler = new Scheduler({
      clock: { now: Date.now },
      after: (ms, work) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
      random: Math.random,
      leader: { keep: () => true, release: () => {} },
      heartbeatMs: 10_000,
      settings: () => ({ isEnabled: true, intervalMinutes: 0, onFocus: false, afterEdits: false }),
      isPaused: () => false,
      lastRunAt: () => undefined,
      run: async ({ listId, trigger }) => void (await engine.sync({ listId, trigger })),
    });
    const watching = engine.syncing!.watchFolders(listId => scheduler.arrived(listId));
    return {
      dispose() {
        watching.dispose();
        scheduler.dispose();
      },
    };
  };

  it('bring the task that another program has written', async () => {
    world.folder.addList('errands');
    world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread'));
    const engine = await open();
    const schedule = scheduled(engine);
    try {
      world.folder.put('errands/milk.ics', todoText('milk', 'SUMMARY:Buy milk'));
      await until(() => titles(engine, 'errands').includes('Buy milk'));
    } finally {
      schedule.dispose();
    }
  });

  it('are read even if a list of the account failed a moment ago', async () => {
    for (const name of ['a', 'b']) {
      world.folder.addList(name);
      world.folder.put(`${name}/${name}.ics`, todoText(name, `SUMMARY:Task ${name}`));
    }
    const engine = await open();
    const b = world.devices.list(engine, 'b');
    unlinkSync(join(world.folder.path, 'a', 'a.ics'));
    assert.match((await engine.sync()).accounts[0]?.error ?? '', /Nothing was deleted here/);
    world.folder.put('b/new.ics', todoText('new', 'SUMMARY:New'));
    assert.deepEqual((await engine.sync({ listId: b.id, trigger: 'schedule' })).accounts, []);
    assert.equal((await engine.sync({ listId: b.id, trigger: 'folderChange' })).accounts.length, 1);
    assert.deepEqual(b.titles(), ['New', 'Task b']);
  });

  it('can be a new list in an account whose folder is a list itself', async () => {
    world.folder.put('bread.ics', todoText('bread', 'SUMMARY:Buy bread'));
    const engine = await open();
    const schedule = scheduled(engine);
    try {
      world.folder.addList('garden');
      world.folder.put('garden/rose.ics', todoText('rose', 'SUMMARY:Cut the rose'));
      await until(() => engine.lists().some(({ name }) => name === 'garden'));
      await until(() => titles(engine, 'garden').includes('Cut the rose'));
    } finally {
      schedule.dispose();
    }
  });
});
