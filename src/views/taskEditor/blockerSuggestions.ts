import type { DuelineEngine } from '../../api';
import { readShortId } from '../../core/code/shortId';
import type { Id, Task } from '../../core/kernel/model';
import { t } from '../../shared/l10n';
import type { ChipSuggestion, ChipSuggestions, FormChange } from '../../shared/taskEditorProtocol';
import { titleOf } from '../../ui/text/taskText';

const maxSuggestions = 8;

const add = (id: Id): FormChange => ({ type: 'addBlocker', id });

/** Suggests open tasks for a title or short ID, whole or in part. In a list with commas, the last entry is completed. */
export function blockerSuggestions(engine: DuelineEngine, series: Task, text: string): ChipSuggestions {
  const names = text.split(',').map(name => name.trim().replace(/^"|"$/g, ''));
  const last = names.pop()!;
  const known = names.filter(Boolean).map(name => engine.taskNamed(name));
  const before = known.flatMap(id => (id === undefined ? [] : add(id)));
  const taken = new Set([series.uid, ...engine.blockersOf(series).map(({ uid }) => uid)]);
  const exact = last === '' ? undefined : engine.taskNamed(last);
  const items = foundBy(engine, last)
    .filter(({ uid }) => !taken.has(uid))
    .toSorted((a, b) => Number(b.id === exact) - Number(a.id === exact))
    .slice(0, maxSuggestions)
    .map(
      (task): ChipSuggestion => ({
        label: titleOf(task),
        detail: engine.shortIdOf(task),
        changes: [...before, add(task.id)],
        ...(task.id === exact ? { isReading: true } : {}),
      }),
    );
  const isUnknown = known.includes(undefined) || (last !== '' && items.length === 0);
  if (isUnknown) return { items: [], preselectsFirst: false, problem: t('No matching open task.') };
  return { items, preselectsFirst: last !== '' };
}

/** Open tasks that match the text, each series once, the last changed first. */
function foundBy(engine: DuelineEngine, name: string): readonly Task[] {
  const words = name.replace(/["\\]/g, ' ').trim();
  const id = readShortId(words);
  const condition = words === '' ? '' : `(title:"${words}"${id === undefined ? '' : ` OR id:dl-${id}`})`;
  const found = engine.query(`is:open ${condition} sort:-modified`, { limit: 4 * maxSuggestions });
  const tasks = found.flatMap(({ task }) => engine.task(task.masterId ?? task.id) ?? []);
  return [...new Map(tasks.map(task => [task.uid, task])).values()];
}
