import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DuelineEngine } from '../../api';
import { cleanedLines, sanitize } from '../../core/text/cleanText';
import { splitLines } from '../../core/text/document/readText';
import type { SavedText, TextTarget, Vanished } from '../../core/text/document/types';
import { CliError, exitCodes, refusalError } from '../../programs/cliError';
import { readFile, textIn } from '../input';
import { openForQuery } from '../queries';
import type { Session } from '../session';
import type { Surroundings } from '../surroundings';

/** All lists, or the tasks that a query finds. */
export const targetOfQuery = (query: string): TextTarget => (query === '' ? { all: true } : { query });

/** Tasks as a text in the user's editor. The file stays if its text could not be saved, so nothing that the user has written is lost. */
export async function editText(session: Session): Promise<void> {
  session.refuseAgent('Agents cannot edit tasks as text. Change a task with dueline edit ID.');
  const editor = editorOf(session);
  const query = session.words.join(' ');
  const engine = await openForQuery(session, query);
  const tasks = engine.asText(targetOfQuery(query));
  try {
    const { text: base, isReadOnly } = tasks.write();
    if (isReadOnly) throw refusalError('These lists are read-only. To read them, use dueline list.');
    const file = join(mkdtempSync(join(tmpdir(), 'dueline-')), 'tasks.dueline');
    writeFileSync(file, base, { mode: 0o600 });
    const failure = await session.surroundings.openEditor(editor, file);
    await engine.refresh();
    const mine = textIn(readFile(file, file));
    if (mine === base) rmSync(dirname(file), { recursive: true });
    if (failure !== undefined)
      throw refusalError(
        `The editor failed: ${sanitize(failure)}. Nothing was changed.${mine === base ? '' : ` ${keptIn(file)}`}`,
      );
    if (mine === base) session.out.print('Unchanged');
    else await save(session, { tasks, base, mine, file });
  } finally {
    tasks.dispose();
  }
}

function editorOf({ surroundings: { env, input, out }, values }: Session): string {
  const others = Object.keys(values).filter(name => !['text', 'store', 'no-color'].includes(name));
  if (others.length > 0) throw new CliError('usage', `--text cannot be used with --${others.join(' and --')}.`);
  if (!input.isTyped || out.columns === undefined)
    throw refusalError('--text needs a terminal. Use dueline export --format text and dueline import instead.');
  const editor = env.VISUAL || env.EDITOR;
  if (editor) return editor;
  throw refusalError('No editor is set. Set the variable EDITOR to a command such as: code --wait');
}

interface EditedText {
  readonly tasks: ReturnType<DuelineEngine['asText']>;
  readonly base: string;
  readonly mine: string;
  readonly file: string;
}

async function save(session: Session, { tasks, base, mine, file }: EditedText): Promise<void> {
  let saved: SavedText;
  try {
    const { vanished: titles } = tasks.check(base, mine);
    const vanished = titles.length > 0 ? await askVanished(session, titles) : 'keep';
    saved = await tasks.save({ base, mine, vanished });
  } catch (error) {
    session.out.note(keptIn(file));
    throw error;
  }
  session.out.print(summaryOf(saved) || (saved.text === base ? 'Unchanged' : 'Saved'));
  const held = saved.problems.filter(({ isHeld }) => isHeld);
  if (held.length === 0) {
    rmSync(dirname(file), { recursive: true });
    return;
  }
  const lines = splitLines(mine);
  writeFileSync(file, saved.text);
  for (const { at, message } of held)
    session.out.note(cleanedLines(`Not saved: ${lines[at]!.trim()}: ${message.text}`));
  session.out.note(keptIn(file));
  session.exitCode = exitCodes.refused;
}

const keptIn = (file: string) => `Your text is in ${file}. Correct it, and save it with: dueline import ${file}`;

function summaryOf({ added, changed, completed, cancelled, deleted }: SavedText): string {
  const counts = { Added: added, Changed: changed, Completed: completed, Cancelled: cancelled, Deleted: deleted };
  const done = Object.entries(counts).filter(([, count]) => count > 0);
  return done.map(([verb, count]) => `${verb} ${count}`).join(', ');
}

const answers: Readonly<Record<string, Vanished>> = { c: 'complete', x: 'cancel', d: 'delete', k: 'keep' };
const maxNamed = 5;

/** Asks what becomes of the tasks whose lines are gone. Any other answer keeps them. */
async function askVanished({ surroundings, out }: Session, titles: readonly string[]): Promise<Vanished> {
  const named = titles.slice(0, maxNamed).map(title => `“${sanitize(title)}”`);
  const more = titles.length > maxNamed ? `, and ${titles.length - maxNamed} more` : '';
  const are = titles.length === 1 ? 'This task is' : `These ${titles.length} tasks are`;
  out.note(`${are} no longer in the text: ${named.join(', ')}${more}`);
  out.note('[c] complete, [x] cancel, [d] delete, [k] keep?');
  const answer = await typedLine(surroundings);
  if (answer === undefined) throw refusalError('Nothing was saved.');
  return answers[answer.trim().toLowerCase()] ?? 'keep';
}

/** The next line that the user types; undefined if there is none, or the process is asked to end. */
async function typedLine({ streams, ended }: Surroundings): Promise<string | undefined> {
  const { input } = streams();
  const line = new Promise<string | undefined>(resolve => {
    input.once('data', chunk => resolve(String(chunk)));
    input.once('end', () => resolve(undefined));
  });
  const answer = await Promise.race([line, ended().then(() => undefined)]);
  input.pause();
  return answer;
}
