import { Temporal } from 'temporal-polyfill';
import { hashOfUid } from '../../../src/core/code/shortId';
import { numberOfWord, textOfWord } from '../../../src/core/fields/table';
import { textOf } from '../../../src/core/fields/values';
import type { Task } from '../../../src/core/kernel/model';
import { occurrencesOf } from '../../../src/core/recurrence/instances';
import { RuleBudget } from '../../../src/core/recurrence/ruleBudget';
import { parseDuration } from '../../../src/core/time/dates';
import type { QueryContext, TaskSource } from '../../../src/query/eval/context';
import { isSeries, nextOf } from '../../../src/query/eval/series';
import type { DateAtom } from '../../../src/query/parse/dateAtom';
import { parseQuery } from '../../../src/query/parse/parser';
import type { DateTest, HasValue, Node, Term, TextTest } from '../../../src/query/parse/syntax';

type TextWord = Exclude<keyof typeof textOfWord, keyof typeof numberOfWord>;
const isText = (word: HasValue): word is TextWord => word in textOfWord && !(word in numberOfWord);

/**
 * The second way to an answer: every row is looked at, dates are civil days and Temporal's values, nothing is shared
 * with the SQL path but the parser and the next occurrence of a series.
 */
export function naiveIds(source: TaskSource, text: string, context: QueryContext): number[] {
  const query = parseQuery(text);
  const naive = new Naive(source, context);
  const terms: Term[] = [];
  (function collect(node: Node | undefined): void {
    if (!node) return;
    if (node.kind === 'and' || node.kind === 'or') node.nodes.forEach(collect);
    else if (node.kind === 'not') collect(node.node);
    else terms.push(node);
  })(query.root);
  const is = (...values: string[]) => terms.some(term => term.kind === 'is' && values.includes(term.value));
  const closedToo =
    query.show.includes('done') ||
    is('done', 'cancelled', 'deleted') ||
    terms.some(
      term =>
        term.kind === 'status' ||
        term.kind === 'id' ||
        (term.kind === 'date' && term.field === 'done') ||
        (term.kind === 'has' && term.value === 'done' && term.isPresent),
    );
  const named = terms.flatMap(term =>
    term.kind === 'name' && term.field === 'list' && term.test.how === 'equals' ? [plain(term.test.text)] : [],
  );
  const found: number[] = [];
  const isFound = (line: FilterRow) => {
    const list = source.lists().find(each => each.id === line.task.listId)!;
    if (!list.isVisible && !named.includes(plain(list.name))) return false;
    if (line.task.isDeleted && !is('deleted')) return false;
    if (!closedToo && line.task.status > 1) return false;
    return !query.root || naive.test(query.root, line);
  };
  for (const line of naive.lines()) {
    const first = naive.ownFirst(line.task);
    if (isFound(line) && !(first && isFound(first))) found.push(line.task.id);
  }
  return found.sort((a, b) => a - b);
}

interface FilterRow {
  task: Task;
  due: number | null;
  dtstart: number | null;
}

/** Lower case without accents, by another road than the code under test. */
const plain = (text: string) =>
  [...text.normalize('NFD')]
    .filter(char => !/\p{M}/u.test(char))
    .join('')
    .toLocaleLowerCase('en')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ');

/** The minutes in a line as the tests write it; others say nothing. */
const estimate = (task: Task) =>
  Number(/"ESTIMATED-DURATION:PT([1-9]\d*)M"/.exec(task.unknownProperties ?? '')?.[1] ?? 0);

class Naive {
  readonly rows: Map<number, Task>;
  readonly zone: string;
  readonly hour: number;

  constructor(
    readonly source: TaskSource,
    readonly context: QueryContext,
  ) {
    this.rows = new Map(source.selectTasks('1').map(task => [task.id, task]));
    this.zone = context.clock.timeZone;
    this.hour = context.settings.dayStartHour;
  }

