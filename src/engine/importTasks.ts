import type { DuelineEngine, ExchangeFormat, ImportReport } from '../api';
import { decodeText, lostCharacters, noText } from '../core/exchange/encoding';
import { exportTasks, readImport } from '../core/exchange/exchange';
import { withoutFormatChanges } from '../core/exchange/formatChanges';
import { checkImportSize } from '../core/exchange/importSize';
import { changesOf, withEntry } from '../core/exchange/lastImport';
import { uuidOf } from '../core/exchange/stableUid';
import type { ImportedTask } from '../core/exchange/types';
import { dependenciesOf, withDependencies } from '../core/fields/dependencies';
import { isClosed } from '../core/fields/status';
import { withLineTexts } from '../core/fields/values';
import { DuelineError } from '../core/kernel/errors';
import type { Id, Task, TaskList } from '../core/kernel/model';
import type { RowPatch } from '../core/kernel/rowEdit';
import { withRepeatFrom } from '../core/recurrence/repeatFrom';
import { byAddress } from '../core/text/issueLinks';
import type { TaskEditor, TaskEdits } from './taskEditor';
import { blankTask, isTracked, onlyChanges } from './taskRow';
import { asStored } from './validate';

const formats: readonly ExchangeFormat[] = ['ics', 'json', 'csv', 'todotxt', 'markdown'];

/**
 * Imports a file's tasks into a list as one undo step. A task with a known UID is updated; one whose UID is in another
 * list is a different task and gets a new UID, always the same one. An entry of a tracker that has a task in any list only
 * changes in it what has not changed here since the last import, and one whose task is in the trash is not added again.
 */
export async function importTasks(
  engine: Pick<DuelineEngine, 'clock' | 'locale' | 'settings' | 'lists' | 'trash'> & TaskEdits,
  format: ExchangeFormat,
  content: string | Uint8Array,
  listId: Id,
): Promise<ImportReport> {
  if (!formats.includes(format)) throw new DuelineError('invalid', `"${format}" is none of ${formats.join(', ')}.`);
  checkImportSize(content.length);
  const { text, isGuess } = typeof content === 'string' ? { text: content, isGuess: false } : decodeText(content);
  const { clock, locale, settings } = engine;
  const listName = engine.lists().find(({ id }) => id === listId)?.name;
  const context = { clock, locale, settings, listKey: String(listId), listName };
  const { tasks, skipped, ...lost } = noText(text) ?? readImport(format, text, context);
  const entries = tasks.filter(({ isOfTracker }) => isOfTracker);
  const deleted = entries.length === 0 ? [] : (await engine.trash()).map(({ task }) => task);
  const counts = await engine.editTasks({ key: 'import', count: tasks.length }, editor => {
    const list = editor.writableList(listId);
    const importing = new Import(editor, list);
    const uids = new Set(tasks.map(({ fields }) => fields.uid));
    const known = importing.knownTasks(entries, deleted);
    const own = tasks.filter(task => !known.has(task)).map(task => importing.withOwnUid(task, uids));
    const rows = importing.rowsOf(own);
    const out = { clock, listName: () => listName, task: (id: Id) => editor.tx.task(id) };
    const exported = rows.length === 0 ? [] : readImport(format, exportTasks(format, rows, out), context).tasks;
    const exportedOf = new Map(exported.map(task => [keyOf(task), task]));
    for (const task of own) importing.take(task, exportedOf.get(keyOf(task)));
    importing.link(own);
    for (const [entry, task] of known) if (task) importing.follow(entry, importing.withOwnUid(entry, uids), task.id);
    return { created: importing.created, updated: importing.updated };
  });
  // Text may have lost letters before it came here; bytes are read without any loss.
  const unread = typeof content === 'string' ? lostCharacters(text) : [];
  return { ...counts, ...lost, skipped: [...unread, ...skipped], ...(isGuess ? { isGuess } : {}) };
}

/** A task of a file, or one of its occurrences. */
const keyOf = ({ fields: { uid, recurrenceId } }: ImportedTask) => `${recurrenceId ?? ''} ${uid}`;

