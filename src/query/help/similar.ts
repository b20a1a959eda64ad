import { foldCase } from '../eval/foldCase';
import { tokenize } from '../parse/lexer';
import { readOperators } from '../parse/lowerCase';
import { QueryError } from '../parse/queryError';

/** In shorter words, one letter more or less makes a different word. */
const minTypoLength = 4;
const maxSuggestions = 6;

/**
 * The query with the words that a text has in the place of mistyped ones; undefined if none is one letter away, or the
 * query cannot be read. `texts`: what is searched. Quoted words, names and fields stay as they are.
 */
export function similarQuery(query: string, texts: Iterable<string>): string | undefined {
  const typed = searchedWords(query);
  if (typed.length === 0) return undefined;
  const known = wordsOf(texts);
  let [similar, at, isOther] = ['', 0, false];
  for (const { word, range } of typed) {
    const similarWords = [...known].filter(one => isSimilar(word, one)).slice(0, maxSuggestions);
    if (similarWords.length === 0) continue;
    isOther = true;
    similar += `${query.slice(at, range[0])}(${similarWords.map(one => `"${one}"`).join(' OR ')})`;
    at = range[1];
  }
  return isOther ? similar + query.slice(at) : undefined;
}

function searchedWords(query: string) {
  try {
    return readOperators(tokenize(query)).tokens.flatMap(token => {
      if (token.type !== 'text' || token.atom.quoted || token.atom.flags !== undefined) return [];
      const word = foldCase(token.atom.text);
      return word.length >= minTypoLength && /^\p{L}+$/u.test(word) ? [{ word, range: token.range }] : [];
    });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return [];
  }
}

export function wordsOf(texts: Iterable<string>, words = new Set<string>()): ReadonlySet<string> {
  for (const text of texts) for (const word of foldCase(text).match(/\p{L}{3,}/gu) ?? []) words.add(word);
  return words;
}

/** Also true if only the beginning of a longer word is typed. */
const isSimilar = (typed: string, word: string): boolean =>
  [typed.length - 1, typed.length, typed.length + 1].some(
    length => length <= word.length && isOneEditAway(typed, word.slice(0, length)),
  );

/** True if at most one letter is superfluous, missing or wrong, or two neighbors are swapped. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from++;
  const [restA, restB] = [a.slice(from), b.slice(from)];
  if (restA.length !== restB.length) return restA.slice(1) === restB || restB.slice(1) === restA;
  if (restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
