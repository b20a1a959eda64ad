import { todoSource } from '../../core/code/anchors';
import { isTextColumn, type TextName, textFacts, textOfWord } from '../../core/fields/table';
import { momentOf } from '../../core/time/dates';
import type { Edge } from '../parse/dateAtom';
import type { BoundQuery, BoundTerm, BoundText, TextPattern } from './bind';
import { mayDependSql } from './blockers';
import { isAscii } from './foldCase';
import {
  allBounds,
  always,
  anyBounds,
  anyOf,
  atMost,
  type Bounds,
  exactly,
  inSet,
  linesHave,
  never,
  notBounds,
  type Sql,
  sql,
} from './sql';

/**
 * Rows whose stored dates are the ones the user sees. The others (series, whose next occurrence counts; due worked out
 * from a duration; all-day dates stored as instants) are left to the code.
 */
export const plainRow =
  't.rrule IS NULL AND t.rdate IS NULL AND (t.due IS NOT NULL OR t.duration IS NULL OR t.dtstart IS NULL) ' +
  'AND (t.is_all_day = 0 OR t.timezone IS NULL)';

/** Rows that are a line of their own: not an open occurrence of a living series, nor part of a deleted one. */
export const ownRow =
  't.master_id IS NULL OR t.recurrence_id IS NULL OR NOT EXISTS (SELECT 1 FROM tasks m WHERE m.id = t.master_id AND (m.is_deleted = 1 ' +
  'OR t.is_deleted = 1 OR (t.status IN (0, 1) AND m.status IN (0, 1) AND (m.rrule IS NOT NULL OR m.rdate IS NOT NULL))))';

/** Series of which one occurrence was changed: its values count, which are in another row. */
export const changedSeries = 't.id IN (SELECT o.master_id FROM tasks o WHERE o.master_id IS NOT NULL)';

const columns: Readonly<Record<string, string>> = {
  completedAt: 'completed_at',
  createdAt: 'created_at',
  lastModified: 'last_modified',
  percentComplete: 'percent_complete',
};
const unknown = atMost(always);

/** `plain` if the row is a {@link plainRow}; otherwise the bounds do not restrict its dates. */
export function boundsOf(node: BoundTerm, query: BoundQuery, plain: boolean): Bounds {
  const part = (inner: BoundTerm) => boundsOf(inner, query, plain);
  switch (node.kind) {
    case 'and':
      return allBounds(node.nodes.map(part));
    case 'or':
      return anyBounds(node.nodes.map(part));
    case 'not':
      return notBounds(part(node.node));
    case 'const':
      return exactly(node.value ? always : never);
    case 'instant': {
      const column = `t.${columns[node.column]}`;
      return exactly(between(column, node.from, node.to));
    }
    case 'civil':
      return plain ? exactly(civil(`t.${node.column}`, node.from, node.to)) : unknown;
    case 'alarm':
      return atMost(hasAlarm);
    case 'overdue':
      return plain ? exactly(overdue(query)) : unknown;
    case 'text':
      return anyBounds([
        ...node.texts.map(name => boundText(name, node.needle)),
        ...(node.tags ? [tagText(node.needle)] : []),
      ]);
    case 'tag':
      return tagText(node.needle);
    case 'lists':
      return exactly(node.ids.size === 0 ? never : inSet('t.list_id', node.ids));
    case 'ids':
      return exactly(node.ids.size === 0 ? never : inSet('t.id', node.ids));
    case 'number': {
      // Zero is in no range of these, which a task without the line would have.
      if (node.column === 'estimate') return atMost(hasLine(node.column));
      const column = `COALESCE(t.${columns[node.column] ?? node.column}, 0)`;
      return exactly(between(column, node.from, node.to === undefined ? undefined : node.to + 1));
    }
    case 'status':
      return exactly(sql(`t.status IN (${node.codes.join(', ')})`));
    case 'id':
      return unknown;
    case 'repeat': {
      const words = node.value === 'hourly' ? ['HOURLY', 'MINUTELY', 'SECONDLY'] : [node.value.toUpperCase()];
      const like = words.map(() => `IFNULL(t.rrule, '') LIKE ?`).join(' OR ');
      return atMost(sql(`t.master_id IS NOT NULL OR ${like}`, ...words.map(word => `%${word}%`)));
    }
    case 'relative':
      return ofVisible(query, relative(node));
    case 'blocked':
      return depends;
    case 'flag':
      return flag(node.flag);
    case 'has':
      return node.value === 'child' ? ofVisible(query, hasChild) : hasBounds(node.value, plain);
  }
}

