import type { AlarmInput, Id, Task } from './model';

/** A task's columns without what the store keeps itself. Alarms are replaced as a set where given. */
export type RowColumns = Omit<Task, 'id' | 'alarms'> & { alarms: readonly AlarmInput[] };
export type RowPatch = { -readonly [Key in keyof RowColumns]?: RowColumns[Key] };
export type NewRow = RowPatch & Pick<Task, 'listId' | 'uid'>;

/**
 * One step of an edit that a pure function has decided and the engine carries out, in order. Dirty flags, sequence
 * numbers and time stamps are the executor's.
 */
export type RowEdit =
  | { readonly type: 'update'; readonly id: Id; readonly patch: RowPatch }
  | { readonly type: 'insert'; readonly row: NewRow }
  | { readonly type: 'delete'; readonly id: Id };
