import type { RE2JS } from 're2js';
import type { Message } from '../../core/kernel/message';
import { coreMessage } from '../../core/kernel/messages';
import type { Range } from '../../core/kernel/range';
import { patterns } from './door';
import { QueryError } from './queryError';
import type { SafeRegex } from './syntax';

const maxPatternLength = 200;
const maxInputLength = 10_000;

/** In the worst case, a text costs its length times the size of the pattern's program. */
const maxProgramSize = 1_000;

/**
 * A pattern that cannot hold up the window: at most 200 characters, tried on the first 10,000 characters of a text. RE2
 * follows all paths through a pattern at once, so that no pattern makes it backtrack.
 */
export function safeRegex(source: string, flags: string, range: Range): SafeRegex {
  if (source === '') throw new QueryError(coreMessage('patternEmpty'), range);
  if (source.length > maxPatternLength) throw new QueryError(coreMessage('patternTooLong', maxPatternLength), range);
  const bad = flags.replace('i', '');
  if (bad !== '') throw new QueryError(coreMessage('patternFlag', bad), range);
  const pattern = compiled(source, flags, range);
  if (pattern.programSize() > maxProgramSize) throw new QueryError(tooSlow(coreMessage('patternTooLarge')), range);
  return {
    source,
    ignoreCase: flags.includes('i'),
    test: text => pattern.test(withPlainBlanks(text.slice(0, maxInputLength))),
  };
}

/** `\k<name>`, with any escaped backslashes before it. RE2JS would read it as the letter. */
const namedReference = /(?<!\\)(?:\\\\)*\\k</;

function compiled(source: string, flags: string, range: Range): RE2JS {
  const { RE2JS, RE2JSException } = patterns();
  if (namedReference.test(source)) throw new QueryError(tooSlow(coreMessage('patternBackreference')), range);
  try {
    const pattern = RE2JS.translateRegExp(withPlainBlanks(source));
    return RE2JS.compile(pattern, flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new QueryError(unsupported(source) ?? coreMessage('patternInvalid', reasonOf(error)), range);
  }
}

/** Names the syntax that RE2 leaves out because it would need backtracking. */
function unsupported(source: string): Message | undefined {
  if (/\(\?<?[=!]/.test(source)) return tooSlow(coreMessage('patternLookaround'));
  return /\\[1-9]/.test(source) ? tooSlow(coreMessage('patternBackreference')) : undefined;
}

const tooSlow = (why: Message) => coreMessage('patternTooSlow', why);

const reasonOf = ({ message }: Error) => message.replace(/^error parsing regexp: /, '');

/** For RE2, `\s` only matches ASCII. A no-break space, which French has before a colon, must match, too. */
const withPlainBlanks = (text: string) => text.replace(/[\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]/g, ' ');
