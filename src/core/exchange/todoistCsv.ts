import { uniqueTags } from '../fields/tags';
import type { Language } from '../quickAdd/types';
import { parseRepeat, parseWhen } from '../quickAdd/when';
import type { CsvRecord } from './csvText';
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

/** Todoist's template files: rows of type task, note and section; depth by INDENT, dates in words. */
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
  for (const { cells, line } of records) {
    const cell = (name: string) => cells[column.get(name) ?? -1]?.trim() ?? '';
    const type = cell('TYPE').toLowerCase();
    const content = cell('CONTENT');
    if (type === 'note') {
      if (collector.tasks.length > 0) notes.push(content);
      else collector.skip(importMessage('noteWithoutTask', line));
      continue;
    }
    if (type !== 'task') {
      if (content !== '')
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
    const fields: ImportedFields = { uid, title, tags, priority: priorities.get(cell('PRIORITY')) ?? 0 };
    const description = cell('DESCRIPTION');
    if (description !== '') fields.description = description;
    const date = cell('DATE');
    const fromCompletion = date === '' ? undefined : readDate(date, cell('DATE_LANG'), fields, context);
    if (date !== '' && fields.due === undefined) {
      collector.skip(importMessage('lineSkippedDate', line, date.slice(0, 60)));
      partly++;
    }
    addNotes(collector, notes.splice(0));
    collector.add({ fields, parentUid, line, ...(fromCompletion === undefined ? {} : { fromCompletion }) });
  }
  addNotes(collector, notes);
  return collector.result(collector.skipped - partly, partly);
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
  const when = repeat?.first ?? parseWhen(text, words);
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
  return [title.replace(/\s+/g, ' ').trim(), uniqueTags(tags)];
}
