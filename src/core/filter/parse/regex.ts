import { messageOf } from '../../errors';
import { coreMessage } from '../../messages';
import { type LinearPattern, linearPattern, PatternLimit } from './linearRegex';
import { QueryError } from './queryError';
import type { Range, SafeRegex } from './syntax';

const maxPatternLength = 200;
const maxInputLength = 10_000;

/** What the engine's own matching may cost at worst, in steps; beyond it the linear way is taken. */
const maxBacktracking = 200_000;

/**
 * A pattern that cannot hold up the window: at most 200 characters, without back-references and look-arounds, tried on
 * the first 10 000 characters of a text. Where the engine's own matching could explode on a text, another is used
 * whose time grows with the text's length alone.
 */
export function safeRegex(source: string, flags: string, range: Range): SafeRegex {
  if (source === '') throw new QueryError(coreMessage('patternEmpty'), range);
  if (source.length > maxPatternLength) throw new QueryError(coreMessage('patternTooLong', maxPatternLength), range);
  const bad = flags.replace('i', '');
  if (bad !== '') throw new QueryError(coreMessage('patternFlag', bad), range);
  const regex = nativeRegex(source, flags, range);
  let linear: LinearPattern;
  try {
    linear = linearPattern(source, regex.flags);
  } catch (error) {
    if (!(error instanceof PatternLimit)) throw error;
    throw new QueryError(coreMessage('patternTooSlow', messageOf(error)), range);
  }
  return {
    source,
    ignoreCase: flags.includes('i'),
    test: text => {
      const start = text.length > maxInputLength ? text.slice(0, maxInputLength) : text;
      return linear.backtracking(start.length) <= maxBacktracking ? regex.test(start) : linear.test(start);
    },
  };
}

/** Many a pattern escapes more than the strict mode allows; it is well meant. */
function nativeRegex(source: string, flags: string, range: Range): RegExp {
  try {
    return new RegExp(source, `u${flags}`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^.*: /, '') : String(error);
      throw new QueryError(coreMessage('patternInvalid', reason), range);
    }
  }
}
