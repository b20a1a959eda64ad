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
      { it: 'is added if the server has it', facts: { local: 'none', remote: listed }, is: 'insert' },
      {
        it: 'is synced again if it is back',
        facts: { local: 'detached', remote: listed },
        is: 'attach',
      },
      { it: 'is ignored if it is nowhere', facts: { local: ['none', 'detached'], remote: missing }, is: 'nothing' },
      {
        it: 'is recognized if it was created without a response',
        facts: { local: 'new', base: 'creating', remote: listed },
        is: 'adopt',
      },
      { it: 'stays here if the server refuses to create it', facts: { local: 'new', remote: 'refused' }, is: 'keep' },
      {
        it: 'is created there if it is new here',
        given: [
          { remote: ['unlisted', 'unanswered', 'gone', 'goneWithOthers', 'emptied'] },
          { remote: listed, base: ['none', 'deleting', 'mayEmpty'] },
        ],
        facts: { local: 'new' },
        is: 'create',
      },
      { it: 'takes its new name even if it is not synced', facts: { local: 'unsynced', remote: listed }, is: 'follow' },
      { it: 'is not missed if it is not synced', facts: { local: 'unsynced', remote: missing }, is: 'nothing' },
      { it: 'is requested if it is missing', facts: { local: synced, remote: 'unlisted' }, is: 'ask' },
      { it: 'stays if no server answers for it', facts: { local: synced, remote: 'unanswered' }, is: 'keep' },
      {
        it: 'is removed here if the user deletes it',
        facts: { local: synced, base: 'deleting', remote: ['gone', 'goneWithOthers'] },
        is: 'delete',
      },
      {
        it: 'without tasks is removed if only it is gone',
        facts: { local: 'empty', base: ['none', 'creating', 'mayEmpty'], remote: 'gone' },
        is: 'delete',
      },
      {
        it: 'becomes a local list if it is gone',
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
        it: 'waits for the user before it loses most of its tasks',
        facts: { local: synced, base: ['none', 'creating', 'deleting'], remote: 'emptied' },
        is: 'askUser',
      },
      {
        it: 'gets its old name back if the new one is refused',
        facts: { local: synced, remote: 'refused' },
        is: 'restore',
      },
      { it: 'sends its new name', facts: { local: 'renamed', remote: listed }, is: 'rename' },
      { it: 'is read if it is read-only', facts: { local: ['synced', 'empty'], remote: 'readOnly' }, is: 'receive' },
      { it: 'is read if it changed', facts: { local: ['synced', 'empty'], remote: 'changed' }, is: 'pull' },
      { it: 'is not read if it did not change', facts: { local: ['synced', 'empty'], remote: 'same' }, is: 'follow' },
    ],
    values,
    facts => decideList(facts).action,
  );
});

describe('every decision about a list', () => {
  const decisions = combinations<ListFacts>(values).map(facts => ({ ...facts, action: decideList(facts).action }));

  it('deletes a list only if the user deletes it, or if it is gone and has no tasks', () =>
    assert.deepEqual(
      decisions.filter(
        ({ local, base, remote, action }) =>
          action === 'delete' &&
          !(base === 'deleting' && remote.startsWith('gone')) &&
          !(local === 'empty' && remote === 'gone'),
      ),
      [],
    ));

  it('keeps a list that is only missing, or that no server answers for', () =>
    assert.deepEqual(
      decisions.filter(
        ({ remote, action }) => ['unlisted', 'unanswered'].includes(remote) && ['delete', 'detach'].includes(action),
      ),
      [],
    ));

  it('asks before a list loses most of its tasks', () =>
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

  it('uses every row of the table, every value in it, and every action', () => {
    assert.deepEqual(unusedRows(listRules, values), []);
    assert.deepEqual(unusedValues(listRules, values), []);
    assert.deepEqual(new Set(decisions.map(({ action }) => action)), new Set(Object.keys(listActions)));
  });
});
