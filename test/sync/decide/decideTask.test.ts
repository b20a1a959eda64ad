import assert from 'node:assert/strict';
import {
  decideTask,
  type TaskAction,
  type TaskFacts,
  taskActions,
  taskRules,
} from '../../../src/sync/decide/decideTask';
import { combinations, holds, unusedRows, unusedValues, valuesOf } from '../support/tables';

const values = {
  local: valuesOf<TaskFacts['local']>({
    none: 0,
    clean: 0,
    arrived: 0,
    edited: 0,
    deleted: 0,
    moved: 0,
    moving: 0,
  }),
  base: valuesOf<TaskFacts['base']>({ none: 0, known: 0, unknown: 0, sent: 0, deletionSent: 0 }),
  remote: valuesOf<TaskFacts['remote']>({
    unread: 0,
    refused: 0,
    readOnly: 0,
    same: 0,
    named: 0,
    unnamed: 0,
    doubtful: 0,
    gone: 0,
    unreadable: 0,
    crossed: 0,
    second: 0,
    ours: 0,
    touched: 0,
    changed: 0,
  }),
};

const unedited = ['clean', 'arrived'] as const;
const tombstones = ['deleted', 'moved', 'moving'] as const;
const pending = ['edited', ...tombstones] as const;
const here = [...unedited, ...pending] as const;
const withoutAnswer = ['sent', 'deletionSent'] as const;

describe('a task’s resource', () => {
  holds<TaskFacts, TaskAction>(
    [
      { it: 'is fetched with another ETag', facts: { remote: 'named' }, is: 'fetch' },
      {
        it: 'is unchanged with the ETag of a skipped resource',
        facts: { remote: 'same', local: 'none' },
        is: 'nothing',
      },
      { it: 'is read back if it was sent', facts: { remote: 'same', local: here, base: 'sent' }, is: 'fetch' },
      {
        it: 'is fetched if the text behind its ETag is not here',
        facts: { remote: 'same', local: unedited, base: ['none', 'unknown'] },
        is: 'fetch',
      },
      {
        it: 'is unchanged with its ETag',
        facts: { remote: 'same', local: unedited, base: ['known', 'deletionSent'] },
        is: 'nothing',
      },
      {
        it: 'is unchanged with its ETag if it has pending changes',
        facts: { remote: 'same', local: pending, base: ['none', 'known', 'unknown', 'deletionSent'] },
        is: 'nothing',
      },

      { it: 'is skipped if it is no task', facts: { remote: 'unreadable' }, is: 'skip' },
      { it: 'at another one’s address waits for the whole pull', facts: { remote: 'crossed' }, is: 'defer' },
      { it: 'with another one’s UID is hidden behind that', facts: { remote: 'second' }, is: 'hide' },
      {
        it: 'is deleted there if it was sent for a task that is gone here',
        facts: { remote: 'ours', local: 'none', base: 'sent' },
        is: 'remove',
      },
      {
        it: 'is added if nothing of it is here',
        given: [
          { remote: ['touched', 'changed'] },
          { remote: 'ours', base: ['none', 'known', 'unknown', 'deletionSent'] },
        ],
        facts: { local: 'none' },
        is: 'insert',
      },
      {
        it: 'does not take back what was undone here since it was sent',
        facts: { remote: 'ours', local: unedited },
        is: 'mergeSent',
      },
      {
        it: 'is adopted if nothing was edited here',
        facts: { remote: ['touched', 'changed'], local: unedited },
        is: 'overwrite',
      },
      {
        it: 'is merged with what was edited here',
        facts: { remote: ['ours', 'touched', 'changed'], local: 'edited' },
        is: 'merge',
      },
      {
        it: 'stays deleted if it was not edited there',
        facts: { remote: ['ours', 'touched'], local: tombstones },
        is: 'keepDeletion',
      },
      { it: 'is restored if it was edited there', facts: { remote: 'changed', local: 'deleted' }, is: 'undelete' },
      {
        it: 'takes its edit to where the task was moved',
        facts: { remote: 'changed', local: ['moved', 'moving'] },
        is: 'follow',
      },

      {
        it: 'is ignored if nothing of it is here',
        facts: { remote: ['unnamed', 'doubtful', 'gone'], local: 'none' },
        is: 'nothing',
      },
      { it: 'is requested if a listing lacks it', facts: { remote: 'unnamed', local: here }, is: 'ask' },
      { it: 'stays if it may be there under another name', facts: { remote: 'doubtful', local: here }, is: 'wait' },
      {
        it: 'is removed for good if it is gone and was deleted here',
        facts: { remote: 'gone', local: tombstones },
        is: 'forget',
      },
      {
        it: 'is recreated if it is gone and its deletion was sent and undone',
        facts: { remote: 'gone', local: [...unedited, 'edited'], base: 'deletionSent' },
        is: 'recreate',
      },
      {
        it: 'becomes an orphan if it is gone and was edited here, or is still in its old list',
        facts: { remote: 'gone', local: ['arrived', 'edited'], base: ['none', 'known', 'unknown', 'sent'] },
        is: 'search',
      },
      {
        it: 'is moved to the trash if it is gone and unchanged here',
        facts: { remote: 'gone', local: 'clean', base: ['none', 'known', 'unknown', 'sent'] },
        is: 'trash',
      },

      {
        it: 'has nothing to send if it is unchanged',
        facts: { remote: ['unread', 'refused', 'readOnly'], local: ['none', ...unedited] },
        is: 'nothing',
      },
      {
        it: 'goes back if it was never in the read-only list',
        facts: { remote: 'readOnly', local: pending, base: 'none' },
        is: 'sendBack',
      },
      {
        it: 'keeps an edit in a read-only list as a conflict',
        facts: { remote: 'readOnly', local: 'edited', base: ['known', 'unknown', ...withoutAnswer] },
        is: 'keepAsConflict',
      },
      {
        it: 'is restored if it was deleted in a read-only list',
        facts: { remote: 'readOnly', local: tombstones, base: ['known', 'unknown', ...withoutAnswer] },
        is: 'restore',
      },
      { it: 'waits for the next edit after a refusal', facts: { remote: 'refused', local: pending }, is: 'wait' },
      { it: 'stays until its task is in the new list', facts: { remote: 'unread', local: 'moving' }, is: 'wait' },
      { it: 'is created', facts: { remote: 'unread', local: 'edited', base: 'none' }, is: 'create' },
      { it: 'is replaced', facts: { remote: 'unread', local: 'edited', base: 'known' }, is: 'update' },
      { it: 'is deleted there', facts: { remote: 'unread', local: ['deleted', 'moved'], base: 'known' }, is: 'remove' },
      {
        it: 'is dropped with its tombstone if the server does not have it',
        facts: { remote: 'unread', local: ['deleted', 'moved'], base: 'none' },
        is: 'forget',
      },
      {
        it: 'is read before a change is sent if its ETag is unknown',
        facts: { remote: 'unread', local: ['edited', 'deleted', 'moved'], base: ['unknown', ...withoutAnswer] },
        is: 'fetch',
      },
    ],
    values,
    facts => decideTask(facts).action,
  );
});

