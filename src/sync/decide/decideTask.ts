import { type DecisionRule, ruleFor } from './rules';

/** The states of a resource's rows here. */
export const localTask = {
  none: 'nothing',
  clean: 'as last synced',
  arrived: 'as last synced, while the list that it came from still has it',
  edited: 'edited or created',
  deleted: 'deleted by the user',
  moved: 'moved to another list, which has it',
  moving: 'moved to another list, which is not known to have it',
} as const;

/** The version that both sides agreed on last, as far as it is known. */
export const baseTask = {
  none: 'nothing, it was never there',
  known: 'what the ETag stands for',
  unknown: 'not known',
  sent: 'what was sent, unproven',
  deletionSent: 'its deletion was sent, unanswered',
} as const;

/** The states of the server's resource, as far as it is known at that moment. */
export const remoteTask = {
  unread: 'nothing new',
  refused: 'refused just this before',
  readOnly: 'takes no changes of the list',
  same: 'named with the known ETag',
  named: 'named with another ETag',
  unnamed: 'missing from a full listing',
  gone: 'the server says that it is gone',
  doubtful: 'the same, though it may be there under another name',
  unreadable: 'read, and no task, or a damaged one',
  crossed: 'read at the address of another task, while more is to come',
  second: 'read, and another resource has its UID',
  ours: 'read, and what was sent from here',
  touched: 'read, and not edited',
  changed: 'read, and new or edited',
} as const;

export interface TaskFacts {
  readonly local: keyof typeof localTask;
  readonly base: keyof typeof baseTask;
  readonly remote: keyof typeof remoteTask;
}

/** The actions; *here* are the rows, *there* is the server. */
export const taskActions = {
  nothing: 'nothing',
  wait: 'nothing in this run',
  fetch: 'read it',
  ask: 'ask for it directly',
  skip: 'note that it is no task; rows at its address carry an error',
  defer: 'decide once all of the pull is here',
  hide: 'note it behind the first one; that carries an error',
  insert: 'create it here',
  overwrite: 'take the server’s version',
  merge: 'merge both versions by what both had last',
  mergeSent: 'merge both versions by what was sent',
  keepDeletion: 'keep the deletion, with the new ETag',
  follow: 'merge the edit into the task in its new list; keep the deletion',
  undelete: 'bring it back here, as a conflict',
  create: 'create it there, if nothing is at the address',
  update: 'replace it there, if the ETag is the known one',
  remove: 'delete it there, if the ETag is the known one',
  forget: 'drop the row',
  trash: 'move it to the trash',
  recreate: 'keep it here, and create it there again',
  search: 'look for it in the other lists',
  keepAsConflict: 'keep the edit as a conflict, and take the server’s version',
  restore: 'bring it back here',
  sendBack: 'back to the list that it came from; otherwise it stays, with an error',
} as const;

export type TaskAction = keyof typeof taskActions;

const [living, deleted] = [
  ['clean', 'arrived'],
  ['deleted', 'moved', 'moving'],
] as const;
const read = ['ours', 'touched', 'changed'] as const;

/** The first row that fits counts. */
export const taskRules: readonly DecisionRule<TaskFacts, TaskAction>[] = [
  // It is named.
  { when: { remote: 'named' }, action: 'fetch' },
  { when: { local: [...living, 'edited', ...deleted], base: 'sent', remote: 'same' }, action: 'fetch' },
  { when: { local: living, base: ['none', 'unknown'], remote: 'same' }, action: 'fetch' },
  { when: { remote: 'same' }, action: 'nothing' },
  // It was read.
  {
    when: { local: 'none', base: 'sent', remote: 'ours' },
    action: 'remove',
    log: 'created there after it had gone here, to be deleted there',
  },
  { when: { local: 'none', remote: read }, action: 'insert' },
  { when: { local: living, remote: 'ours' }, action: 'mergeSent' },
  { when: { local: living, remote: ['touched', 'changed'] }, action: 'overwrite' },
  { when: { local: 'edited', remote: 'ours' }, action: 'merge', log: 'sent without an answer, arrived there' },
  { when: { local: 'edited', remote: 'touched' }, action: 'merge' },
  { when: { local: 'edited', remote: 'changed' }, action: 'merge', log: 'edited here and there, merged' },
  { when: { local: deleted, remote: ['ours', 'touched'] }, action: 'keepDeletion' },
  {
    when: { local: ['moved', 'moving'], remote: 'changed' },
    action: 'follow',
    log: 'moved here, edited there in the old list, merged',
  },
  {
    when: { local: 'deleted', remote: 'changed' },
    action: 'undelete',
    log: 'deleted here, edited there, brought back',
  },
  { when: { remote: 'unreadable' }, action: 'skip' },
  { when: { remote: 'crossed' }, action: 'defer' },
  { when: { remote: 'second' }, action: 'hide', log: 'in two resources there, the first one counts' },
  // It is there no more.
  { when: { local: 'none' }, action: 'nothing' },
  { when: { remote: 'unnamed' }, action: 'ask' },
  { when: { remote: 'doubtful' }, action: 'wait', log: 'gone there, perhaps under another name, kept for now' },
  { when: { local: deleted, remote: 'gone' }, action: 'forget' },
  {
    when: { base: 'deletionSent', remote: 'gone' },
    action: 'recreate',
    log: 'deleted there from here, brought back here, created again',
  },
  { when: { local: ['edited', 'arrived'], remote: 'gone' }, action: 'search' },
  { when: { local: 'clean', remote: 'gone' }, action: 'trash', log: 'deleted there, moved to the trash' },
  // The list takes no changes.
  { when: { local: living, remote: 'readOnly' }, action: 'nothing' },
  { when: { base: 'none', remote: 'readOnly' }, action: 'sendBack', log: 'created in a list that became read-only' },
  {
    when: { local: 'edited', remote: 'readOnly' },
    action: 'keepAsConflict',
    log: 'edited in a list that became read-only, kept as a conflict',
  },
  { when: { remote: 'readOnly' }, action: 'restore', log: 'deleted in a list that became read-only, brought back' },
  // Nothing new is known of it.
  { when: { local: living }, action: 'nothing' },
  { when: { remote: 'refused' }, action: 'wait', log: 'refused there before, sent again after the next edit' },
  { when: { local: 'moving' }, action: 'wait', log: 'moved here, kept in the old list until it is in the new one' },
  { when: { local: 'edited', base: 'none' }, action: 'create' },
  { when: { local: 'edited', base: 'known' }, action: 'update' },
  { when: { base: 'none' }, action: 'forget' },
  { when: { local: ['deleted', 'moved'], base: 'known' }, action: 'remove' },
  { when: {}, action: 'fetch' },
];

/**
 * Decides about one resource. The one case with more to it, edited here and gone there, is `decideOrphan`'s.
 *
 * @example
 * decideTask({ local: 'edited', base: 'known', remote: 'changed' }).action // 'merge'
 */
export const decideTask = (facts: TaskFacts): DecisionRule<TaskFacts, TaskAction> => ruleFor(taskRules, facts);
