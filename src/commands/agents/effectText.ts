import type { DuelineEngine } from '../../api';
import { isField, taskFields } from '../../core/fields/table';
import type { StepChange, UndoableStep } from '../../core/kernel/editLabel';
import type { Task } from '../../core/kernel/model';
import type { LostGroup } from '../../core/sync/syncState';
import { brief, isolate, listed, t } from '../../shared/l10n';
import { titleOf } from '../../ui/text/taskText';
import { fieldName, valueText } from '../common/fieldText';

/** In characters: a longer value is cut, and more tasks than these are not named. */
const maxValue = 40;
const maxTasks = 5;

/** Fields whose values mean nothing to a reader: other rows, or lines of the file. */
const namedOnly: readonly LostGroup[] = ['parent', 'ownLines', 'alarms', 'rdate', 'exdate'];

type Values = Readonly<Record<string, unknown>>;

/** The part of a task that a column belongs to; undefined for a column that nobody sees. */
function partOf(field: string): LostGroup | 'listId' | undefined {
  if (field === 'listId' || field === 'rdate' || field === 'exdate') return field;
  if (field === 'unknownProperties') return 'ownLines';
  if (!isField(field)) return undefined;
  const { group } = taskFields[field] as { readonly group?: LostGroup };
  return group ?? (field as LostGroup);
}

/** The values before and after, such as “priority: no priority → high priority”. */
function partText(engine: DuelineEngine, part: LostGroup | 'listId', before: Values, after: Values): string {
  const change = (name: string, one: string, other: string) =>
    t('{0}: {1} → {2}', name, isolate(brief(one, maxValue)), isolate(brief(other, maxValue)));
  if (part === 'listId') {
    const listName = (id: unknown) => engine.lists().find(list => list.id === id)?.name ?? '';
    return change(t('list'), listName(before.listId), listName(after.listId));
  }
  const name = fieldName(part);
  const value = (values: Values) => valueText(engine, part, values).replace(/\s*\n\s*/g, ', ');
  return namedOnly.includes(part) ? name : change(name, value(before), value(after));
}

function partsOf(engine: DuelineEngine, before: Partial<Task>, after: Partial<Task>): readonly string[] {
  const isChanged = (field: keyof Task) => JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  const changed = (Object.keys(after) as (keyof Task)[]).filter(isChanged);
  const parts = new Set(changed.flatMap(field => partOf(field) ?? []));
  return [...parts].map(part => partText(engine, part, before as Values, after as Values));
}

/** The effect of a step in words: the values of one task, or the titles of several. */
export function effectText(engine: DuelineEngine, step: UndoableStep): string {
  const changes = step.changes();
  const [only] = changes;
  if (changes.length === 1)
    return only?.before && only.after ? partsOf(engine, only.before, only.after).join('; ') : '';
  const titles = changes.slice(0, maxTasks).flatMap(change => titleIn(engine, change) ?? []);
  const more = changes.length > maxTasks ? ['…'] : [];
  return listed([...new Set(titles.map(title => isolate(brief(title, maxValue)))), ...more]);
}

function titleIn(engine: DuelineEngine, { task, before }: StepChange): string | undefined {
  const now = engine.task(task);
  return now ? titleOf(now) : (before?.title ?? undefined);
}
