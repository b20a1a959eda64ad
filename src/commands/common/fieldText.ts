import type { DuelineEngine } from '../../api';
import { bucketOf } from '../../core/fields/priority';
import { type TextName, textFacts } from '../../core/fields/table';
import { type Alarm, Classification, Status, type Task } from '../../core/kernel/model';
import type { LostField, LostGroup } from '../../core/sync/syncState';
import { isolate, percent, plain, t, translate } from '../../shared/l10n';
import { dateStyle } from '../../ui/settings/settings';
import { alarmLabel } from '../../ui/text/alarmText';
import { cssColor } from '../../ui/text/cssColor';
import { momentLabel } from '../../ui/text/dateText';
import { repeatText } from '../../ui/text/ruleText';
import { priorityWord } from '../../ui/text/taskText';

const fieldNames: Readonly<Record<Exclude<LostGroup, TextName>, () => string>> = {
  color: () => t('color'),
  tags: () => t('tags'),
  completion: () => t('progress'),
  priority: () => t('priority'),
  classification: () => t('visibility'),
  dates: () => t('dates'),
  rrule: () => t('repeat'),
  rdate: () => t('repeat'),
  exdate: () => t('repeat'),
  parent: () => t('parent task'),
  dependencies: () => t('dependencies'),
  ownLines: () => t('link'),
  sortOrder: () => t('sort order'),
  alarms: () => t('reminders'),
  occurrence: () => t('one occurrence'),
};

/** The name of a merged field. A record of a newer version of Dueline may have a field that is unknown here. */
export const fieldName = (field: LostGroup): string =>
  isText(field) ? translate(textFacts[field].name) : (fieldNames[field] ?? fieldNames.occurrence)();

const isText = (field: LostGroup): field is TextName => Object.hasOwn(textFacts, field);

type Values = NonNullable<LostField['mine']> & Partial<Task> & { readonly parentUid?: string | null };

/** The value of a field in one version, as text; several values are on lines of their own. */
export function valueText(engine: DuelineEngine, field: LostGroup, values: LostField['mine']): string {
  if (values === null) return t('Deleted');
  const one = values as Values;
  if (isText(field)) return String(values[field] ?? '') || t('None');
  switch (field) {
    case 'tags':
      return one.tags?.map(tag => `#${plain(tag)}`).join(' ') || t('None');
    case 'completion':
      return completionText(one);
    case 'priority':
      return priorityWord(bucketOf(one.priority ?? 0));
    case 'classification':
      return (
        { [Classification.private]: t('Private'), [Classification.confidential]: t('Confidential') }[
          one.classification as number
        ] ?? t('Public')
      );
    case 'dates':
      return datesText(engine, one) || t('None');
    case 'occurrence':
      return [one.title, datesText(engine, one)].filter(Boolean).join('\n');
    case 'rrule':
      return one.rrule ? repeatText(one.rrule) : t('Does not repeat');
    case 'alarms':
      return one.alarms?.map((alarm: Alarm) => alarmLabel(alarm, dateStyle(engine))).join('\n') || t('None');
    case 'parent':
      return parentText(engine, one.parentUid);
    case 'color':
      return one.color == null ? t('None') : cssColor(one.color);
    default:
      return Object.values(values).filter(Boolean).join('\n') || t('None');
  }
}

function completionText({ status, percentComplete }: Values): string {
  if (status === Status.completed) return t('completed');
  if (status === Status.cancelled) return t('canceled');
  const word = status === Status.inProcess ? t('in progress') : t('open');
  return percentComplete ? `${word} · ${percent(percentComplete)}` : word;
}

function datesText(engine: DuelineEngine, { due, dtstart, isAllDay = true, timezone = null }: Values): string {
  const style = dateStyle(engine);
  const momentText = (value: number) => isolate(momentLabel(value, { isAllDay, timezone }, style));
  return [due != null && t('due {0}', momentText(due)), dtstart != null && t('starts {0}', momentText(dtstart))]
    .filter(Boolean)
    .join('\n');
}

function parentText(engine: DuelineEngine, uid: string | null | undefined): string {
  if (!uid) return t('None');
  const [found] = engine.query(`uid:${JSON.stringify(uid)} show:done`);
  return found?.task.title ?? uid;
}