  *lines(): Generator<FilterRow> {
    for (const task of this.rows.values()) {
      const master = task.masterId === null || task.recurrenceId === null ? undefined : this.rows.get(task.masterId);
      const live = (row: Task) => isSeries(row) && row.status < 2 && !row.isDeleted;
      if (master && (master.isDeleted || task.isDeleted || (live(master) && task.status < 2))) continue;
      if (!live(task)) {
        yield { task, dtstart: task.dtstart, due: task.due ?? this.end(task) };
        continue;
      }
      const next = nextOf(task, this.overridesOf(task), this.zone);
      if (next) yield next;
    }
  }

  overridesOf = ({ id }: Task): Task[] => [...this.rows.values()].filter(row => row.masterId === id && !row.isDeleted);

  /** The row of its own that the first occurrence of a closed series has. */
  ownFirst(task: Task): FilterRow | undefined {
    if (task.status < 2) return undefined;
    const first = this.first(task);
    const row = this.overridesOf(task).find(
      ({ recurrenceId }) => Math.floor(recurrenceId! / 1000) === Math.floor(first / 1000),
    );
    return row && { task: row, dtstart: row.dtstart, due: row.due ?? this.end(row) };
  }

  /** The first occurrence of a series that is not deleted; a rule that has none is the task itself. */
  first(task: Task): number {
    if (!isSeries(task) || task.isDeleted) return Number.NaN;
    const [first] = occurrencesOf(task, { zone: this.zone, limit: 1, allowance: new RuleBudget().allowance() });
    return first?.recurrenceId ?? task.dtstart ?? task.due ?? Number.NaN;
  }

  end({ dtstart, duration, timezone }: Task): number | null {
    const parsed = duration === null ? undefined : parseDuration(duration);
    if (dtstart === null || !parsed) return null;
    return Temporal.Instant.fromEpochMilliseconds(dtstart)
      .toZonedDateTimeISO(timezone ?? 'UTC')
      .add({ days: parsed.days, milliseconds: parsed.ms }).epochMilliseconds;
  }

  test(node: Node, line: FilterRow): boolean {
    switch (node.kind) {
      case 'and':
        return node.nodes.every(part => this.test(part, line));
      case 'or':
        return node.nodes.some(part => this.test(part, line));
      case 'not':
        return !this.test(node.node, line);
      default:
        return this.term(node, line);
    }
  }

