import assert from 'node:assert/strict';
import {
  decideList,
  type ListAction,
  type ListFacts,
  listActions,
  listRules,
} from '../../../src/sync/decide/decideList';
import { combinations, holds, unusedRows, unusedValues, valuesOf } from '../support/tables';

const values = {
  local: valuesOf<ListFacts['local']>({
    none: 0,
    new: 0,
    synced: 0,
    renamed: 0,
    empty: 0,
    unsynced: 0,
    detached: 0,
  }),
  base: valuesOf<ListFacts['base']>({ none: 0, creating: 0, deleting: 0, mayEmpty: 0 }),
  remote: valuesOf<ListFacts['remote']>({
    unlisted: 0,
    unanswered: 0,
    gone: 0,
    goneWithOthers: 0,
    same: 0,
    changed: 0,
    readOnly: 0,
    refused: 0,
    emptied: 0,
  }),
};

const listed = ['same', 'changed', 'readOnly'] as const;
const missing = ['unlisted', 'unanswered', 'gone', 'goneWithOthers', 'refused', 'emptied'] as const;
const synced = ['synced', 'renamed', 'empty'] as const;

describe('a list', () => {
  holds<ListFacts, ListAction>(
    [
      { it: 'of the server comes in', facts: { local: 'none', remote: listed }, is: 'insert' },
      {
        it: 'that is back is the account’s own again',
        facts: { local: 'detached', remote: listed },
        is: 'attach',
      },
      { it: 'that is nowhere is nobody’s', facts: { local: ['none', 'detached'], remote: missing }, is: 'nothing' },
      {
        it: 'that was created without an answer is the one that is there',
        facts: { local: 'new', base: 'creating', remote: listed },
        is: 'adopt',
      },
      { it: 'that the server refuses to create stays here', facts: { local: 'new', remote: 'refused' }, is: 'keep' },
      {
        it: 'that is new here is created there',
        given: [
          { remote: ['unlisted', 'unanswered', 'gone', 'goneWithOthers', 'emptied'] },
          { remote: listed, base: ['none', 'deleting', 'mayEmpty'] },
        ],
        facts: { local: 'new' },
        is: 'create',
      },
      { it: 'that is not synced follows its name', facts: { local: 'unsynced', remote: listed }, is: 'follow' },
      { it: 'that is not synced is not missed', facts: { local: 'unsynced', remote: missing }, is: 'nothing' },
      { it: 'that is missing is asked for', facts: { local: synced, remote: 'unlisted' }, is: 'ask' },
      { it: 'that nobody answers about stays', facts: { local: synced, remote: 'unanswered' }, is: 'keep' },
      {
        it: 'that the user deletes goes here, too',
        facts: { local: synced, base: 'deleting', remote: ['gone', 'goneWithOthers'] },
        is: 'delete',
      },
      {
        it: 'without tasks goes if it alone is gone',
        facts: { local: 'empty', base: ['none', 'creating', 'mayEmpty'], remote: 'gone' },
        is: 'delete',
      },
      {
        it: 'that is gone becomes a local one',
        given: [
          { local: ['synced', 'renamed'], remote: ['gone', 'goneWithOthers'] },
          { local: 'empty', remote: 'goneWithOthers' },
        ],
        facts: { base: ['none', 'creating', 'mayEmpty'] },
        is: 'detach',
      },
      {
        it: 'may lose its tasks if the user agrees',
        facts: { local: synced, base: 'mayEmpty', remote: 'emptied' },
        is: 'pull',
      },
      {
        it: 'that would lose most of its tasks waits for the user',
        facts: { local: synced, base: ['none', 'creating', 'deleting'], remote: 'emptied' },
        is: 'askUser',
      },
      {
        it: 'gets back a name that is refused',
        facts: { local: synced, remote: 'refused' },
        is: 'restore',
      },
      { it: 'sends its new name', facts: { local: 'renamed', remote: listed }, is: 'rename' },
      { it: 'that is read-only is read', facts: { local: ['synced', 'empty'], remote: 'readOnly' }, is: 'receive' },
      { it: 'that changed is read', facts: { local: ['synced', 'empty'], remote: 'changed' }, is: 'pull' },
      { it: 'that did not change is not read', facts: { local: ['synced', 'empty'], remote: 'same' }, is: 'follow' },
    ],
    values,
    facts => decideList(facts).action,
  );
});

describe('every decision about a list', () => {
  const decisions = combinations<ListFacts>(values).map(facts => ({ ...facts, action: decideList(facts).action }));

  it('deletes none but one that the user deletes, or that is gone and has no tasks', () =>
    assert.deepEqual(
      decisions.filter(
        ({ local, base, remote, action }) =>
          action === 'delete' &&
          !(base === 'deleting' && remote.startsWith('gone')) &&
          !(local === 'empty' && remote === 'gone'),
      ),
      [],
    ));

  it('lets none go that is only missing, or that nobody answers about', () =>
    assert.deepEqual(
      decisions.filter(
        ({ remote, action }) => ['unlisted', 'unanswered'].includes(remote) && ['delete', 'detach'].includes(action),
      ),
      [],
    ));

  it('lets none lose most of its tasks unasked', () =>
    assert.deepEqual(
      decisions.filter(
        ({ local, base, remote, action }) =>
          remote === 'emptied' &&
          base !== 'mayEmpty' &&
          (synced as readonly string[]).includes(local) &&
          action !== 'askUser',
      ),
      [],
    ));

  it('has a use for every row of the table, every value in it, and every action', () => {
    assert.deepEqual(unusedRows(listRules, values), []);
    assert.deepEqual(unusedValues(listRules, values), []);
    assert.deepEqual(new Set(decisions.map(({ action }) => action)), new Set(Object.keys(listActions)));
  });
});
