import { nothing, type TemplateResult } from 'lit';
import { bucketOf } from '../../src/core/fields/priority';
import { listed, t } from '../../src/shared/l10n';
import type { ChipKind, FormAlarm, FormChange, FormField, FormState } from '../../src/shared/taskEditorProtocol';
import { listDot } from '../page/listColor';
import * as glyphs from '../rows/glyphs';

/** A field of the task that is edited in place. */
export interface ChipView {
  /** Stays the same as long as the chip shows the same field. */
  readonly key: string;
  readonly kind: ChipKind | 'more';
  readonly label: string;
  readonly sign: TemplateResult | string | typeof nothing;
  readonly classes: string;
  /** Before the label, for a screen reader. */
  readonly name: string;
  /** The changes that remove its value. */
  readonly remove?: readonly FormChange[];
  /** The reminder that it shows: text typed into the chip replaces it. */
  readonly alarm?: FormAlarm;
}

const names = (): Readonly<Record<ChipKind, string>> => ({
  due: t('Date'),
  start: t('Start'),
  repeat: t('Repeat'),
  priority: t('Priority'),
  listId: t('List'),
  tags: t('Tag'),
  alarm: t('Reminder'),
  estimate: t('Estimate'),
  after: t('Blocked by'),
});

export const chipName = (kind: ChipKind) => names()[kind];

const unset = (kind: ChipKind | 'more', label: string): ChipView => ({
  key: kind,
  kind,
  label,
  sign: glyphs.plus,
  classes: 'unset',
  name: '',
});

const clear = (field: FormField): readonly FormChange[] => [{ type: 'field', field, value: '' }];

function chip(kind: ChipKind, label: string, sign: ChipView['sign'], remove?: readonly FormChange[]): ChipView {
  return { key: kind, kind, label, sign, classes: kind, name: chipName(kind), ...(remove ? { remove } : {}) };
}

/** More signs for a higher priority: color alone would not distinguish them. */
const signs = { high: '!!!', medium: '!!', low: '!', none: '' } as const;

/** A task with a date often gets a repeat or a reminder, too. */
const hasDate = ({ due, start }: FormState['labels']) => due !== '' || start !== '';

/** A chip for each field that is set, and an empty one for each field that is set most often. */
export function chipsOf({ task, labels, overdue, repeat, lists, alarms, readOnly }: FormState): readonly ChipView[] {
  const list = lists.find(({ id }) => id === task.listId);
  const bucket = bucketOf(task.priority);
  const endRepeat: FormChange = { type: 'repeat', rule: '', from: repeat.from };
  const isDated = hasDate(labels);
  const due = chip('due', labels.due, glyphs.calendar, clear('due'));
  const all = [
    labels.due === '' ? unset('due', t('Date')) : { ...due, classes: overdue ? 'due overdue' : 'due' },
    ...(labels.start === '' ? [] : [chip('start', t('from {0}', labels.start), glyphs.calendar, clear('start'))]),
    ...(repeat.label === ''
      ? isDated
        ? [unset('repeat', t('Repeat'))]
        : []
      : [chip('repeat', repeat.label, glyphs.repeat, task.rrule === '' ? undefined : [endRepeat])]),
    task.priority === 0
      ? unset('priority', t('Priority'))
      : {
          ...chip('priority', labels.priority, signs[bucket], [{ type: 'field', field: 'priority', value: '0' }]),
          classes: `priority ${bucket}`,
        },
    ...(labels.estimate === '' ? [] : [chip('estimate', labels.estimate, glyphs.watch, clear('estimate'))]),
    chip('listId', list?.name ?? '', listDot(list?.color)),
    ...task.tags.map(tag => ({ ...chip('tags', `#${tag}`, nothing, [{ type: 'dropTag', tag }]), key: `tag-${tag}` })),
    ...alarms.map(({ label, ...alarm }, at) => ({
      ...chip('alarm', label, glyphs.bell, [{ type: 'dropAlarm', alarm }]),
      key: `alarm-${at}`,
      alarm,
    })),
    ...(isDated && alarms.length === 0 ? [unset('alarm', t('Reminder'))] : []),
    unset('tags', t('Tag')),
    unset('more', t('More')),
  ];
  return readOnly ? all.filter(({ classes }) => classes !== 'unset') : all;
}

/** The names and values of chips that are new, for a screen reader. */
export function newChips(before: FormState, now: FormState): string {
  const labelsOf = (state: FormState) =>
    chipsOf(state)
      .filter(({ name }) => name !== '')
      .map(({ name, label }) => `${name} ${label}`);
  const known = labelsOf(before);
  return listed(labelsOf(now).filter(text => !known.includes(text)));
}

/** The suggestions of **More**: the fields that have no chip yet. */
export function chipsMissing({ task, labels, repeat, alarms }: FormState): readonly ChipKind[] {
  const isDated = hasDate(labels);
  return [
    ...(repeat.label === '' && !isDated ? (['repeat'] as const) : []),
    ...(labels.start === '' ? (['start'] as const) : []),
    ...(isDated && alarms.length === 0 ? [] : (['alarm'] as const)),
    ...(labels.estimate === '' ? (['estimate'] as const) : []),
    ...(task.id > 0 ? (['after'] as const) : []),
  ];
}
