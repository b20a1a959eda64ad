import type { Task } from '../kernel/model';
import { readCsv, writeCsv } from './csv';
import { readIcs, writeIcs } from './ics';
import { readJson, writeJson } from './json';
import { readMarkdown, writeMarkdown } from './markdown';
import { readTodoTxt, writeTodoTxt } from './todoTxt';
import type { ExchangeFormat, ExportContext, ImportContext, ImportResult } from './types';

/**
 * Tasks as a text. `ics` and `json` lose nothing of a row; the others carry what their format can, and no overrides
 * of single occurrences. Tombstones are the caller's to leave out.
 */
export function exportTasks(format: ExchangeFormat, tasks: readonly Task[], context: ExportContext): string {
  switch (format) {
    case 'ics':
      return writeIcs(tasks, context);
    case 'json':
      return writeJson(tasks, context);
    case 'csv':
      return writeCsv(tasks, context);
    case 'todotxt':
      return writeTodoTxt(tasks, context);
    case 'markdown':
      return writeMarkdown(tasks, context);
  }
}

/**
 * Reads the tasks of a file; `skipped` names the parts that cannot be read.
 *
 * @throws DuelineError `invalid` if it has more tasks than one import takes
 */
export function readImport(format: ExchangeFormat, text: string, context: ImportContext): ImportResult {
  switch (format) {
    case 'ics':
      return readIcs(text, context);
    case 'json':
      return readJson(text, context);
    case 'csv':
      return readCsv(text, context);
    case 'todotxt':
      return readTodoTxt(text, context);
    case 'markdown':
      return readMarkdown(text, context);
  }
}