/** SQL counts relatives that are hidden. */
const ofVisible = ({ context }: BoundQuery, bounds: Bounds): Bounds =>
  context.isVisible ? atMost(bounds.upper) : bounds;

const hasChild = exactly(
  sql('EXISTS (SELECT 1 FROM tasks r WHERE r.parent_id = COALESCE(t.master_id, t.id) AND r.is_deleted = 0)'),
);

function between(column: string, from: number | undefined, to: number | undefined): Sql {
  const parts = [`${column} IS NOT NULL`];
  const params: number[] = [];
  if (from !== undefined) {
    parts.push(`${column} >= ?`);
    params.push(from);
  }
  if (to !== undefined) {
    parts.push(`${column} < ?`);
    params.push(to);
  }
  return sql(parts.join(' AND '), ...params);
}

function civil(column: string, from: Edge | undefined, to: Edge | undefined): Sql {
  const instant = between(column, from?.instant, to?.instant);
  const floating = between(column, from?.floating, to?.floating);
  const allDay = between(column, from?.allDay, to?.allDay);
  return sql(
    `CASE WHEN t.timezone IS NOT NULL THEN ${instant.text} WHEN t.is_all_day = 1 THEN ${allDay.text} ELSE ${floating.text} END`,
    ...instant.params,
    ...allDay.params,
    ...floating.params,
  );
}

function overdue({ context }: BoundQuery): Sql {
  const { now, civilNow, today } = momentOf(context.clock, context.settings.dayStartHour);
  const passed =
    't.due IS NOT NULL AND t.due < CASE WHEN t.timezone IS NOT NULL THEN ? WHEN t.is_all_day = 1 THEN ? ELSE ? END';
  return sql(`t.status IN (0, 1) AND ${passed}`, now, today.civilStart, civilNow);
}

const hasAlarm = sql('EXISTS (SELECT 1 FROM task_alarms a WHERE a.task_id = t.id)');

/** True if there is a character beyond ASCII, whose case and accents SQL cannot fold. A pattern would take longer. */
const isForeign = (value: string) => sql(`octet_length(${value}) <> length(${value})`);

/** LIKE ignores case in ASCII alone, so it decides if the text is ASCII; other text is left to the code. */
function text(column: string, { how, text: needle }: TextPattern): Bounds {
  if (how === 'regex' || needle === '') return unknown;
  const value = `IFNULL(${column}, '')`;
  if (!isAscii(needle)) return atMost(isForeign(value));
  const like = sql(`${value} LIKE ? ESCAPE '\\'`, pattern(needle, how));
  return atMost(anyOf([isForeign(value), like]), like);
}

/** A text in a line is left to the code, if there is a line. */
function boundText(name: BoundText, needle: TextPattern): Bounds {
  if (name === 'uid' || isTextColumn(name)) return text(`t.${name}`, needle);
  return needle.how === 'regex' || needle.text === '' ? unknown : atMost(hasLine(name));
}

const hasLine = (name: TextName) => sql(`IFNULL(t.unknown_properties, '') LIKE ?`, `%${textFacts[name].property}%`);

const escapeLike = (needle: string) => needle.replace(/[\\%_]/g, '\\$&');

function pattern(needle: string, how: 'contains' | 'equals' | 'prefix'): string {
  return `${how === 'contains' ? '%' : ''}${escapeLike(needle)}${how === 'equals' ? '' : '%'}`;
}