  term(term: Term, line: FilterRow): boolean {
    const { task } = line;
    const children = () =>
      [...this.rows.values()].filter(row => row.parentId === (task.masterId ?? task.id) && !row.isDeleted);
    const parent = task.parentId === null ? undefined : this.rows.get(task.parentId);
    const list = this.source.lists().find(each => each.id === task.listId)!;
    const account = this.source.accounts().find(each => each.id === list.accountId);
    switch (term.kind) {
      case 'is':
        switch (term.value) {
          case 'open':
            return task.status < 2;
          case 'done':
            return task.status === 2;
          case 'cancelled':
            return task.status === 3;
          case 'started':
            return task.status === 1;
          case 'overdue':
            return task.status < 2 && !task.isDeleted && this.compare(line.due, task, { op: '<', at: { kind: 'now' } });
          case 'allday':
            return task.isAllDay && (task.due ?? task.dtstart) !== null;
          case 'recurring':
            return Boolean(task.rrule ?? task.rdate ?? task.masterId);
          case 'subtask':
            return task.parentId !== null;
          case 'root':
            return task.parentId === null;
          case 'parent':
            return children().length > 0;
          case 'dirty':
            return task.isDirty;
          case 'deleted':
            return task.isDeleted;
          case 'readonly':
            return list.isReadOnly;
          case 'private':
            return (task.classification ?? 0) > 0;
          case 'active':
            return this.context.active?.().has(task.id) ?? false;
          case 'snoozed':
            return this.context.snoozed?.has(task.id) ?? false;
          case 'blocked':
            return this.isBlocked(task);
          case 'ready':
            return task.status < 2 && !this.isBlocked(task);
          case 'claimed':
            return this.context.claimed?.().has(task.id) ?? false;
          case 'conflicted':
            return this.context.conflicted?.has(task.id) ?? false;
        }
        break;
      case 'has': {
        if (term.value === 'link') break;
        if (isText(term.value)) return /\S/.test(textOf(task, textOfWord[term.value]) ?? '') === term.isPresent;
        const present: Record<Exclude<HasValue, 'link' | TextWord>, () => boolean> = {
          due: () => line.due !== null,
          start: () => line.dtstart !== null,
          done: () => task.completedAt !== null,
          created: () => task.createdAt !== null,
          modified: () => task.lastModified !== null,
          tag: () => task.tags.length > 0,
          alarm: () => task.alarms.length > 0,
          child: () => children().length > 0,
          parent: () => task.parentId !== null,
          after: () => this.blockersOf(task).length > 0,
          blocks: () => this.dependents(task).length > 0,
          repeat: () => Boolean(task.rrule ?? task.rdate ?? task.masterId),
          priority: () => task.priority > 0,
          progress: () => task.percentComplete !== null,
          est: () => estimate(task) > 0,
          account: () => account !== undefined,
        };
        return present[term.value]() === term.isPresent;
      }
      case 'date': {
        const utc = { ...task, timezone: 'UTC', isAllDay: false };
        switch (term.field) {
          case 'due':
            return this.compare(line.due, task, term.test);
          case 'start':
            return this.compare(line.dtstart, task, term.test);
          case 'done':
            return this.compare(task.completedAt, utc, term.test);
          case 'created':
            return this.compare(task.createdAt, utc, term.test);
          case 'modified':
            return this.compare(task.lastModified, utc, term.test);
          case 'alarm':
            return this.alarms(line).some(at => this.compare(at, utc, term.test));
        }
        break;
      }
      case 'text': {
        const { title, description, tags, uid } = task;
        const own = () => (term.field === 'uid' ? uid : textOf(task, textOfWord[term.field!]));
        const texts = term.field === undefined ? [title, description, ...tags] : [own()];
        return texts.some(text => isMatch(text ?? '', term.test));
      }
      case 'name':
        switch (term.field) {
          case 'tag':
            return task.tags.some(tag => isMatch(tag, term.test));
          case 'list':
            return (
              isMatch(list.name, term.test) ||
              (account !== undefined && isMatch(`${account.displayName}/${list.name}`, term.test))
            );
          case 'account':
            return isMatch(account?.displayName ?? '', term.test);
          case 'parent':
            return parent !== undefined && !parent.isDeleted && isCalled(parent, term.test);
          case 'after':
            return this.blockersOf(task).some(other => isCalled(other, term.test));
          case 'blocks':
            return this.dependents(task).some(other => isCalled(other, term.test));
          case 'claimed':
            return isMatch(this.context.claimed?.().get(task.id) ?? '', term.test);
          case 'child':
            return children().some(child => isCalled(child, term.test));
        }
        break;
      case 'number': {
        const values = { priority: task.priority, progress: task.percentComplete ?? 0, est: estimate(task) };
        const value = values[term.field];
        return value >= (term.from ?? 0) && value <= (term.to ?? 1e9);
      }
      case 'status':
        return term.codes.includes(task.status);
      case 'id':
        return hashOfUid(task.uid).startsWith(term.begin);
      case 'repeat': {
        const rule = task.rrule ?? (task.masterId === null ? '' : (this.rows.get(task.masterId)?.rrule ?? ''));
        return rule.includes(`FREQ=${term.value.toUpperCase()}`);
      }
      case 'source':
        return (task.unknownProperties ?? '').includes(';SOURCE=TODO:');
      case 'sync':
        if (term.value === 'pending') return account !== undefined && task.isDirty;
        if (term.value === 'clean') return account !== undefined && !task.isDirty;
        return term.value === 'local' && account === undefined;
    }
    const unknown: 'has' | 'in' | 'link' = term.kind;
    throw new Error(`Not known here: ${unknown}`);
  }

