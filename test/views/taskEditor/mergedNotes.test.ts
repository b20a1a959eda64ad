import assert from 'node:assert/strict';
import { mergedNotes } from '../../../src/views/taskEditor/mergedNotes';

describe('notes that were edited in two places', () => {
  for (const [rule, base, mine, theirs, merged] of [
    ['are mine where nothing was written elsewhere', 'a\nb', 'a\nc', 'a\nb', 'a\nc'],
    ['are mine where the same was written elsewhere', 'a', 'b', 'b', 'b'],
    ['take each line from who changed it', 'a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
    ['take it the other way round, too', 'a\nb\nc', 'a\nb\nC', 'A\nb\nc', 'A\nb\nC'],
    [
      'keep both of a line that both changed',
      'top\nbuy milk\nend',
      'top\nbuy oats\nend',
      'top\nbuy tea\nend',
      'top\nbuy oats\nbuy tea\nend',
    ],
    ['keep both of what was added in one place', 'a', 'a\nmine', 'a\ntheirs', 'a\nmine\ntheirs'],
    ['keep both where there was nothing', '', 'mine', 'theirs', 'mine\ntheirs'],
    ['keep a line that was taken out and changed', 'a\nb\nc', 'a\nc', 'a\nB\nc', 'a\nB\nc'],
    ['know their lines by any line end', 'a\nb\nc', 'A\nb\nc', 'a\r\nb\r\nC', 'A\nb\nC'],
  ] as const)
    it(rule, () => assert.equal(mergedNotes(base, mine, theirs), merged));
});
