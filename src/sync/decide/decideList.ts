import { type DecisionRule, ruleFor } from './rules';

/** The states of a list here. */
export const localList = {
  none: 'nothing',
  new: 'created, without an address',
  synced: 'as last synced',
  renamed: 'with a new name or color, its tasks synced or not',
  empty: 'without tasks',
  unsynced: 'its tasks not synced by choice',
  detached: 'kept here since it vanished there',
} as const;

/** Notes about a list without which a run would misread its state. */
export const baseList = {
  none: 'nothing',
  creating: 'its creation was sent, unanswered',
  deleting: 'the user has it deleted: that was sent',
  mayEmpty: 'the user lets it become empty',
} as const;

/** The states of a list on its server. */
export const remoteList = {
  unlisted: 'missing from the lists',
  unanswered: 'missing, and no answer about it',
  gone: 'gone',
  goneWithOthers: 'gone, as are others',
  same: 'there, with the known tags',
  changed: 'there, with other tags',
  readOnly: 'there, takes no changes of tasks',
  refused: 'refused the change',
  emptied: 'without most of its tasks',
} as const;

export interface ListFacts {
  readonly local: keyof typeof localList;
  readonly base: keyof typeof baseList;
  readonly remote: keyof typeof remoteList;
}

/** The actions; *here* is the row, *there* is the server. */
export const listActions = {
  nothing: 'nothing',
  keep: 'keep it as it is, with an error',
  insert: 'create it here',
  adopt: 'take it for the list that was created here',
  attach: 'give it back to the account, with what was edited meanwhile',
  follow: 'take over its name, color and rights',
  pull: 'read what changed in it, then send',
  receive: 'read what changed in it, send nothing: edits of its tasks give way',
  create: 'create it there',
  rename: 'send its name and color; then it counts as synced, or not synced by choice',
  restore: 'take the server’s name and color, with a notice',
  ask: 'ask for it directly',
  askUser: 'delete none of its tasks until the user decides',
  delete: 'delete it here, too',
  detach: 'keep it here as a local list, with a notice',
} as const;

export type ListAction = keyof typeof listActions;

const [listed, gone] = [
  ['same', 'changed', 'readOnly'],
  ['gone', 'goneWithOthers'],
] as const;

/** The first row that fits counts. */
export const listRules: readonly DecisionRule<ListFacts, ListAction>[] = [
  { when: { local: 'none', remote: listed }, action: 'insert' },
  { when: { local: 'detached', remote: listed }, action: 'attach' },
  { when: { local: ['none', 'detached'] }, action: 'nothing' },
  { when: { local: 'new', base: 'creating', remote: listed }, action: 'adopt', log: 'created there without an answer' },
  { when: { local: 'new', remote: 'refused' }, action: 'keep' },
  { when: { local: 'new' }, action: 'create' },
  { when: { local: 'unsynced', remote: listed }, action: 'follow' },
  { when: { local: 'unsynced' }, action: 'nothing' },
  { when: { remote: 'unlisted' }, action: 'ask' },
  { when: { remote: 'unanswered' }, action: 'keep' },
  { when: { base: 'deleting', remote: gone }, action: 'delete', log: 'deleted there by the user, deleted here' },
  { when: { local: 'empty', remote: 'gone' }, action: 'delete', log: 'gone there and empty, deleted here' },
  { when: { remote: gone }, action: 'detach' },
  { when: { base: 'mayEmpty', remote: 'emptied' }, action: 'pull' },
  { when: { remote: 'emptied' }, action: 'askUser', log: 'would lose most of its tasks, waits for the user' },
  { when: { remote: 'refused' }, action: 'restore' },
  { when: { local: 'renamed' }, action: 'rename' },
  { when: { remote: 'readOnly' }, action: 'receive' },
  { when: { remote: 'changed' }, action: 'pull' },
  { when: {}, action: 'follow' },
];

/** Decides about one list. */
export const decideList = (facts: ListFacts): DecisionRule<ListFacts, ListAction> => ruleFor(listRules, facts);