  /** Lines of the one form that the tests write. */
  uidsOf(task: Task): string[] {
    const series = task.masterId === null ? task : this.rows.get(task.masterId)!;
    const lines: string[] = JSON.parse(series.unknownProperties ?? '[]');
    const found = lines.flatMap(line => /^RELATED-TO;RELTYPE=DEPENDS-ON:(.*)$/.exec(line)?.[1] ?? []);
    return found.filter(uid => uid !== series.uid);
  }

  blockersOf(task: Task): Task[] {
    return this.uidsOf(task).flatMap(uid => this.masters().filter(row => row.uid === uid));
  }

  dependents(task: Task): Task[] {
    return this.masters().filter(row => this.uidsOf(row).includes(task.uid));
  }

  masters(): Task[] {
    return [...this.rows.values()].filter(row => row.masterId === null && !row.isDeleted);
  }

  isBlocked(task: Task): boolean {
    const waits = !task.isDeleted && task.status < 2;
    return waits && this.blockersOf(task).some(({ status }) => status < 2);
  }

  alarms({ task, due, dtstart }: FilterRow): number[] {
    return task.alarms.flatMap(({ reference, minutesBefore }) => {
      const value = reference === 'START' ? (dtstart ?? due) : (due ?? dtstart);
      if (value === null) return [];
      if (task.isAllDay) {
        const days = Math.floor(minutesBefore / 1440);
        const day = this.date(value, task)
          .subtract({ days })
          .toZonedDateTime({ timeZone: this.zone, plainTime: '09:00' });
        return [day.subtract({ minutes: minutesBefore - days * 1440 }).epochMilliseconds];
      }
      const at = task.timezone === null ? this.wall(value, task).toZonedDateTime(this.zone).epochMilliseconds : value;
      return [at - minutesBefore * 60_000];
    });
  }

  /** The user's wall clock at a value. */
  wall(value: number, task: Pick<Task, 'timezone'>): Temporal.PlainDateTime {
    const zone = task.timezone === null ? 'UTC' : this.zone;
    return Temporal.Instant.fromEpochMilliseconds(value).toZonedDateTimeISO(zone).toPlainDateTime();
  }

  date(value: number, task: Pick<Task, 'timezone' | 'isAllDay'>): Temporal.PlainDate {
    if (task.isAllDay)
      return Temporal.Instant.fromEpochMilliseconds(value)
        .toZonedDateTimeISO(task.timezone ?? 'UTC')
        .toPlainDate();
    const wall = this.wall(value, task);
    return (task.timezone === null ? wall : wall.subtract({ hours: this.hour })).toPlainDate();
  }

  get now(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(this.context.clock.now());
  }

  get today(): Temporal.PlainDate {
    return this.date(this.context.clock.now(), { timezone: 'UTC', isAllDay: false });
  }

  compare(value: number | null, task: Pick<Task, 'timezone' | 'isAllDay'>, test: DateTest): boolean {
    if (value === null) return false;
    const beforeStart = (atom: DateAtom) => this.side(value, task, atom) < 0;
    const afterEnd = (atom: DateAtom) => this.side(value, task, atom) > 0;
    switch (test.op) {
      case '<':
        return beforeStart(test.at);
      case '<=':
        return !afterEnd(test.at);
      case '>':
        return afterEnd(test.at);
      case '>=':
        return !beforeStart(test.at);
      case '=':
        return !beforeStart(test.at) && !afterEnd(test.at);
      case '..':
        return !(test.from && beforeStart(test.from)) && !(test.to && afterEnd(test.to));
    }
  }

