import { readEstimate } from '../fields/estimate';
import { type CsvColumn, taskFields, textFacts, textNames } from '../fields/table';
import { decodeTags, encodeTags } from '../fields/tags';
import { columnsIn, type Texts, textOf } from '../fields/values';
import type { Message } from '../kernel/message';
import type { AlarmInput, AlarmReference, StatusCode, Task } from '../kernel/model';
import { parseRepeat, parseWhen } from '../quickAdd/when';
import { checkRule } from '../recurrence/rrule';
import { type Column, columns, columnsOfHeader } from './csvColumns';
import { formatCsv, guard, namedSeparator, parseCsv, separatorOf, unguard } from './csvText';
import {
  dateColumns,
  floatingZone,
  type IsoDate,
  isoOf,
  momentOfText,
  parseIsoDate,
  withWholeHour,
  writeDate,
} from './dateText';
import { parentUidOf, treeOf } from './fields';
import { ImportCollector } from './importCollector';
import { importMessage } from './messages';
import { StableUids } from './stableUid';
import { readTodoist } from './todoistCsv';
import type { ExportContext, ImportContext, ImportedFields, ImportedTask, ImportResult } from './types';

const statusNames = ['needs-action', 'in-process', 'completed', 'cancelled'] as const;

export function writeCsv(tasks: readonly Task[], context: ExportContext): string {
  const known = new Map(tasks.map(task => [task.id, task]));
  const zone = context.clock.timeZone;
  const rows = treeOf(tasks).map(({ task }) => {
    const instant = (value: number | null) => (value === null ? '' : `${isoOf(value)}Z`);
    const cells: Record<Column, string> = {
      ...textCells(task),
      due: task.due === null ? '' : writeDate(task.due, task, zone),
      start: task.dtstart === null ? '' : writeDate(task.dtstart, task, zone),
      priority: String(task.priority),
      tags: encodeTags(task.tags),
      status: statusNames[task.status],
      percent: task.percentComplete === null ? '' : String(task.percentComplete),
      list: context.listName?.(task.listId) ?? '',
      repeat: task.rrule ?? '',
      duration: task.duration ?? '',
      reminders: task.alarms.map(({ reference, minutesBefore }) => `${reference}:${minutesBefore}`).join(';'),
      timezone: task.timezone ?? (task.isAllDay || (task.due ?? task.dtstart) === null ? '' : floatingZone),
      created: instant(task.createdAt),
      completed: instant(task.completedAt),
      parent: parentUidOf(task, known, context) ?? '',
      uid: task.uid,
    };
    return columns.map(column => guard(cells[column]));
  });
  return formatCsv([columns, ...rows]);
}

const textCells = (task: Task) =>
  Object.fromEntries(textNames.map(name => [textFacts[name].csv, textOf(task, name) ?? ''])) as Record<
    CsvColumn,
    string
  >;

export function readCsv(text: string, context: ImportContext): ImportResult {
  const source = text.replace(/^\ufeff/, '');
  const named = namedSeparator(source);
  const records = parseCsv(source, named ?? separatorOf(source));
  if (named !== undefined) records.next();
  const header = records.next().value;
  if (!header) return { tasks: [], skipped: [importMessage('emptyFile')], left: 1, partly: 0 };
  const names = header.cells.map(cell => cell.trim());
  if (names.some(name => /^type$/i.test(name)) && names.some(name => /^content$/i.test(name))) {
    return readTodoist(names, records, context);
  }
  const indexes = columnsOfHeader(names);
  if (!indexes.has('title')) {
    return {
      tasks: [],
      skipped: [importMessage('noTitleColumn', header.line, names.join('”, “').slice(0, 200))],
      left: 1,
      partly: 0,
    };
  }
  const uids = new StableUids(context.listKey);
  const collector = new ImportCollector();
  const partly = new Set<number>();
  let left = 0;
  for (const { cells, line } of records) {
    const get = (column: Column) => {
      const index = indexes.get(column);
      return index === undefined ? undefined : unguard(cells[index] ?? '');
    };
    const title = get('title') ?? '';
    if (title.trim() === '' && !get('uid')) {
      collector.skip(importMessage('lineWithoutTitle', line));
      left++;
      continue;
    }
    const note = (message: Message) => {
      collector.skip(importMessage('lineNote', line, message));
      partly.add(line);
    };
    collector.add(readRecord(get, context, uids, line, note));
  }
  return collector.result(left, partly.size);
}

type Get = (column: Column) => string | undefined;

function readRecord(
  get: Get,
  context: ImportContext,
  uids: StableUids,
  line: number,
  note: (message: Message) => void,
): ImportedTask {
  const title = get('title') ?? '';
  const parent = get('parent');
  const uid = get('uid')?.trim() || uids.next(title, parent || null);
  const texts = readTexts(get);
  const fields: ImportedFields = { uid, ...columnsIn(texts), title };
  const duration = get('duration');
  if (duration !== undefined) fields.duration = duration === '' ? null : duration;
  const tags = get('tags');
  if (tags !== undefined) fields.tags = decodeTags(tags.includes(',') ? tags : tags.replace(/(?<!\\);/g, ','));
  const priority = get('priority');
  if (priority !== undefined) fields.priority = readPriority(priority);
  const percent = get('percent');
  if (percent !== undefined) fields.percentComplete = readPercent(percent);
  const reminders = get('reminders');
  if (reminders !== undefined) fields.alarms = readReminders(reminders);
  const created = momentOfText(get('created') ?? '', context.clock.timeZone);
  if (created !== undefined) fields.createdAt = created;
  readState(get, fields, context.clock.timeZone);
  const extra = readDates(get, fields, context, note);
  const isZoneless = get('timezone') === undefined;
  const under = parent === undefined ? {} : { parentUid: parent === '' ? null : parent };
  return { fields, lineTexts: texts, isZoneless, ...extra, ...under, line };
}

