import { bucketOf, priorityOf } from '../../core/fields/priority';
import type { Occurrence, Task } from '../../core/kernel/model';
import { foldCase } from '../../query/eval/foldCase';
import { findFilter } from '../../query/eval/savedFilters';
import { splitQuery } from '../../query/parse/splitQuery';
import { briefName, listed, t } from '../../shared/l10n';
import type { DropValues, GroupView } from '../../shared/widgetProtocol';
import { daysLater } from '../../ui/reschedule';
import { cssColor } from '../../ui/text/cssColor';
import { dayFor } from '../../ui/text/dateText';
import { dayHeading, groupLabel } from '../../ui/text/groupText';
import { completed, type Groups, options } from './groups';
import type { WidgetContext } from './widgetContext';

const daysShown = 7;

/** A column, or a row of columns. */
interface BoardAxisValue {
  readonly key: string;
  /** In the settings, the same on every machine and day. */
  readonly id: string;
  readonly label: string;
  readonly color?: string;
  /** The values that a task gets here; absent if it cannot get them. */
  readonly dropValues?: DropValues;
  readonly tone?: GroupView['tone'];
  /** Only while it has something. */
  readonly isOptional?: true;
}

interface BoardAxis {
  readonly bands: readonly BoardAxisValue[];
  /** The keys of the columns or rows that an item is in. */
  keysOf(item: Occurrence): readonly string[];
}

/** Columns by one value of the tasks, in rows by another; each cell is a group. */
export function boardGroups(context: WidgetContext): Groups {
  const { engine, setup } = context;
  const { groups, openCount, isCut = false } = engine.widget(setup.kind, options(context));
  const items = groups.flatMap(group => group.items);
  const by = setup.group || 'status';
  const rowsBy = setup.rows === by ? '' : setup.rows;
  const isByStatus = by === 'status' || rowsBy === 'status';
  const { done, isDoneCut } = isByStatus ? doneOf(context, items) : { done: [], isDoneCut: false };
  const all = [...items, ...done];
  const [columns, rows] = [distinct(bandsOf(by, context, all)), bandsOf(rowsBy, context, all)];
  const cells = new Map<string, Occurrence[]>();
  const [used, usedRows] = [new Set<string>(), new Set<string>()];
  for (const item of all)
    for (const row of rows.keysOf(item))
      for (const column of columns.keysOf(item)) {
        used.add(column);
        usedRows.add(row);
        const key = cellKey(row, column);
        if (cells.get(key)?.push(item) === undefined) cells.set(key, [item]);
      }
  const shown = columns.bands.filter(({ key, isOptional }) => !isOptional || used.has(key));
  const lanes = rows.bands.filter(({ key }) => usedRows.has(key));
  const isBy = (field: string) => by === field || rowsBy === field;
  const cell = (row: BoardAxisValue, column: BoardAxisValue): GroupView => {
    const key = cellKey(row.key, column.key);
    const limit = Object.hasOwn(setup.limits, column.id) ? setup.limits[column.id] : undefined;
    const dropValues = row.dropValues && column.dropValues && { ...row.dropValues, ...column.dropValues };
    return {
      key,
      label: rowsBy === '' ? column.label : listed([row.label, column.label]),
      tone: column.tone ?? 'plain',
      folded: false,
      ...(column.color ? { color: column.color } : {}),
      ...(dropValues ? { dropValues } : {}),
      board: {
        key: column.key,
        id: column.id,
        column: column.label,
        ...(rowsBy === ''
          ? {}
          : { row: { key: row.key, label: row.label, ...(row.color ? { color: row.color } : {}) } }),
        ...(limit === undefined ? {} : { limit }),
        ...(setup.collapsed.includes(column.id) ? { isCollapsed: true } : {}),
      },
      rows: context.rows(key, cells.get(key) ?? [], { withoutList: isBy('list') }),
    };
  };
  return {
    groups: (lanes.length > 0 ? lanes : rows.bands.slice(0, 1)).flatMap(row => shown.map(column => cell(row, column))),
    open: openCount,
    isCut,
    isDoneCut,
  };
}

/** The name of an element, without the characters that a tag may have. */
const cellKey = (row: string, column: string) => `${nameOf(row)}|${nameOf(column)}`;
const nameOf = (key: string) => key.replace(/[^\p{L}\p{N}-]/gu, sign => `_${sign.codePointAt(0)!.toString(16)}_`);

/**
 * The tasks that the query leaves out because they are completed: those of the last days that match its other
 * conditions.
 */
function doneOf(context: WidgetContext, items: readonly Occurrence[]): ReturnType<typeof completed> {
  const { engine } = context;
  const query = options(context).filter ?? '';
  const { conditions } = splitQuery(findFilter(query, engine.settings)?.query ?? query);
  const filter = conditions === '' ? '' : `(${conditions})`;
  const { done, isDoneCut } = completed(context, `is:done done:-${daysShown}d.. ${filter}`);
  const known = new Set(items.map(({ task }) => task.id));
  return { done: done.filter(({ task }) => !known.has(task.id)), isDoneCut };
}

/** The settings know lists by name: those of the same name are distinguished by their order. */
function distinct({ bands, ...others }: BoardAxis): BoardAxis {
  const used = new Set<string>();
  const idFor = (id: string, count = 1): string => {
    const named = count === 1 ? id : `${id} (${count})`;
    return used.has(named) ? idFor(id, count + 1) : named;
  };
  return {
    ...others,
    bands: bands.map(band => {
      const id = idFor(band.id);
      used.add(id);
      return { ...band, id };
    }),
  };
}