/** Tags are in one column, escaped and joined by commas. */
function tagText({ how, text: needle }: TextPattern): Bounds {
  const some = sql(`t.categories <> ''`);
  if (how === 'regex' || needle === '' || /[\\,;\s]/.test(needle)) return atMost(some);
  if (!isAscii(needle)) return atMost(isForeign('t.categories'));
  const like = sql(`t.categories LIKE ? ESCAPE '\\'`, pattern(needle, 'contains'));
  const upper = anyOf([isForeign('t.categories'), like]);
  if (how !== 'equals') return atMost(upper);
  const whole = `(',' || t.categories || ',') LIKE ? ESCAPE '\\' AND instr(t.categories, '\\') = 0`;
  return atMost(upper, sql(whole, `%,${escapeLike(needle)},%`));
}

/** The dependencies of a series also apply to its changed occurrences, whose rows do not have them. */
const depends = atMost(sql(`t.master_id IS NOT NULL OR ${mayDependSql}`));

/** If no task depends on any, none blocks one. */
const blocks = atMost(sql(`EXISTS (SELECT 1 FROM tasks r WHERE ${mayDependSql.replace('t.', 'r.')})`));

function relative({ relation, needle, begin }: Extract<BoundTerm, { kind: 'relative' }>): Bounds {
  if (relation === 'after') return depends;
  if (relation === 'blocks') return blocks;
  const link = relation === 'parent' ? 'r.id = t.parent_id' : 'r.parent_id = COALESCE(t.master_id, t.id)';
  const { upper, lower } = begin === undefined ? text('r.title', needle) : unknown;
  const wrap = (inner: Sql) =>
    inner === never
      ? never
      : sql(`EXISTS (SELECT 1 FROM tasks r WHERE ${link} AND r.is_deleted = 0 AND (${inner.text}))`, ...inner.params);
  return atMost(wrap(upper), wrap(lower));
}

function flag(name: Extract<BoundTerm, { kind: 'flag' }>['flag']): Bounds {
  switch (name) {
    case 'allday':
      return exactly(sql('t.is_all_day = 1 AND (t.due IS NOT NULL OR t.dtstart IS NOT NULL)'));
    case 'recurring':
      return exactly(repeats);
    case 'dirty':
      return exactly(sql('t.is_dirty = 1'));
    case 'deleted':
      return exactly(sql('t.is_deleted = 1'));
    case 'private':
      return exactly(sql('COALESCE(t.classification, 0) IN (1, 2)'));
    case 'todo':
      return atMost(sql(linesHave(todoSource)));
  }
}

const repeats = sql('t.rrule IS NOT NULL OR t.rdate IS NOT NULL OR t.master_id IS NOT NULL');

function hasBounds(property: Exclude<Extract<BoundTerm, { kind: 'has' }>['value'], 'child'>, plain: boolean): Bounds {
  switch (property) {
    case 'due':
      return plain ? exactly(sql('t.due IS NOT NULL')) : unknown;
    case 'start':
      return plain ? exactly(sql('t.dtstart IS NOT NULL')) : unknown;
    case 'done':
      return exactly(sql('t.completed_at IS NOT NULL'));
    case 'created':
      return exactly(sql('t.created_at IS NOT NULL'));
    case 'modified':
      return exactly(sql('t.last_modified IS NOT NULL'));
    case 'alarm':
      return exactly(hasAlarm);
    case 'parent':
      return exactly(sql('t.parent_id IS NOT NULL'));
    case 'after':
      return depends;
    case 'blocks':
      return blocks;
    case 'repeat':
      return exactly(repeats);
    case 'priority':
      return exactly(sql('t.priority <> 0'));
    case 'progress':
      return exactly(sql('t.percent_complete IS NOT NULL'));
    case 'tag':
      return atMost(sql(`t.categories <> ''`), sql(`t.categories GLOB '[A-Za-z0-9]*'`));
    default: {
      const name = textOfWord[property];
      if (!isTextColumn(name)) return atMost(hasLine(name));
      const value = `IFNULL(t.${name}, '')`;
      return atMost(sql(`${value} <> ''`), sql(`${value} GLOB '*[!-~]*'`));
    }
  }
}
