import { type Comment, commentsOf } from './comments';
import { languageOf } from './languages';
import { endOfLine, firstSentence, furtherLines, withoutClosingSigns } from './todoLines';

/** A comment that marks something to do. */
export interface Todo {
  /** The line of the word, from 0. */
  readonly line: number;
  readonly character: number;
  /**
   * The whole comment in the text, [from, to) in UTF-16 units, or all the comments of its lines: it is removed with it. The
   * comment may say more after `until`.
   */
  readonly comment: { readonly from: number; readonly to: number; readonly until: number };
  /** The word in the text, for example `TODO`. */
  readonly word: string;
  /** The text in the parentheses after the word: a name, the short ID of a task, or both with a comma between. */
  readonly owner?: string;
  readonly taskId?: string;
  /** The thing to do: the rest of this line, or the first sentence if it continues on the next line. */
  readonly text: string;
  /** All that it says, in its lines, if that is more than one sentence. */
  readonly notes?: string;
}

export const todoWords: readonly string[] = ['TODO', 'FIXME', 'HACK', 'XXX', 'BUG'];

/** A larger file was written by a program. In bytes. */
export const maxTodoBytes = 2 * 1024 * 1024;

const maxColumns = 2000;
const headLines = 40;

/** True for generated code, whose comments come from its source. */
export function isGenerated(text: string, path = ''): boolean {
  if (
    /(?:[.-]min\.(?:js|css)|\.map|\.lock|-lock\.(?:json|yaml)|\.pb\.\w+|_pb2?\.\w+|\.g\.dart|\.designer\.cs)$/i.test(
      path,
    )
  )
    return true;
  const head = text.slice(0, 4000).split('\n', headLines).join('\n');
  return /@generated\b|<auto-?generated|\b(?:code|file|this) (?:is |was )?(?:automatically |auto-?)generated\b|\bgenerated\b.*\bdo not (?:edit|modify)\b|\bdo not (?:edit|modify)\b.*\bgenerated\b/i.test(
    head,
  );
}

/** The words of a setting, each as it is written there. */
function patternOf(words: readonly string[]): RegExp | undefined {
  const known = words.filter(word => /^[\p{L}\p{N}_-]+$/u.test(word));
  if (known.length === 0) return undefined;
  return new RegExp(
    `(?<![\\p{L}\\p{N}_-])(${known.join('|')})(?:\\(([^()\\n]{0,80})\\))?(?![\\p{L}\\p{N}_-])(:?)[ \\t]*(.*)`,
    'gu',
  );
}

/** Signs that begin a comment, and each of its lines. */
const isOnlySigns = (text: string): boolean => /^(?:rem)?$/i.test((text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' '));

/**
 * The todos in the comments of a text, in its order. A word counts if a comment or one of its lines begins with it,
 * else only with a colon or parentheses: `// not a BUG of ours` is none. Lines of more than 2 000 columns are skipped.
 * `undefined` comes where a host can pause.
 */
export function* todosOf(
  text: string,
  language: string,
  words: readonly string[] = todoWords,
): Generator<Todo | undefined> {
  const pattern = patternOf(words);
  // Most files have no such word, and are not searched any further.
  if (!pattern || !words.some(word => text.includes(word))) return;
  const lineEnd = (from: number) => (text.indexOf('\n', from) + 1 || text.length + 1) - 1;
  const comments: Comment[] = [];
  for (const comment of commentsOf(text, language)) {
    if (comment) comments.push(comment);
    else yield undefined;
  }
  const isTodo = (content: string) =>
    [...content.matchAll(pattern)].some(match => todoOf(match, content.slice(0, match.index)));
  let line = 0;
  let start = 0;
  let end = lineEnd(0);
  for (const [nth, { from, to }] of comments.entries())
    for (const match of text.slice(from, to).matchAll(pattern)) {
      const at = from + match.index;
      for (; end < at; end = lineEnd(start)) {
        line++;
        start = end + 1;
      }
      if (end - start > maxColumns) continue;
      const todo = todoOf(match, text.slice(Math.max(from, start), at));
      if (todo) yield { line, character: at - start, ...wholeTodo(text, comments, nth, at, todo, isTodo) };
    }
}

/** The todos of a file that are listed: nobody works on those in text that a program wrote. */
export function* listedTodosOf(text: string, path: string, words?: readonly string[]): Generator<Todo | undefined> {
  const language = languageOf(path);
  if (language !== undefined && !isGenerated(text, path)) yield* todosOf(text, language, words);
}

type TodoWords = Pick<Todo, 'word' | 'owner' | 'taskId' | 'text'>;

/** A comment with the lines that continue it. */
function wholeTodo(
  text: string,
  comments: readonly Comment[],
  nth: number,
  at: number,
  todo: TodoWords,
  isTodo: (line: string) => boolean,
): Omit<Todo, 'line' | 'character'> {
  const { from, to } = comments[nth]!;
  const more = furtherLines(text, comments, nth, at, isTodo);
  const last = more.at(-1);
  if (!last) return { comment: { from, to, until: Math.min(endOfLine(text, at), to) }, ...todo };
  const lines = [todo.text, ...more.map(line => line.text)];
  const sentence = firstSentence(lines);
  const notes = lines.filter(line => line !== '').join('\n');
  const comment = { from, to: Math.max(to, last.to), until: last.to };
  return { comment, ...todo, text: sentence, ...(sentence.length < notes.length && { notes }) };
}

function todoOf(match: RegExpExecArray, before: string): TodoWords | undefined {
  const [, word, inside, colon, rest] = match;
  // A path or an address may end with the word.
  if (((inside === undefined && colon === '') || before.endsWith('/')) && !isOnlySigns(before)) return undefined;
  const inParentheses = inside?.trim() ?? '';
  const text = withoutClosingSigns(rest!).trimStart();
  const taskId = /(?<![^\s,])dl-[a-z0-9]{4,}$/.exec(inParentheses)?.[0];
  const owner = inParentheses.slice(0, inParentheses.length - (taskId?.length ?? 0)).replace(/[\s,]+$/, '');
  return { word: word!, ...(owner && { owner }), ...(taskId && { taskId }), text };
}
