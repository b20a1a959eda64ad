import { lstatSync } from 'node:fs';
import { extname } from 'node:path';
import type { DuelineEngine, ExchangeFormat } from '../../api';
import { isDuelineError } from '../../core/kernel/errors';
import type { Id } from '../../core/kernel/model';
import { cleanedLines, safeJson, sanitize } from '../../core/text/cleanText';
import { splitLines } from '../../core/text/document/readText';
import type { TextTarget } from '../../core/text/document/types';
import { CliError, exitCodes, refusalError } from '../../programs/cliError';
import { listId } from '../../programs/tasks';
import { readFile, textIn } from '../input';
import { openForQuery } from '../queries';
import type { Command, Option, Session } from '../session';
import { targetOfQuery } from './editText';

const formatOfEnding: Readonly<Record<string, ExchangeFormat | 'text'>> = {
  '.dueline': 'text',
  '.ics': 'ics',
  '.json': 'json',
  '.jsonl': 'json',
  '.csv': 'csv',
  '.txt': 'todotxt',
  '.todotxt': 'todotxt',
  '.md': 'markdown',
  '.markdown': 'markdown',
};
/** Tasks as lines of text, which the engine reads and writes by their IDs and not by UIDs. */
const textFormat = 'text';
const formats = [...new Set(Object.values(formatOfEnding))];

const format: Option = {
  type: 'string',
  short: 'f',
  takes: 'FORMAT',
  choices: formats,
  help: `One of ${formats.join(', ')}`,
};

function formatOf(session: Session, file: string | undefined): ExchangeFormat | 'text' {
  const requested = session.text('format') ?? formatOfEnding[extname(file ?? '').toLowerCase()];
  const found = formats.find(name => name === requested);
  if (found) return found;
  throw new CliError('usage', `Choose a format with --format: ${formats.join(', ')}.`);
}

function read(session: Session, file: string): Uint8Array {
  if (file === '-') return session.surroundings.input.read();
  try {
    return readFile(session.surroundings.path(file), file);
  } catch (error) {
    if (error instanceof CliError || isDuelineError(error)) throw error;
    throw refusalError(`${sanitize(file)} cannot be read: ${sanitize((error as Error).message)}`);
  }
}

async function importFile(session: Session): Promise<void> {
  session.refuseAgent('Agents cannot import files, because that could change any task. Add tasks with dueline add.');
  const [file = '-'] = session.needWords('The file');
  const named = formatOf(session, file);
  const bytes = read(session, file);
  const engine = await session.open({ mayCreate: true, printsTasks: false });
  const list = session.text('list');
  const into = list === undefined ? engine.defaultListId() : listId(engine, list);
  const { created, updated, skipped } = await (named === textFormat
    ? importText(engine, textIn(bytes), list === undefined ? undefined : into)
    : engine.importReported(named, bytes, into));
  for (const { text } of skipped) session.out.note(sanitize(text));
  if (session.is('json'))
    session.out.print(safeJson({ version: 1, created, updated, skipped: skipped.map(({ text }) => text) }, 2));
  else session.out.print(`Added ${created} and changed ${updated} tasks.`);
  if (skipped.length > 0) session.exitCode = exitCodes.refused;
}

/** Tasks whose IDs are in the text are changed, the others stay: a file need not have all of them. */
async function importText(engine: DuelineEngine, mine: string, listId: Id | undefined) {
  const tasks = engine.asText(listId === undefined ? targetOf(engine, mine) : { listId });
  try {
    const { added, changed, completed, cancelled, problems } = await tasks.saveFile(mine);
    const skipped = problems
      .filter(({ isHeld }) => isHeld)
      .map(({ at, message }) => ({ text: `Line ${at + 1}: ${message.text}` }));
    return { created: added, updated: changed + completed + cancelled, skipped };
  } finally {
    tasks.dispose();
  }
}

/** A text of all lists begins with the name of one, alone on its line; one of a query names the lists in its lines. */
function targetOf(engine: DuelineEngine, text: string): TextTarget {
  const first = sanitize(splitLines(text).find(line => line.trim() !== '') ?? '').trimEnd();
  return engine.lists().some(({ name }) => sanitize(name).trim() === first) ? { all: true } : { query: '' };
}

function textOf(engine: DuelineEngine, query: string): string {
  const tasks = engine.asText(targetOfQuery(query));
  try {
    return tasks.write().text;
  } finally {
    tasks.dispose();
  }
}

async function exportTasks(session: Session): Promise<void> {
  session.refuseAgent('Agents cannot export files. Read tasks with dueline list --json.');
  const file = session.text('output');
  const named = formatOf(session, file);
  const query = session.words.join(' ');
  const engine = await openForQuery(session, query);
  const text =
    named === textFormat ? textOf(engine, query) : engine.exportTasks(named, query === '' ? undefined : query);
  const { out } = session;
  if (file === undefined) {
    out.print(out.isTerminal ? cleanedLines(text) : text);
    return;
  }
  // A dangling link counts as an existing file, since writing to it would create its target.
  if (lstatSync(session.surroundings.path(file), { throwIfNoEntry: false }) && !session.is('force'))
    throw refusalError(`${sanitize(file)} exists. Replace it with --force, or name another file.`);
  try {
    await engine.saveFile(session.surroundings.path(file), text);
  } catch (error) {
    throw refusalError(sanitize((error as Error).message));
  }
}

export const exchangeCommands: Readonly<Record<string, Command>> = {
  import: {
    usage: 'FILE',
    most: 1,
    summary: 'Import tasks from a file; tasks with a known UID are updated',
    options: { format, list: { type: 'string', short: 'l', takes: 'LIST', help: 'List to import into' } },
    examples: [
      'dueline import tasks.ics --list Work',
      'dueline import - --format markdown < todo.md',
      'task export | dueline import - --format json --list Home',
      'dueline import .beads/issues.jsonl --list Work',
      'dueline import tasks.dueline',
    ],
    run: importFile,
  },
  export: {
    usage: '[QUERY]',
    summary: 'Export all tasks, or those that match a query',
    options: {
      format,
      output: { type: 'string', short: 'o', takes: 'FILE', help: 'Output file (default: standard output)' },
      force: { type: 'boolean', help: 'Replace an existing file' },
    },
    examples: [
      'dueline export --format ics --output tasks.ics',
      "dueline export --format markdown 'due:week'",
      "dueline export --format text 'is:overdue' > late.dueline",
    ],
    run: exportTasks,
  },
};
