// The messages of the task form to its host, as schemas.
import * as v from 'valibot';
import { chipKinds, type FormField, formActs, formFields } from './formNames';
import { lineFromPage, messageAs, textUpTo, whole } from './readFromPage';

const anyText = textUpTo(1_000_000);
const alarm = v.object({ minutesBefore: whole, reference: v.string(), message: v.nullable(v.string()) });

/** One change of the task. */
const formChange = v.variant('type', [
  v.object({ type: v.literal('dropLastTag') }),
  /**
   * Tags come a line each, `due` and `start` as `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`; empty clears, `times` those of both
   * dates. `base`: the notes that these were written from, however long another program has made them.
   */
  v.object({ type: v.literal('field'), field: v.picklist(formFields), value: anyText, base: v.optional(v.string()) }),
  /** An empty rule ends the repeat. */
  v.object({ type: v.literal('repeat'), rule: anyText, from: v.picklist(['due', 'completion']) }),
  /** The alarm itself, not its index: others may have been inserted before it meanwhile. */
  v.object({ type: v.picklist(['addAlarm', 'dropAlarm']), alarm }),
  /** To those that the task has, whatever they are by now. */
  v.object({ type: v.literal('addTags'), tags: v.pipe(v.array(anyText), v.readonly()) }),
  /** Whatever other tags it has by now. */
  v.object({ type: v.literal('dropTag'), tag: anyText }),
  v.object({ type: v.literal('addBlocker'), id: whole }),
  /** It is not to depend on this any more, whatever else it depends on by now. */
  v.object({ type: v.literal('dropBlocker'), uid: anyText }),
]);
export type FormChange = v.InferOutput<typeof formChange>;

const fromForm = v.variant('type', [
  formChange,
  /** All changes of one line, as one step of undo. */
  v.object({ type: v.literal('take'), changes: v.pipe(v.array(formChange), v.readonly()) }),
  /** Back to the view from which the task was opened. */
  v.object({ type: v.literal('leave'), closes: v.boolean() }),
  /** `linkHere`: to the line of the cursor in the last text editor. */
  v.object({ type: v.picklist(['ready', 'restore', 'linkHere']) }),
  v.object({ type: v.literal('act'), act: v.picklist(formActs) }),
  /** Asks for the meanings of a line's text; an empty text reports that the line is closed. */
  v.object({
    type: v.literal('suggest'),
    request: whole,
    chip: v.picklist(chipKinds),
    text: anyText,
    replaces: v.optional(alarm),
  }),
  /** For which occurrences new dates hold. */
  v.object({ type: v.literal('scope'), scope: v.picklist(['this', 'following', 'all']) }),
  /** A file of the workspace, `src/file.ts:12`, or the URI of one. */
  v.object({ type: v.literal('openFile'), file: anyText }),
  /** A link to code, by its source. */
  v.object({ type: v.picklist(['openCodeLink', 'removeCodeLink']), source: anyText }),
  v.object({ type: v.picklist(['toggle', 'open']), id: whole }),
  /** The line that adds subtasks, as in a widget. */
  lineFromPage,
]);
export type FromForm = v.InferOutput<typeof fromForm>;

/** A message of the form as it must be, or undefined. */
export const readFromForm = (message: unknown): FromForm | undefined => messageAs(fromForm, message);

const refusedField = v.object({ type: v.literal('field'), field: v.picklist(formFields) });

/** The field of a message that is refused. */
export const fieldRefused = (message: unknown): FormField | undefined => messageAs(refusedField, message)?.field;
