import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Database } from '../../../src/store/sql/database';
import { creationSql, identityHash, tablesOf } from '../../../src/store/sql/schema';
import { schemaDescription, schemaDifferences } from '../../../src/store/sql/schemaDescription';

const versions = [1, 2] as const;

async function fresh(version: number): Promise<Database> {
  const database = await Database.open();
  for (const sql of creationSql(version)) database.run(sql);
  return database;
}

describe('the schema', () => {
  it("computes Room's identity hash", () => {
    assert.equal(identityHash(1), 'c94852274d874fe255ee76e1e46a3003');
    assert.equal(identityHash(2), '14b159c51416ba27653f6320ac7f6f03');
  });

  for (const version of versions) {
    it(`schemas/${version}.json matches the code (UPDATE_SCHEMAS=1 writes it)`, () => {
      const path = `schemas/${version}.json`;
      const text = `${JSON.stringify(schemaDescription(version), null, 2)}\n`;
      if (process.env.UPDATE_SCHEMAS) {
        mkdirSync('schemas', { recursive: true });
        writeFileSync(path, text);
      }
      assert.equal(readFileSync(path, 'utf8'), text);
    });

    it(`the statements of schemas/${version}.json create the tables of version ${version}`, async () => {
      const { database: description } = JSON.parse(readFileSync(`schemas/${version}.json`, 'utf8'));
      const database = await Database.open();
      for (const entity of description.entities) {
        const named = (sql: string) => sql.replace(`\${TABLE_NAME}`, entity.tableName);
        for (const { createSql } of [entity, ...entity.indices]) database.run(named(createSql));
      }
      for (const sql of description.setupQueries) database.run(sql);
      assert.deepEqual(schemaDifferences(database, version), []);
      assert.equal(database.value('SELECT identity_hash FROM room_master_table WHERE id = 42'), identityHash(version));
      database.close();
    });

    it(`has exactly the four tables in version ${version}`, async () => {
      const database = await fresh(version);
      const tables = database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").flat();
      assert.deepEqual(tables, [
        'accounts',
        'room_master_table',
        'sqlite_sequence',
        'task_alarms',
        'task_lists',
        'tasks',
      ]);
      assert.equal(database.rows("SELECT name FROM sqlite_master WHERE type = 'index'").length, 7);
      assert.equal(database.value('PRAGMA user_version'), version);
      assert.equal(tablesOf(version)[2]!.columns.length, version === 1 ? 33 : 34);
      database.close();
    });
  }

  it('reports what differs from the description', async () => {
    const database = await fresh(1);
    assert.deepEqual(schemaDifferences(database, 2), ["tasks lacks column categories TEXT NOT NULL DEFAULT ''"]);
    database.run("ALTER TABLE tasks ADD COLUMN categories TEXT NOT NULL DEFAULT ''");
    assert.deepEqual(schemaDifferences(database, 2), []);
    database.run('DROP INDEX index_tasks_is_dirty');
    database.run('CREATE INDEX mine ON accounts (username)');
    assert.deepEqual(schemaDifferences(database, 2), [
      'accounts has an unknown index mine (username)',
      'tasks lacks index index_tasks_is_dirty (is_dirty)',
    ]);
    database.close();
  });
});
