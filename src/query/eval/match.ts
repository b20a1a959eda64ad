import { isFromTodo } from '../../core/code/anchors';
import { hashOfUid } from '../../core/code/shortId';
import { isPrivate } from '../../core/fields/privacy';
import { textOfWord } from '../../core/fields/table';
import { estimateOf, textOf } from '../../core/fields/values';
import type { EpochMs, Id, Occurrence, Task } from '../../core/kernel/model';
import { fireTime } from '../../core/reminders/alarms';
import type { Moment } from '../../core/time/dates';
import type { Edge } from '../parse/dateAtom';
import type { BoundTerm, BoundText, Relation } from './bind';
import type { Blockers } from './blockers';
import { civilDay } from './civilDay';

/** The facts that a condition may ask for besides the task itself. */
export interface MatchContext {
  readonly moment: Moment;
  /** Wall time of reminders of all-day tasks, in ms after midnight. */
  readonly allDayAlarm: number;
  readonly isVisible: (task: Task) => boolean;
  task(id: Id): Task | undefined;
  /** Tasks in hand that are neither deleted nor anything but direct children. */
  children(id: Id): readonly Task[];
  blockers(): Blockers;
}

/** True if a line matches the whole condition, with nothing left to SQL. */
export function matches(node: BoundTerm, item: Occurrence, matchContext: MatchContext): boolean {
  const { task } = item;
  switch (node.kind) {
    case 'and':
      return node.nodes.every(part => matches(part, item, matchContext));
    case 'or':
      return node.nodes.some(part => matches(part, item, matchContext));
    case 'not':
      return !matches(node.node, item, matchContext);
    case 'const':
      return node.value;
    case 'instant':
      return within(task[node.column], node.from, node.to);
    case 'civil':
      return liesIn(item[node.column], task, node.from, node.to);
    case 'alarm':
      return alarmTimes(item, matchContext.moment.zone, matchContext.allDayAlarm).some(at =>
        within(at, node.from, node.to),
      );
    case 'overdue':
      return item.isOverdue;
    case 'text':
      return (
        node.texts.some(name => node.needle.test(boundText(task, name))) ||
        (node.tags && task.tags.some(tag => node.needle.test(tag)))
      );
    case 'tag':
      return task.tags.some(tag => node.needle.test(tag));
    case 'lists':
      return node.ids.has(task.listId);
    case 'ids':
      return node.ids.has(task.id);
    case 'number': {
      const value = (node.column === 'estimate' ? estimateOf(task) : task[node.column]) ?? 0;
      return (node.from === undefined || value >= node.from) && (node.to === undefined || value <= node.to);
    }
    case 'status':
      return node.codes.includes(task.status);
    case 'id':
      return hashOfUid(task.uid).startsWith(node.begin);
    case 'repeat': {
      const rule = task.rrule ?? (task.masterId === null ? null : (matchContext.task(task.masterId)?.rrule ?? null));
      const freq = /(?:^|;)\s*FREQ\s*=\s*([A-Z]+)/i.exec(rule ?? '')?.[1]?.toUpperCase();
      if (node.value === 'hourly') return freq === 'HOURLY' || freq === 'MINUTELY' || freq === 'SECONDLY';
      return freq === node.value.toUpperCase();
    }
    case 'relative':
      return relativesOf(task, node.relation, matchContext).some(
        ({ title, uid }) =>
          node.needle.test(title ?? '') || (node.begin !== undefined && hashOfUid(uid).startsWith(node.begin)),
      );
    case 'blocked':
      return !task.isDeleted && matchContext.blockers().isBlocked(task);
    case 'flag':
      return flag(node.flag, task);
    case 'has':
      return has(node.value, item, matchContext);
  }
}

const boundText = (task: Task, name: BoundText): string => (name === 'uid' ? task.uid : (textOf(task, name) ?? ''));

const within = (value: number | null, from: number | undefined, to: number | undefined): boolean =>
  value !== null && (from === undefined || value >= from) && (to === undefined || value < to);

/** Compares a stored date with edges of its own coding. */
function liesIn(value: number | null, task: Task, from: Edge | undefined, to: Edge | undefined): boolean {
  if (value === null) return false;
  if (task.isAllDay) return within(civilDay(value, task), from?.allDay, to?.allDay);
  if (task.timezone === null) return within(value, from?.floating, to?.floating);
  return within(value, from?.instant, to?.instant);
}

function relativesOf(task: Task, relation: Relation, matchContext: MatchContext): readonly Task[] {
  if (relation === 'after') return matchContext.blockers().of(task);
  if (relation === 'blocks') return matchContext.blockers().dependentsOf(task);
  if (relation === 'child') return matchContext.children(task.masterId ?? task.id);
  const parent = task.parentId === null ? undefined : matchContext.task(task.parentId);
  return parent && !parent.isDeleted ? [parent] : [];
}

function flag(name: Extract<BoundTerm, { kind: 'flag' }>['flag'], task: Task): boolean {
  switch (name) {
    case 'allday':
      return task.isAllDay && (task.due !== null || task.dtstart !== null);
    case 'recurring':
      return repeats(task);
    case 'dirty':
      return task.isDirty;
    case 'deleted':
      return task.isDeleted;
    case 'private':
      return isPrivate(task);
    case 'todo':
      return isFromTodo(task);
  }
}

const repeats = (task: Task) => task.rrule !== null || task.rdate !== null || task.masterId !== null;

function has(
  property: Extract<BoundTerm, { kind: 'has' }>['value'],
  item: Occurrence,
  matchContext: MatchContext,
): boolean {
  const { task } = item;
  switch (property) {
    case 'due':
      return item.due !== null;
    case 'start':
      return item.dtstart !== null;
    case 'done':
      return task.completedAt !== null;
    case 'created':
      return task.createdAt !== null;
    case 'modified':
      return task.lastModified !== null;
    case 'alarm':
      return task.alarms.length > 0;
    case 'child':
      return matchContext.children(task.masterId ?? task.id).length > 0;
    case 'parent':
      return task.parentId !== null;
    case 'after':
    case 'blocks':
      return relativesOf(task, property, matchContext).length > 0;
    case 'repeat':
      return repeats(task);
    case 'priority':
      return task.priority !== 0;
    case 'progress':
      return task.percentComplete !== null;
    case 'tag':
      return task.tags.length > 0;
    default:
      return (textOf(task, textOfWord[property]) ?? '').trim() !== '';
  }
}

/** When the reminders of a line fire; an all-day reference does so at `allDayAlarm` (ms after midnight) of its day. */
function alarmTimes({ task, due, dtstart }: Occurrence, zone: string, allDayAlarm: number): EpochMs[] {
  const coding = task.isAllDay ? { isAllDay: true, timezone: null } : task;
  const coded = (value: number | null) => (value !== null && task.isAllDay ? civilDay(value, task) : value);
  return task.alarms.flatMap(alarm => fireTime(alarm, coding, coded(dtstart), coded(due), zone, allDayAlarm) ?? []);
}
