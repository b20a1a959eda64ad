import assert from 'node:assert/strict';
import { GroupLimits } from '../../../src/views/widgets/groupLimits';
import { aRow } from '../support/rows';

const items = Array.from({ length: 1000 }, (_, at) => aRow(at + 1));

describe('how many rows of a group a widget shows', () => {
  it('is two hundred at first, and five hundred more each time that they are asked for', () => {
    const limits = new GroupLimits();
    const count = (group: string) => limits.first(group, items).length;
    assert.equal(count('one'), 200);
    limits.raise('one');
    assert.deepEqual([count('one'), count('other')], [700, 200]);
    limits.raise('one');
    assert.equal(count('one'), 1000);
  });

  it('goes as far as a task that the user moves or is on, and stays there when the user goes elsewhere', () => {
    const limits = new GroupLimits();
    const last = () => limits.first('one', items).at(-1)?.task.id;
    limits.visit([3, 250]);
    assert.equal(last(), 250);
    limits.visit([]);
    assert.equal(last(), 250);
    limits.move([500, 4]);
    limits.visit([1]);
    assert.equal(last(), 500);
  });

  it('is not more because a series has dates behind the one that is shown', () => {
    const limits = new GroupLimits();
    limits.visit([7]);
    assert.equal(limits.first('one', [...items.slice(0, 300), aRow(7)]).length, 200);
  });
});
