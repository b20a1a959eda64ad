import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from '../../../src/store/journal/crc32';
import { Database } from '../../../src/store/sql/database';
import { textsOf } from '../../support/texts';
import { aList, Scratch, user } from '../support/store';

describe('files that another program has changed', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  /** A folded store, each of whose snapshots another program has run `sql` on. */
  async function altered(sql: string): Promise<string> {
    const folder = scratch.folder();
    const place = join(folder, 'store');
    const isFolded = () => readdirSync(place).some(name => /^s-.*json$/.test(name));
    let title = 'a';
    do {
      const store = await scratch.store(folder, { compactAt: 2_000 });
      if (store.lists().length === 0) await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
      title += 'a';
      await store.edit(user, tx => tx.updateTask(1, { title }));
      // Closing waits for the snapshot.
      await store.close();
    } while (!isFolded());
    for (const name of readdirSync(place).filter(name => /^s-.*\.db$/.test(name))) await alter(join(place, name), sql);
    return folder;
  }

  async function alter(path: string, sql: string): Promise<void> {
    const database = await Database.open(Uint8Array.from(readFileSync(path)));
    database.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
    const bytes = database.export();
    database.close();
    const meta = path.replace(/\.db$/, '.json');
    const signed = { ...JSON.parse(readFileSync(meta, 'utf8')), bytes: bytes.length, crc: crc32(bytes) };
    writeFileSync(path, bytes);
    writeFileSync(meta, JSON.stringify(signed));
  }

  it('are shown read-only if the tables are no longer those of a task store', async () => {
    const store = await scratch.store(await altered('ALTER TABLE tasks ADD COLUMN mood TEXT'));
    assert.match(store.readOnlyReason?.text ?? '', /tables of the task store do not match the schema.*mood/s);
    assert.equal(store.task(2)?.title, 'b');
    await assert.rejects(
      store.edit(user, tx => tx.updateTask(2, { title: 'x' })),
      { kind: 'readOnly' },
    );
  });

  it('are reported row by row by the data check if references lead nowhere', async () => {
    const store = await scratch.store(
      await altered('INSERT INTO task_alarms (id, task_id, minutes_before) VALUES (7, 99, 5)'),
    );
    const { checks } = await store.data.checkIntegrity();
    assert.deepEqual(textsOf(checks.find(({ name }) => name === 'references')!.details), [
      'task_alarms 7 refers to a missing row of tasks.',
    ]);
  });

  it('are reported by the data check if they differ from what this window shows', async () => {
    const folder = await altered('SELECT 1');
    const store = await scratch.store(folder);
    const place = join(folder, 'store');
    for (const name of readdirSync(place).filter(name => /^s-.*\.db$/.test(name)))
      await alter(join(place, name), "UPDATE tasks SET title = 'another' WHERE id = 2");
    const { checks } = await store.data.checkIntegrity();
    assert.deepEqual(textsOf(checks.find(({ name }) => name === 'journal')!.details), [
      'The files do not match the data in memory.',
    ]);
  });
});