function readTexts(get: Get): Texts {
  const texts: Texts = {};
  for (const name of textNames) {
    const value = get(taskFields[name].csv);
    const { isUri, isDuration } = textFacts[name];
    const isBroken = isUri ? /[\r\n]/.test(value ?? '') : isDuration && readEstimate(value ?? '') === undefined;
    if (value !== undefined) texts[name] = value === '' || isBroken ? null : value;
  }
  return texts;
}

function readState(get: Get, fields: ImportedFields, zone: string): void {
  const status = get('status');
  const completed = get('completed');
  if (status !== undefined) fields.status = readStatus(status);
  if (completed === undefined) return;
  const at = momentOfText(completed, zone);
  fields.completedAt = at ?? null;
  if (status === undefined) fields.status = at !== undefined || readStatus(completed) === 2 ? 2 : 0;
}

function readDates(
  get: Get,
  fields: ImportedFields,
  context: ImportContext,
  note: (message: Message) => void,
): { fromCompletion?: boolean } {
  const due = get('due');
  const start = get('start');
  if (due !== undefined || start !== undefined) {
    const read = (text: string | undefined) => {
      const value = text?.trim() ? anyDate(text, context) : undefined;
      if (text?.trim() && !value) note(importMessage('skippedDate', text.trim().slice(0, 60)));
      return value;
    };
    const zone = get('timezone')?.trim() ?? '';
    Object.assign(fields, dateColumns(read(due), read(start), zone, context.clock.timeZone));
    if (due === undefined) delete fields.due;
    if (start === undefined) delete fields.dtstart;
  }
  const repeat = get('repeat')?.trim();
  if (repeat === undefined) return {};
  if (repeat === '' || /^[^\r\n]*FREQ=[A-Z]+/i.test(repeat)) {
    const rule = repeat.replace(/^RRULE:/i, '');
    const wrong = rule === '' ? undefined : checkRule(rule);
    if (wrong !== undefined) note(importMessage('repeatNotImported', wrong));
    fields.rrule = rule === '' || wrong !== undefined ? null : rule;
    return {};
  }
  const words = parseRepeat(repeat, context);
  if (!words) {
    note(importMessage('skippedRepeat', repeat.slice(0, 60)));
    return {};
  }
  fields.rrule = words.rrule;
  if (fields.due == null && fields.dtstart == null) Object.assign(fields, words.first, { dtstart: null });
  return { fromCompletion: words.fromCompletion };
}

/** A date in ISO format, or else in the user's language. */
function anyDate(text: string, context: ImportContext): IsoDate | undefined {
  const iso = parseIsoDate(text);
  if (iso) return iso;
  const when = parseWhen(withWholeHour(text.trim()), context);
  if (!when) return undefined;
  return when.isAllDay ? { kind: 'day', civil: when.due } : { kind: 'instant', at: when.due };
}

function readStatus(text: string): StatusCode {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  if (/^(completed?|done|closed|x|yes|true|1|finished|erledigt|termin[ée]e?|fait|conclu[ií]d[oa]|مكتملة?)$/.test(word))
    return 2;
  if (/^(in-process|in-progress|started|doing|active|in-arbeit|en-cours|em-andamento)$/.test(word)) return 1;
  if (/^(cancell?ed|dropped|abgebrochen|annul[ée]e?|cancelad[oa])$/.test(word)) return 3;
  return 0;
}

function readPriority(text: string): number {
  const word = text.trim().toLowerCase();
  if (/^\d$/.test(word)) return Number(word);
  if (/^\(?[a-i]\)?$/.test(word)) return word.replace('(', '').charCodeAt(0) - 96;
  if (/^(highest|urgent|high|hoch|haute|alta|عالية)$/.test(word)) return 1;
  if (/^(medium|normal|mittel|moyenne|m[ée]dia|متوسطة)$/.test(word)) return 5;
  return /^(low|lowest|niedrig|basse|baixa|منخفضة)$/.test(word) ? 9 : 0;
}

function readPercent(text: string): number | null {
  const value = /^(\d{1,3}) ?%?$/.exec(text.trim());
  return value ? Math.min(100, Number(value[1])) : null;
}

function readReminders(text: string): AlarmInput[] {
  return text.split(';').flatMap(part => {
    const match = /^\s*(?:(DUE|START|ABSOLUTE):)?(-?\d{1,9})\s*$/.exec(part);
    return match ? [{ minutesBefore: Number(match[2]), reference: (match[1] ?? 'DUE') as AlarmReference }] : [];
  });
}
