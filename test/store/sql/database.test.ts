import assert from 'node:assert/strict';
import { Database } from '../../../src/store/sql/database';

describe('the database', () => {
  it('answers more different questions than it keeps prepared, the first of them again', async () => {
    const database = await Database.open();
    for (let turn = 0; turn < 250; turn++) assert.equal(database.value(`SELECT ${turn}`), turn);
    assert.equal(database.value('SELECT 0'), 0);
    database.close();
  });
});
