import { commentsOf } from './comments';

/** A comment that says that something is to be done. */
export interface Todo {
  /** The line of the word, from 0. */
  readonly line: number;
  readonly character: number;
  /** The whole comment in the text, [from, to) in UTF-16 units: what is removed with it. */
  readonly comment: { readonly from: number; readonly to: number };
  /** The word in the text, for example `TODO`. */
  readonly word: string;
  /** The text in the parentheses after the word: a name, the short ID of a task, or both with a comma between. */
  readonly owner?: string;
  readonly taskId?: string;
  /** The rest of this line: the thing to do. */
  readonly text: string;
}

export const todoWords: readonly string[] = ['TODO', 'FIXME', 'HACK', 'XXX', 'BUG'];

const maxColumns = 2000;
const headLines = 40;

/** Its comments are those of what it was made from. */
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

const closingSigns = /(?:(?<!\*)\*+\/|--!?>|-\}|\*\)|#>|\]=*\]|=#|\|#|\]#|#\}|--~?\}\}|\}\}|\+\/|\*@|###|\})$/;
export const withoutClosingSigns = (text: string): string => text.trimEnd().replace(closingSigns, '').trimEnd();

/**
 * The todos in the comments of a text, in its order. A word counts where a comment or one of its lines begins with it,
 * else only with a colon or parentheses: `// not a BUG of ours` is none. Lines of more than 2 000 columns are skipped.
 * `undefined` comes where a host may stop for a while.
 */
export function* todosOf(
  text: string,
  language: string,
  words: readonly string[] = todoWords,
): Generator<Todo | undefined> {
  const pattern = patternOf(words);
  // Most files have none: then nothing else is looked for.
  if (!pattern || !words.some(word => text.includes(word))) return;
  const lineEnd = (from: number) => (text.indexOf('\n', from) + 1 || text.length + 1) - 1;
  let line = 0;
  let start = 0;
  let end = lineEnd(0);
  for (const comment of commentsOf(text, language)) {
    if (!comment) {
      yield undefined;
      continue;
    }
    const { from, to } = comment;
    pattern.lastIndex = 0;
    for (const match of text.slice(from, to).matchAll(pattern)) {
      const at = from + match.index;
      for (; end < at; end = lineEnd(start)) {
        line++;
        start = end + 1;
      }
      if (end - start > maxColumns) continue;
      const todo = todoOf(match, text.slice(Math.max(from, start), at));
      if (todo) yield { line, character: at - start, comment, ...todo };
    }
  }
}

function todoOf(match: RegExpExecArray, before: string): Pick<Todo, 'word' | 'owner' | 'taskId' | 'text'> | undefined {
  const [, word, inside, colon, rest] = match;
  if (inside === undefined && colon === '' && !isOnlySigns(before)) return undefined;
  const said = inside?.trim() ?? '';
  const text = withoutClosingSigns(rest!).trimStart();
  const taskId = /(?<![^\s,])dl-[a-z0-9]{4,}$/.exec(said)?.[0];
  const owner = said.slice(0, said.length - (taskId?.length ?? 0)).replace(/[\s,]+$/, '');
  return { word: word!, ...(owner && { owner }), ...(taskId && { taskId }), text };
}