  /** -1 before the span of the atom, 0 in it, 1 after it. */
  side(value: number, task: Pick<Task, 'timezone' | 'isAllDay'>, atom: DateAtom): number {
    const point = this.point(atom);
    if (point) {
      const [at, length] = point;
      if (task.isAllDay)
        return Temporal.PlainDate.compare(this.date(value, task), this.date(at, { timezone: 'UTC', isAllDay: false }));
      const own =
        task.timezone === null ? Number(this.wall(value, task).toZonedDateTime('UTC').epochMilliseconds) : value;
      const mine =
        task.timezone === null ? this.wall(at, { timezone: 'UTC' }).toZonedDateTime('UTC').epochMilliseconds : at;
      return own < mine ? -1 : own >= mine + length ? 1 : 0;
    }
    const [first, last] = this.days(atom);
    const day = this.date(value, task);
    if (Temporal.PlainDate.compare(day, first) < 0) return -1;
    return Temporal.PlainDate.compare(day, last) > 0 ? 1 : 0;
  }

  point(atom: DateAtom): [at: number, length: number] | undefined {
    if (atom.kind === 'now') return [this.now.epochMilliseconds, 1];
    if (atom.kind === 'offset' && atom.unit === 'h')
      return [this.now.add({ hours: atom.amount }).epochMilliseconds, 60_000];
    if (atom.kind !== 'minute') return undefined;
    const wall = Temporal.Instant.fromEpochMilliseconds(atom.wall).toZonedDateTimeISO('UTC').toPlainDateTime();
    return [wall.toZonedDateTime(this.zone).epochMilliseconds, 60_000];
  }

  days(atom: DateAtom): [first: Temporal.PlainDate, last: Temporal.PlainDate] {
    const { today } = this;
    const one = (day: Temporal.PlainDate): [Temporal.PlainDate, Temporal.PlainDate] => [day, day];
    const from = (day: string) => Temporal.PlainDate.from(day);
    const week = today.subtract({ days: today.dayOfWeek - 1 });
    const month = today.with({ day: 1 });
    switch (atom.kind) {
      case 'offset': {
        const unit = ({ d: 'days', w: 'weeks', m: 'months', y: 'years' } as const)[atom.unit as 'd'];
        return one(today.add({ [unit]: atom.amount }));
      }
      case 'weekday': {
        let day = atom.which === 'coming' ? today : today.add({ days: atom.which === 'next' ? 1 : -1 });
        while (day.dayOfWeek % 7 !== atom.weekday) day = day.add({ days: atom.which === 'last' ? -1 : 1 });
        return one(day);
      }
      case 'period': {
        if (atom.unit === 'week') return [week.add({ weeks: atom.offset }), week.add({ weeks: atom.offset, days: 6 })];
        const first =
          atom.unit === 'month'
            ? month.add({ months: atom.offset })
            : today.with({ day: 1, month: 1 }).add({ years: atom.offset });
        return [first, first.add({ [`${atom.unit}s`]: 1 }).subtract({ days: 1 })];
      }
      case 'end':
        return one(atom.of === 'week' ? week.add({ days: 6 }) : month.add({ months: 1 }).subtract({ days: 1 }));
      case 'day':
        return one(from(atom.day));
      case 'month':
        return [from(atom.first), from(atom.first).add({ months: 1 }).subtract({ days: 1 })];
      case 'isoWeek':
        return [from(atom.monday), from(atom.monday).add({ days: 6 })];
      case 'year':
        return [from(`${atom.year}-01-01`), from(`${atom.year}-12-31`)];
      default:
        throw new Error(atom.kind);
    }
  }
}

function isMatch(text: string, test: TextTest): boolean {
  if (test.how === 'regex') return test.regex.test(text);
  const needle = plain(test.text);
  const given = plain(text);
  if (test.how === 'equals') return given === needle;
  return test.how === 'prefix' ? given.startsWith(needle) : given.includes(needle);
}

const isCalled = ({ title, uid }: Task, test: TextTest): boolean =>
  isMatch(title ?? '', test) ||
  (test.how === 'equals' && test.text.startsWith('dl-') && hashOfUid(uid).startsWith(test.text.slice(3)));
