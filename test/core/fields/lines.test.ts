import assert from 'node:assert/strict';
import { linesOf, valuesOf, withLine } from '../../../src/core/fields/lines';

const row = (...lines: string[]) => ({ unknownProperties: JSON.stringify(lines) });

describe('the lines of a task that no column models', () => {
  it('return the values of a property, whatever its case and parameters', () => {
    const task = row('X-OTHER:1', 'x-dueline-room:Hall', 'X-DUELINE-ROOM;X-A="b:c":Attic', 'X-DUELINE-ROOMS:2');
    assert.deepEqual(valuesOf(task, 'X-DUELINE-ROOM'), ['Hall', 'Attic']);
    assert.deepEqual(valuesOf({ unknownProperties: null }, 'X-DUELINE-ROOM'), []);
  });

  it('replace the old value with a new one, or append it', () => {
    const task = row('X-A:1', 'X-DUELINE-ROOM;X-P=1:Hall', 'X-B:2', 'X-DUELINE-ROOM:Attic');
    const renamed = { unknownProperties: withLine(task, 'X-DUELINE-ROOM', 'Cellar') };
    assert.deepEqual(linesOf(renamed), ['X-A:1', 'X-DUELINE-ROOM:Cellar', 'X-B:2']);
    const added = { unknownProperties: withLine(row('X-A:1'), 'X-DUELINE-ROOM', 'Hall') };
    assert.deepEqual(linesOf(added), ['X-A:1', 'X-DUELINE-ROOM:Hall']);
  });

  it('are null if none is left, and stay as they are if nothing is to be removed', () => {
    assert.equal(withLine(row('X-DUELINE-ROOM:Hall'), 'X-DUELINE-ROOM', null), null);
    assert.equal(withLine({ unknownProperties: 'damaged' }, 'X-DUELINE-ROOM', null), 'damaged');
    assert.deepEqual(linesOf({ unknownProperties: 'damaged' }), []);
  });
});