class Import {
  created = 0;
  updated = 0;
  /** The new UIDs, by the UIDs in the file. */
  readonly #ownUids = new Map<string, string>();

  constructor(
    readonly editor: TaskEditor,
    readonly list: TaskList,
  ) {}

  /** The entries of a tracker that have a task, in whatever list, or had one: that is in the trash, and does not come back. */
  knownTasks(entries: readonly ImportedTask[], deleted: readonly Task[]): ReadonlyMap<ImportedTask, Task | undefined> {
    if (entries.length === 0) return new Map();
    const { tx } = this.editor;
    const rows = tx.selectTasks('t.is_deleted = 0 AND t.master_id IS NULL AND t.url IS NOT NULL');
    // The open task of an issue is the one that counts, and of a UID the one in this list.
    const living = byAddress([...rows.filter(isClosed), ...rows.filter(row => !isClosed(row))]);
    const ofUid = (uid: string) => {
      const found = tx.tasksOfUid(uid).filter(({ isDeleted, masterId }) => !isDeleted && masterId === null);
      return found.find(({ listId }) => listId === this.list.id) ?? found[0];
    };
    const gone = new Set([...byAddress(deleted).keys(), ...deleted.map(({ uid }) => uid)]);
    const known = new Map<ImportedTask, Task | undefined>();
    for (const entry of entries) {
      const { uid } = entry.fields;
      const task = living.get(uid) ?? ofUid(uid);
      if (task) this.#ownUids.set(uid, task.uid);
      if (task || gone.has(uid)) known.set(entry, task);
    }
    return known;
  }

