import assert from 'node:assert/strict';
import { taskLines, withoutMark } from '../../../src/core/text/taskLines';

describe('tasks from lines of text', () => {
  it('contain neither the marks of lists and comments nor empty lines', () => {
    const text = '- [ ] Wash the car\r\n\n* Water plants\n3. Third\n  // Rename x\n[x] Done\n#tag stays\n-5 degrees\n';
    assert.deepEqual(
      taskLines(text.replace('  //', '//')).map(line => line.text),
      ['Wash the car', 'Water plants', 'Third', 'Rename x', 'Done', '#tag stays', '-5 degrees'],
    );
  });

  it('contain no marks of a block comment', () => {
    const text = '/**\n * Rename x */\n/* Close it */\n<!-- Title -->\n*/\na */ b';
    assert.deepEqual(
      taskLines(text.replace('\n *', '\n*')).map(line => line.text),
      ['Rename x', 'Close it', 'Title', 'a */ b'],
    );
  });

  it('are subtasks of the nearest line above with a smaller indent', () => {
    const text = 'Move\n  Pack\n    Books\n\tCancel gas\nPaint';
    assert.deepEqual(taskLines(text), [
      { text: 'Move' },
      { text: 'Pack', parent: 0 },
      { text: 'Books', parent: 1 },
      { text: 'Cancel gas', parent: 1 },
      { text: 'Paint' },
    ]);
    assert.deepEqual(taskLines('    a\n    b\n  c\n'), [{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  });

  it('are done if their box is ticked', () => {
    assert.deepEqual(taskLines('- [x] Move\n  * [X] Pack\n  - [ ] Books\n[x] Gas\n- x Paint'), [
      { text: 'Move', isDone: true },
      { text: 'Pack', parent: 0, isDone: true },
      { text: 'Books', parent: 0 },
      { text: 'Gas', isDone: true },
      { text: 'x Paint' },
    ]);
  });

  it('lose only the mark of the first line if all of it is one task', () => {
    assert.equal(withoutMark('- [ ] Move\n- Pack\n'), 'Move\n- Pack\n');
  });
});