function bandsOf(field: string, context: WidgetContext, items: readonly Occurrence[]): BoardAxis {
  switch (field) {
    case 'status':
      return statusBands(context);
    case 'priority':
      return priorityBands();
    case 'list':
      return listBands(context, items);
    case 'due':
      return dueBands(context);
    case 'tag':
      return tagBands(context, items);
    default:
      return { bands: [{ key: '', id: '', label: '', dropValues: {} }], keysOf: () => [''] };
  }
}

const statusKeys = ['todo', 'started', 'done', 'cancelled'] as const;

function statusBands(context: WidgetContext): BoardAxis {
  const bands = statusKeys.map((key, at): BoardAxisValue => {
    const status = at as Task['status'];
    const isOptional = key === 'cancelled' ? { isOptional: true as const } : {};
    return { key, id: key, label: groupLabel(key, '', context), dropValues: { status }, ...isOptional };
  });
  return { bands, keysOf: ({ task }) => [statusKeys[task.status]] };
}

function priorityBands(): BoardAxis {
  const names = { high: t('High'), medium: t('Medium'), low: t('Low'), none: t('None') };
  const bands = (['high', 'medium', 'low', 'none'] as const).map(
    (key): BoardAxisValue => ({ key, id: key, label: names[key], dropValues: { priority: priorityOf[key] } }),
  );
  return { bands, keysOf: ({ task }) => [bucketOf(task.priority)] };
}

/** The lists of the widget, and others whose tasks the query shows nevertheless. */
function listBands({ lists, setup }: WidgetContext, items: readonly Occurrence[]): BoardAxis {
  const used = new Set(items.map(({ task }) => task.listId));
  const isShown = ({ name, isVisible }: { name: string; isVisible: boolean }) =>
    setup.lists.length > 0 ? setup.lists.includes(name) : isVisible;
  const bands = [...lists.values()]
    .filter(list => used.has(list.id) || isShown(list))
    .map(
      (list): BoardAxisValue => ({
        key: String(list.id),
        id: list.name,
        label: briefName(list.name),
        color: cssColor(list.color),
        ...(list.isReadOnly ? {} : { dropValues: { listId: list.id } }),
      }),
    );
  return { bands, keysOf: ({ task }) => [String(task.listId)] };
}

/** Seven days from today on, the days before and after them, and tasks without a date. */
function dueBands(context: WidgetContext): BoardAxis {
  const { now, style } = context;
  const days = Array.from({ length: daysShown }, (_, at): BoardAxisValue => {
    const day = daysLater(now, at);
    const tone = at === 0 ? { tone: 'accent' as const } : {};
    return { key: day, id: `day${at}`, label: dayHeading(day, context), dropValues: { day }, ...tone };
  });
  const [first, last] = [now, days.at(-1)!.key];
  const overdue: BoardAxisValue = {
    key: 'overdue',
    id: 'overdue',
    label: t('Overdue'),
    tone: 'overdue',
    isOptional: true,
  };
  const later: BoardAxisValue = { key: 'later', id: 'later', label: t('Later'), isOptional: true };
  const none: BoardAxisValue = { key: 'none', id: 'none', label: t('No Date'), dropValues: { day: null } };
  const keyOf = ({ due, task }: Occurrence) => {
    if (due === null) return 'none';
    const day = dayFor(due, task, style);
    return day < first ? 'overdue' : day > last ? 'later' : day;
  };
  return { bands: [overdue, ...days, later, none], keysOf: item => [keyOf(item)] };
}

/** The tags that are named, `board/*` for all that begin so; every tag if none is named. */
function tagBands(context: WidgetContext, items: readonly Occurrence[]): BoardAxis {
  const { engine, setup } = context;
  const known = new Map<string, string>();
  for (const name of [...engine.tags().map(tag => tag.name), ...items.flatMap(({ task }) => task.tags)])
    if (!known.has(foldCase(name))) known.set(foldCase(name), name);
  const bands = new Map<string, BoardAxisValue>();
  const add = (tag: string, label: string) => {
    const key = `#${foldCase(tag)}`;
    // `none` is the column of tasks without a tag.
    const id = key === '#none' ? key : key.slice(1);
    if (!bands.has(key)) bands.set(key, { key, id, label: briefName(label), dropValues: { tag } });
  };
  for (const word of setup.tags.trim() === '' ? ['*'] : setup.tags.split(setup.tags.includes(',') ? ',' : /\s+/)) {
    const name = word.trim().replace(/^#/, '');
    const start = name.endsWith('*') ? foldCase(name.slice(0, -1)) : undefined;
    if (start === undefined && name !== '') add(known.get(foldCase(name)) ?? name, name);
    else
      for (const [key, tag] of known)
        if (start !== undefined && key.startsWith(start)) add(tag, tag.slice(start.length) || tag);
  }
  bands.set('none', { key: 'none', id: 'none', label: t('No value'), dropValues: { tag: null } });
  const keysOf = ({ task }: Occurrence) => {
    const keys = task.tags.map(tag => `#${foldCase(tag)}`).filter(key => bands.has(key));
    return keys.length > 0 ? [...new Set(keys)] : ['none'];
  };
  return { bands: [...bands.values()], keysOf };
}