describe('every decision about a task', () => {
  const decisions = combinations<TaskFacts>(values).map(facts => ({ ...facts, action: decideTask(facts).action }));
  const isTombstone = ({ local }: TaskFacts) => (tombstones as readonly string[]).includes(local);

  const never = (title: string, isWrong: (one: TaskFacts & { readonly action: TaskAction }) => boolean) =>
    it(title, () => assert.deepEqual(decisions.filter(isWrong), []));

  never(
    'takes a task away here only if the user deleted or moved it, or if the server says that it is gone',
    one =>
      (one.action === 'forget' && !isTombstone(one)) ||
      (one.action === 'trash' && !(one.local === 'clean' && one.remote === 'gone')),
  );
  never(
    'deletes there only what the user deleted or moved away, or what came there from here for a task that is gone',
    one =>
      one.action === 'remove' &&
      !(['deleted', 'moved'].includes(one.local) && one.base === 'known' && one.remote === 'unread') &&
      !(one.local === 'none' && one.base === 'sent' && one.remote === 'ours'),
  );
  never(
    'keeps what was edited here: it is sent, merged, made again, looked for, a conflict, or it waits',
    one =>
      one.local === 'edited' &&
      [
        'insert',
        'overwrite',
        'mergeSent',
        'keepDeletion',
        'follow',
        'undelete',
        'remove',
        'forget',
        'trash',
        'restore',
      ].includes(one.action),
  );
  never(
    'keeps what was edited there',
    one => one.remote === 'changed' && !['insert', 'overwrite', 'merge', 'undelete', 'follow'].includes(one.action),
  );
  never(
    'takes a deletion back only for an edit there, or where the list takes none',
    one =>
      isTombstone(one) &&
      ['undelete', 'restore', 'insert', 'overwrite', 'merge', 'recreate'].includes(one.action) &&
      !(one.local === 'deleted' && one.remote === 'changed') &&
      one.remote !== 'readOnly',
  );
  never(
    'sends nothing over what nobody has read',
    one => ['update', 'remove'].includes(one.action) && one.base !== 'known' && one.remote !== 'ours',
  );
  never(
    'lets a moved task go from its old list only once it is in the new one',
    one => one.local === 'moving' && one.action === 'remove',
  );
  never(
    'changes nothing by what was not read',
    one =>
      ['unread', 'refused', 'same', 'named', 'unnamed', 'doubtful', 'crossed', 'second', 'unreadable'].includes(
        one.remote,
      ) &&
      ['insert', 'overwrite', 'merge', 'mergeSent', 'undelete', 'follow', 'trash', 'recreate', 'search'].includes(
        one.action,
      ),
  );
  never('makes again only what is gone', one => ['recreate', 'search'].includes(one.action) && one.remote !== 'gone');

  it('uses every row of the table, every value in it, and every action', () => {
    assert.deepEqual(unusedRows(taskRules, values), []);
    assert.deepEqual(unusedValues(taskRules, values), []);
    assert.deepEqual(new Set(decisions.map(({ action }) => action)), new Set(Object.keys(taskActions)));
  });
});
