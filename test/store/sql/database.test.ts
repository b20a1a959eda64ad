import assert from 'node:assert/strict';
import { Database } from '../../../src/store/sql/database';

describe('the database', () => {
  it('answers more different queries than it keeps prepared, then the first ones again', async () => {
    const database = await Database.open();
    for (let nth = 0; nth < 250; nth++) assert.equal(database.value(`SELECT ${nth}`), nth);
    assert.equal(database.value('SELECT 0'), 0);
    database.close();
  });

  it('reports that memory ran out, not that there is no transaction to roll back', async () => {
    const database = await Database.open();
    database.run('CREATE TABLE t (a)');
    database.run('PRAGMA max_page_count = 20');
    const fill = () => {
      for (;;) database.run('INSERT INTO t VALUES (?)', ['x'.repeat(3000)]);
    };
    assert.throws(() => database.transaction(fill), /full/);
    assert.equal(database.value('SELECT count(*) FROM t'), 0);
    assert.equal(
      database.transaction(() => 'works again'),
      'works again',
    );
    database.close();
  });

  it('grows in bytes that it took over, and exports them intact', async () => {
    const first = await Database.open();
    first.run('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
    first.run("INSERT INTO t (text) VALUES ('first')");
    const bytes = first.export();
    first.close();
    const own = await Database.openOwn(bytes);
    for (let nth = 0; nth < 500; nth++) own.run('INSERT INTO t (text) VALUES (?)', ['x'.repeat(500)]);
    const again = await Database.open(own.export());
    own.close();
    assert.equal(again.value('PRAGMA quick_check'), 'ok');
    assert.deepEqual(again.rows('SELECT count(*), min(text), max(length(text)) FROM t'), [[501, 'first', 500]]);
    again.close();
  });

  it('does not change bytes that others may need', async () => {
    const first = await Database.open();
    first.run('CREATE TABLE t (id INTEGER)');
    const bytes = Buffer.from(first.export()) as unknown as Uint8Array;
    first.close();
    const before = Uint8Array.from(bytes);
    const copy = await Database.open(bytes);
    copy.run('INSERT INTO t VALUES (1)');
    copy.close();
    assert.deepEqual(Uint8Array.from(bytes), before);
  });
});
