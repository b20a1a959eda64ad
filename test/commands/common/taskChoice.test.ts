import assert from 'node:assert/strict';
import { taskChoice } from '../../../src/commands/common/taskChoice';
import { aRow, usualStyle } from '../../views/support/rows';

const hour = 3_600_000;
const described = (due: number, isAllDay: boolean) =>
  taskChoice(aRow(1, { due, isAllDay }), usualStyle, new Map()).description;

describe('a task to choose', () => {
  it('has its time of day beside its date', () => {
    assert.match(described(16 * hour, false) ?? '', /^Today 4:00\sPM/);
    assert.match(described(0, true) ?? '', /^Today ·/);
  });
});
