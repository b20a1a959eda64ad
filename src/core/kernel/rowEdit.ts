import type { AlarmInput, Id, Task } from './model';

/** A task's columns without what the store keeps itself. Alarms are replaced as a set if given. */
export type RowColumns = Omit<Task, 'id' | 'alarms'> & { alarms: readonly AlarmInput[] };
/**
 * The columns of a row that an edit changes; all others stay.
 *
 * @example
 * tx.updateTask(id, { title: 'Pay rent', isDirty: true } satisfies RowPatch);
 */
export type RowPatch = { -readonly [Key in keyof RowColumns]?: RowColumns[Key] };
export type NewRow = RowPatch & Pick<Task, 'listId' | 'uid'>;

/** References to a row that the same edit inserts: by the name in its insert. */
interface Links {
  readonly masterId?: string;
  readonly parentId?: string;
}

/**
 * One step of an edit that a pure function has decided and the engine carries out, in order. Dirty flags, sequence
 * numbers and time stamps are the executor's. `delete` means overrides only, which live and go with their master.
 */
export type RowEdit =
  | { readonly type: 'update'; readonly id: Id; readonly patch: RowPatch; readonly links?: Links }
  | { readonly type: 'insert'; readonly row: NewRow; readonly name?: string; readonly links?: Links }
  | { readonly type: 'delete'; readonly id: Id };

/** The ids that `links` stands for, once the rows have them. */
export function resolveLinks(links: Links | undefined, inserted: ReadonlyMap<string, Id>): Pick<RowPatch, keyof Links> {
  if (!links) return {};
  return Object.fromEntries(
    Object.entries(links).map(([column, name]) => {
      const id = inserted.get(name);
      if (id === undefined) throw new Error(`No row named "${name}" was inserted before.`);
      return [column, id];
    }),
  );
}