  /** `own` is the entry with the UIDs that its tasks have here. */
  follow(entry: ImportedTask, own: ImportedTask, id: Id): void {
    const { editor } = this;
    const task = editor.existing(id);
    const list = editor.tx.list(task.listId)!;
    if (list.isReadOnly) return;
    const uidOf = (id: Id | null) => (id === null ? null : (editor.tx.task(id)?.uid ?? null));
    const changes = changesOf(entry, task, uidOf(task.parentId));
    const patch: { -readonly [Name in keyof RowPatch]: RowPatch[Name] } = { ...asStored(changes.fields) };
    const after = [...dependenciesOf(task), ...(changes.after ? (own.after ?? []) : [])];
    const noted = { unknownProperties: withEntry(task, entry) };
    if (changes.parent) {
      const parent = own.parentUid == null ? undefined : editor.tx.taskAt(list.id, own.parentUid, null);
      const parentId = parent?.id ?? null;
      if (this.#mayStandUnder(task, parentId)) patch.parentId = parentId;
    }
    patch.unknownProperties = withDependencies(noted, after);
    const changed = onlyChanges(patch, task);
    editor.touch(task, changed);
    if (
      Object.keys(changed).some(name => name !== 'unknownProperties') ||
      patch.unknownProperties !== noted.unknownProperties
    )
      this.updated++;
  }

  /** A dependency on a task of the same file stays one here, whatever UID that task gets. */
  withOwnUid(task: ImportedTask, inFile: ReadonlySet<string>): ImportedTask {
    const { parentUid, after = [] } = task;
    const fields = { ...task.fields, uid: this.#ownUid(task.fields.uid) };
    if (task.isOfTracker) fields.unknownProperties = withEntry({ unknownProperties: null }, task);
    const { unknownProperties = null } = fields;
    const uids = dependenciesOf({ unknownProperties });
    const own = uids.map(uid => (inFile.has(uid) ? this.#ownUid(uid) : uid));
    if (uids.length > 0) fields.unknownProperties = withDependencies({ unknownProperties }, own);
    return {
      ...task,
      fields,
      ...(parentUid && { parentUid: this.#ownUid(parentUid) }),
      after: after.map(uid => (inFile.has(uid) ? this.#ownUid(uid) : uid)),
    };
  }

  /** The rows that the file may change: an export of all of a large list would take long. */
  rowsOf(tasks: readonly ImportedTask[]): readonly Task[] {
    const rows = tasks.flatMap(({ fields, lineTexts, fromCompletion }) => {
      const row = this.#row(fields.uid, fields.recurrenceId ?? null);
      const mayChange = lineTexts !== undefined || fromCompletion !== undefined;
      return row && (mayChange || Object.keys(onlyChanges(asStored({ ...fields }), row)).length > 0) ? row : [];
    });
    return [...new Map(rows.map(row => [row.id, row])).values()];
  }

  /** `exported` is the task's row as it is read from an export. */
  take(read: ImportedTask, exported: ImportedTask | undefined): void {
    const { editor, list } = this;
    const recurrenceId = read.fields.recurrenceId ?? null;
    const master = recurrenceId === null ? undefined : this.#row(read.fields.uid, null);
    const masterId = master?.id ?? null;
    const known = this.#row(read.fields.uid, recurrenceId);
    const changed = known && exported ? withoutFormatChanges(read, exported, known) : read;
    const { lineTexts = {}, fromCompletion, after = [] } = changed;
    const fields = asStored({ ...changed.fields });
    const before = { unknownProperties: fields.unknownProperties ?? known?.unknownProperties ?? null };
    const own = { unknownProperties: withLineTexts(before, lineTexts) };
    if (fromCompletion !== undefined)
      own.unknownProperties = withRepeatFrom(own, fromCompletion ? 'completion' : 'due');
    if (after.length > 0) own.unknownProperties = withDependencies(own, [...dependenciesOf(own), ...after]);
    if (own.unknownProperties !== before.unknownProperties) Object.assign(fields, own);
    if (known) {
      // A file that has no progress means none of what was done before.
      if (isClosed(known) && fields.status !== undefined && !isClosed({ status: fields.status }))
        fields.percentComplete ??= read.fields.percentComplete ?? null;
      const patch = onlyChanges({ ...fields, masterId, isDeleted: false }, known);
      if (Object.keys(patch).length === 0) return;
      editor.tx.updateTask(known.id, { ...patch, isDirty: isTracked(list) });
      this.updated++;
    } else {
      const { id: _id, ...blank } = blankTask(list.id, fields.uid, editor.now);
      const columns = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as RowPatch;
      editor.tx.insertTask({
        ...blank,
        ...columns,
        listId: list.id,
        uid: fields.uid,
        masterId,
        isDirty: isTracked(list),
      });
      this.created++;
    }
  }

  /** Second pass: a child may be before its parent. A parent that cannot be one is left out, the task is not. */
  link(tasks: readonly ImportedTask[]): void {
    for (const { fields, parentUid } of tasks) {
      if (parentUid === undefined) continue;
      const task = this.#row(fields.uid, fields.recurrenceId ?? null)!;
      const parentId = parentUid === null ? null : (this.#row(parentUid, null)?.id ?? null);
      if (parentId === task.parentId || !this.#mayStandUnder(task, parentId)) continue;
      this.editor.tx.updateTask(task.id, { parentId, isDirty: isTracked(this.list) });
    }
  }

  #mayStandUnder(task: Task, parentId: Id | null): boolean {
    if (parentId === null) return true;
    try {
      this.editor.checkParent(parentId, task.listId, task.id);
      return true;
    } catch {
      return false;
    }
  }

  #ownUid(uid: string): string {
    const known = this.#ownUids.get(uid) ?? this.#findUid(uid);
    this.#ownUids.set(uid, known);
    return known;
  }

  #findUid(uid: string): string {
    const { editor, list } = this;
    const rows = editor.tx.tasksOfUid(uid);
    const isElsewhere = rows.some(row => row.listId !== list.id && !row.isDeleted);
    if (rows.some(row => row.listId === list.id && !(row.isDeleted && isElsewhere))) return uid;
    const other = uuidOf(`${list.href ?? list.id}\n${uid}`);
    return isElsewhere || this.#row(other, null) ? this.#ownUid(other) : uid;
  }

  #row(uid: string, recurrenceId: number | null): Task | undefined {
    return this.editor.tx.taskAt(this.list.id, uid, recurrenceId);
  }
}
