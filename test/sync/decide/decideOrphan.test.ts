import assert from 'node:assert/strict';
import { decideOrphan, type OrphanFacts, orphanRules } from '../../../src/sync/decide/decideOrphan';
import { holds, unusedRows, type Values } from '../support/tables';

describe('an edited or restored task whose resource is gone', () => {
  const bool = [false, true];
  const values: Values<OrphanFacts> = {
    row: ['gone', 'confirmed', 'new', 'missing'],
    isListRead: bool,
    moveTarget: ['none', 'ready', 'unready'],
    mayArrive: bool,
    elsewhere: ['unasked', 'nowhere', 'maybe', 'tooMany'],
    hasOldCopy: bool,
    isUnsent: bool,
    isWorthReviving: bool,
  };
  const open = { isListRead: true, moveTarget: 'none' } as const;
  const added = { ...open, row: 'new' } as const;
  const edited = { ...open, row: 'missing', mayArrive: false } as const;
  const nowhere = { ...edited, elsewhere: 'nowhere' } as const;

  holds<OrphanFacts, ReturnType<typeof decideOrphan>>(
    [
      { it: 'is done if its row is gone', facts: { row: 'gone' }, is: 'none' },
      { it: 'is done if its list has it again', facts: { row: 'confirmed', isListRead: true }, is: 'none' },
      {
        it: 'waits for a run that reads its list',
        facts: { row: ['confirmed', 'new', 'missing'], isListRead: false },
        is: 'waiting',
      },
      {
        it: 'moves to the list where someone put it',
        facts: { row: ['new', 'missing'], isListRead: true, moveTarget: 'ready' },
        is: 'adopted',
      },
      {
        it: 'waits until its edits are in that list',
        facts: { row: ['new', 'missing'], isListRead: true, moveTarget: 'unready' },
        is: 'waiting',
      },
      { it: 'without an address is searched for in other lists', facts: { ...added, elsewhere: 'unasked' }, is: 'ask' },
      {
        it: 'without an address waits if it may be elsewhere',
        facts: { ...added, elsewhere: 'maybe' },
        is: 'waiting',
      },
      {
        it: 'without an address is created if it is nowhere',
        facts: { ...added, elsewhere: 'nowhere' },
        is: 'recreated',
      },
      {
        it: 'without an address is created if there are too many to search for each',
        facts: { ...added, elsewhere: 'tooMany' },
        is: 'recreated',
      },
      {
        it: 'waits a day for the sync of other accounts',
        facts: { ...edited, mayArrive: true },
        is: 'waiting',
      },
      { it: 'is then searched for in other lists', facts: { ...edited, elsewhere: 'unasked' }, is: 'ask' },
      { it: 'waits if one of them may have it', facts: { ...edited, elsewhere: 'maybe' }, is: 'waiting' },
      {
        it: 'returns to its old copy if it is nowhere',
        facts: { ...nowhere, hasOldCopy: true, isUnsent: false },
        is: 'returned',
      },
      {
        it: 'is recreated if it is nowhere and was moved away from its old copy after all',
        facts: { ...nowhere, hasOldCopy: true, isUnsent: true },
        is: 'recreated',
      },
      {
        it: 'is recreated if it is nowhere and its edit matters',
        facts: { ...nowhere, hasOldCopy: false, isWorthReviving: true },
        is: 'recreated',
      },
      {
        it: 'is deleted if it is nowhere and its edit does not matter',
        facts: { ...nowhere, hasOldCopy: false, isWorthReviving: false },
        is: 'deleted',
      },
      {
        it: 'returns to its old copy if there are too many to search for each',
        facts: { ...edited, elsewhere: 'tooMany', hasOldCopy: true, isUnsent: false },
        is: 'returned',
      },
      {
        it: 'is recreated if there are too many to search for each and it was moved away from its old copy after all',
        facts: { ...edited, elsewhere: 'tooMany', hasOldCopy: true, isUnsent: true },
        is: 'recreated',
      },
      {
        it: 'is recreated, not deleted without asking, if there are too many to search for each',
        facts: { ...edited, elsewhere: 'tooMany', hasOldCopy: false },
        is: 'recreated',
      },
    ],
    values,
    decideOrphan,
  );

  it('uses every row of the table', () => assert.deepEqual(unusedRows(orphanRules, values), []));
});
