import { lstatSync } from 'node:fs';
import { extname } from 'node:path';
import type { ExchangeFormat } from '../../api';
import { isDuelineError } from '../../core/kernel/errors';
import { cleanedLines, safeJson, sanitize } from '../../core/text/cleanText';
import { CliError, exitCodes, refusalError } from '../../programs/cliError';
import { listId } from '../../programs/tasks';
import { readFile } from '../input';
import type { Command, Option, Session } from '../session';

const formatOfEnding: Readonly<Record<string, ExchangeFormat>> = {
  '.ics': 'ics',
  '.json': 'json',
  '.jsonl': 'json',
  '.csv': 'csv',
  '.txt': 'todotxt',
  '.todotxt': 'todotxt',
  '.md': 'markdown',
  '.markdown': 'markdown',
};
const formats = [...new Set(Object.values(formatOfEnding))];

const format: Option = { type: 'string', short: 'f', takes: 'FORMAT', help: `One of ${formats.join(', ')}` };

function formatOf(session: Session, file: string | undefined): ExchangeFormat {
  const asked = session.text('format') ?? formatOfEnding[extname(file ?? '').toLowerCase()];
  const found = formats.find(name => name === asked);
  if (found) return found;
  throw new CliError('usage', `Name the format with --format, one of ${formats.join(', ')}.`);
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
  session.refuseAgent('An agent does not import files, which may change any task. Add tasks with dueline add.');
  const [file = '-'] = session.needWords('The file');
  const named = formatOf(session, file);
  const bytes = read(session, file);
  const engine = await session.open({ mayCreate: true });
  const list = session.text('list');
  const into = list === undefined ? engine.defaultListId() : listId(engine, list);
  const { created, updated, skipped } = await engine.importReported(named, bytes, into);
  for (const { text } of skipped) session.out.note(sanitize(text));
  if (session.is('json'))
    session.out.print(safeJson({ version: 1, created, updated, skipped: skipped.map(({ text }) => text) }, 2));
  else session.out.print(`Added ${created} and changed ${updated} tasks.`);
  if (skipped.length > 0) session.exitCode = exitCodes.refused;
}

async function exportTasks(session: Session): Promise<void> {
  session.refuseAgent('An agent does not export files. Read tasks with dueline list --json.');
  const file = session.text('output');
  const named = formatOf(session, file);
  const engine = await session.open();
  const query = session.words.join(' ');
  const text = engine.exportTasks(named, query === '' ? undefined : query);
  const { out } = session;
  if (file === undefined) {
    out.print(out.isTerminal ? cleanedLines(text) : text);
    return;
  }
  // A link that leads nowhere is there as well: what it names would be made.
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
    summary: 'Import the tasks of a file; tasks with a known UID are updated',
    options: { format, list: { type: 'string', short: 'l', takes: 'LIST', help: 'List to import into' } },
    examples: [
      'dueline import tasks.ics --list Work',
      'dueline import - --format markdown < todo.md',
      'task export | dueline import - --format json --list Home',
      'dueline import .beads/issues.jsonl --list Work',
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
    examples: ['dueline export --format ics --output tasks.ics', "dueline export --format markdown 'due:week'"],
    run: exportTasks,
  },
};
