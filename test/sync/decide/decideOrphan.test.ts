import assert from 'node:assert/strict';
import { decideOrphan, type OrphanFacts, orphanRules } from '../../../src/sync/decide/decideOrphan';
import { holds, type Some, unusedRows, type Values } from '../support/tables';

describe('a task whose resource is gone, though it was edited or brought back here', () => {
  const bool = [false, true];
  const values: Values<OrphanFacts> = {
    row: ['gone', 'confirmed', 'new', 'missing'],
    isListRead: bool,
    newPlace: ['none', 'ready', 'unready'],
    hasBase: bool,
    isDecided: bool,
    areOthersSynced: bool,
    isWithinGracePeriod: bool,
    elsewhere: ['unasked', 'nowhere', 'maybe', 'unreachable', 'tooMany'],
    hasOldCopy: bool,
    isUnsent: bool,
    isWorthReviving: bool,
  };
  const open = { isListRead: true, newPlace: 'none' } as const;
  const added = { ...open, row: 'new' } as const;
  const edited = { ...open, row: 'missing', hasBase: true } as const;
  /** No account is waited for any more, or none ever was: the user brought the task back at its address. */
  const due: readonly Some<OrphanFacts>[] = [
    { ...edited, areOthersSynced: true },
    { ...edited, isDecided: true },
    { ...edited, isWithinGracePeriod: false },
    { ...open, row: 'missing', hasBase: false },
  ];
  const nowhere: readonly Some<OrphanFacts>[] = [
    { elsewhere: 'nowhere' },
    { elsewhere: 'unreachable', isWithinGracePeriod: false },
  ];
  const dueAndNowhere = due.flatMap(some => nowhere.map(found => ({ ...some, ...found })));

  holds<OrphanFacts, ReturnType<typeof decideOrphan>>(
    [
      { it: 'is none where its row is gone', facts: { row: 'gone' }, is: 'none' },
      { it: 'is none where its list has it again', facts: { row: 'confirmed', isListRead: true }, is: 'none' },
      {
        it: 'waits for a run that reads its list',
        facts: { row: ['confirmed', 'new', 'missing'], isListRead: false },
        is: 'waiting',
      },
      {
        it: 'goes to the list that someone moved it to',
        facts: { row: ['new', 'missing'], isListRead: true, newPlace: 'ready' },
        is: 'adopted',
      },
      {
        it: 'waits for that list to take its edits',
        facts: { row: ['new', 'missing'], isListRead: true, newPlace: 'unready' },
        is: 'waiting',
      },
      { it: 'without an address is asked for in other lists', facts: { ...added, elsewhere: 'unasked' }, is: 'ask' },
      {
        it: 'without an address waits where it may be elsewhere',
        facts: { ...added, elsewhere: 'maybe' },
        is: 'waiting',
      },
      {
        it: 'without an address waits a day for an account out of reach',
        facts: { ...added, elsewhere: 'unreachable', isWithinGracePeriod: true },
        is: 'waiting',
      },
      { it: 'without an address is made where it is nowhere', given: nowhere, facts: added, is: 'recreated' },
      {
        it: 'without an address is made where there are too many to ask for each',
        facts: { ...added, elsewhere: 'tooMany' },
        is: 'recreated',
      },
      {
        it: 'waits a day for the sync of other accounts',
        facts: { ...edited, isDecided: false, areOthersSynced: false, isWithinGracePeriod: true },
        is: 'waiting',
      },
      { it: 'is asked for in other lists then', given: due, facts: { elsewhere: 'unasked' }, is: 'ask' },
      { it: 'waits where one of them may have it', given: due, facts: { elsewhere: 'maybe' }, is: 'waiting' },
      {
        it: 'waits a day for an account out of reach',
        given: due,
        facts: { elsewhere: 'unreachable', isWithinGracePeriod: true },
        is: 'waiting',
      },
      {
        it: 'goes back to its old copy where it is nowhere',
        given: dueAndNowhere,
        facts: { hasOldCopy: true, isUnsent: false },
        is: 'returned',
      },
      {
        it: 'is made again where it is nowhere, though it has an old copy, if it was moved away from that after all',
        given: dueAndNowhere,
        facts: { hasOldCopy: true, isUnsent: true },
        is: 'recreated',
      },
      {
        it: 'is made again where it is nowhere and its edit is worth it',
        given: dueAndNowhere,
        facts: { hasOldCopy: false, isWorthReviving: true },
        is: 'recreated',
      },
      {
        it: 'is deleted where it is nowhere and nothing of worth was edited',
        given: dueAndNowhere,
        facts: { hasOldCopy: false, isWorthReviving: false },
        is: 'deleted',
      },
      {
        it: 'goes back to its old copy where there are too many to ask for each',
        given: due,
        facts: { elsewhere: 'tooMany', hasOldCopy: true, isUnsent: false },
        is: 'returned',
      },
      {
        it: 'is made again where there are too many to ask for each, if it was moved away from its old copy after all',
        given: due,
        facts: { elsewhere: 'tooMany', hasOldCopy: true, isUnsent: true },
        is: 'recreated',
      },
      {
        it: 'is made again, and not deleted unasked, where there are too many to ask for each',
        given: due,
        facts: { elsewhere: 'tooMany', hasOldCopy: false },
        is: 'recreated',
      },
    ],
    values,
    decideOrphan,
  );

  it('has a use for every row of the table', () => assert.deepEqual(unusedRows(orphanRules, values), []));
});
