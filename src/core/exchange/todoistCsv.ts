import { durationOfMinutes, readEstimate } from '../fields/estimate';
import { uniqueTags } from '../fields/tags';
import type { Language } from '../quickAdd/types';
import { parseRepeat, parseWhen } from '../quickAdd/when';
import type { CsvRecord } from './csvText';
import { withWholeHour } from './dateText';
import { ImportCollector } from './importCollector';
import { importMessage } from './messages';
import { StableUids } from './stableUid';
import type { ImportContext, ImportedFields, ImportResult } from './types';

/** p1 to p4 as RFC 5545 priorities. */
const priorities = new Map([
  ['1', 1],
  ['2', 5],
  ['3', 9],
]);

/**
 * Todoist's template files: rows of type task, note, section and meta; depth by INDENT, dates in words. A section becomes
 * a tag of its tasks, so that a board by tags has Todoist's columns.
 */
export function readTodoist(
  headers: readonly string[],
  records: Iterable<CsvRecord>,
  context: ImportContext,
): ImportResult {
  const column = new Map(headers.map((name, index) => [name.toUpperCase(), index]));
  const uids = new StableUids(context.listKey);
  const collector = new ImportCollector();
  let partly = 0;
  /** UIDs of the open ancestors, outermost first. */
  const path: string[] = [];
  /** The notes of the last task, which may have very many. */
  const notes: string[] = [];
  let section = '';
  for (const { cells, line } of records) {
    const cell = (name: string) => cells[column.get(name) ?? -1]?.trim() ?? '';
    const type = cell('TYPE').toLowerCase();
    const content = cell('CONTENT');
    if (type === 'note') {
      if (collector.tasks.length > 0) notes.push(content);
      else collector.skip(importMessage('noteWithoutTask', line));
      continue;
    }
    if (type === 'section') section = content;
    if (type !== 'task') {
      // Rows of type meta say how Todoist draws the project.
      if (content !== '' && type !== 'section' && type !== 'meta')
        collector.skip(
          importMessage('rowNotATask', line, type || importMessage('rowWithoutType'), content.slice(0, 60)),
        );
      continue;
    }
    const [title, tags] = splitLabels(content);
    if (title === '') {
      collector.skip(importMessage('lineWithoutTitle', line));
      continue;
    }
    const depth = Math.min(Math.max(Number(cell('INDENT')) || 1, 1), path.length + 1);
    path.length = depth - 1;
    const parentUid = path.at(-1) ?? null;
    const uid = uids.next(title, parentUid);
    path.push(uid);
    const task = taskOf(cell, { uid, title, tags: uniqueTags(section === '' ? tags : [...tags, section]) }, context);
    if (task.unread !== undefined) {
      collector.skip(importMessage('lineSkippedDate', line, task.unread.slice(0, 60)));
      partly++;
    }
    addNotes(collector, notes.splice(0));
    collector.add({ ...task.read, parentUid, line });
  }
  addNotes(collector, notes);
  return collector.result(collector.skipped - partly, partly);
}

/** The columns of a task; `unread` is a date that could not be read. */
function taskOf(cell: (name: string) => string, fields: ImportedFields, context: ImportContext) {
  fields.priority = priorities.get(cell('PRIORITY')) ?? 0;
  const deadline = cell('DEADLINE');
  const date = cell('DATE') || deadline;
  // A task has one due date; the deadline behind it is kept in the notes.
  const texts = [cell('DESCRIPTION'), date === deadline || deadline === '' ? '' : `DEADLINE ${deadline}`];
  const description = texts.filter(Boolean).join('\n\n');
  if (description !== '') fields.description = description;
  const fromCompletion = date === '' ? undefined : readDate(date, cell('DATE_LANG'), fields, context);
  // A duration in days only says that the task takes all day.
  const estimate = cell('DURATION_UNIT') === 'minute' ? readEstimate(`${cell('DURATION')}m`) : undefined;
  return {
    read: {
      fields,
      ...(estimate !== undefined && { lineTexts: { estimate: durationOfMinutes(estimate) } }),
      ...(fromCompletion !== undefined && { fromCompletion }),
    },
    unread: date !== '' && fields.due === undefined ? date : undefined,
  };
}

function addNotes({ tasks }: ImportCollector, notes: readonly string[]): void {
  const last = tasks.at(-1);
  if (last && notes.length > 0)
    last.fields.description = [last.fields.description, ...notes].filter(Boolean).join('\n\n');
}

/** Returns true if the date repeats from completion; sets nothing if the text is not a date. */
function readDate(text: string, language: string, fields: ImportedFields, context: ImportContext): boolean | undefined {
  const languageCode = language.slice(0, 2).toLowerCase();
  const languages: readonly Language[] =
    languageCode === 'de' || languageCode === 'fr' || languageCode === 'pt' || languageCode === 'ar'
      ? [languageCode, 'en']
      : ['en'];
  const words = { ...context, languages };
  const repeat = parseRepeat(text, words);
  const when = repeat?.first ?? parseWhen(withWholeHour(text), words);
  if (!when) return undefined;
  Object.assign(fields, when);
  if (!repeat) return undefined;
  fields.rrule = repeat.rrule;
  return repeat.fromCompletion;
}

/** "Buy milk @shopping" has a label. */
function splitLabels(content: string): [title: string, tags: string[]] {
  const tags: string[] = [];
  const title = content.replace(/(^|\s)@([^\s@]+)/g, (_, space: string, tag: string) => {
    tags.push(tag);
    return space;
  });
  return [title.replace(/\s+/g, ' ').trim(), tags];
}
