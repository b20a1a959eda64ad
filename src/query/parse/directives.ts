import { coreMessage } from '../../core/kernel/messages';
import type { Token } from './lexer';
import { nearest, QueryError } from './queryError';
import type { GroupField, Show, SortKey } from './syntax';
import { groupFields, has, showValues, sortFields } from './vocabulary';

export interface Directives {
  sort?: readonly SortKey[];
  group?: GroupField;
  limit?: number;
  show: Show[];
}

type FieldToken = Extract<Token, { type: 'field' }>;

/** Takes `sort:`, `group:`, `limit:` or `show:` into `found`. */
export function readDirective(token: FieldToken, found: Directives): void {
  const name = token.name.toLowerCase();
  for (const value of token.values)
    if (value.compare || value.atom.flags !== undefined)
      throw new QueryError(coreMessage('plainWordsOnly', name), value.range);
  switch (name) {
    case 'sort':
      if (found.sort) throw new QueryError(coreMessage('sortTwice'), token.range);
      found.sort = token.values.map(({ atom }) => sortKey(atom.text, atom.range));
      return;
    case 'group':
      if (found.group) throw new QueryError(coreMessage('groupTwice'), token.range);
      found.group = oneOf(groupFields, only(token), 'group:');
      return;
    case 'limit': {
      if (found.limit !== undefined) throw new QueryError(coreMessage('limitTwice'), token.range);
      const { text, range } = only(token);
      if (!/^[1-9]\d{0,6}$/.test(text)) throw new QueryError(coreMessage('limitNotANumber'), range);
      found.limit = Number(text);
      return;
    }
    default:
      for (const { atom } of token.values) {
        const show = oneOf(showValues, atom, 'show:');
        if (!found.show.includes(show)) found.show.push(show);
      }
  }
}

function only(token: FieldToken): { text: string; range: readonly [number, number] } {
  const [value, more] = token.values;
  if (more) throw new QueryError(coreMessage('oneValueOnly', token.name), more.range);
  return value!.atom;
}

/** A key of `sort:` or of the setting with the default order, `-` before it for the reverse. */
export function sortKey(text: string, range: readonly [number, number]): SortKey {
  const descending = text.startsWith('-');
  const field = oneOf(sortFields, { text: descending ? text.slice(1) : text, range }, 'sort:');
  return { field, descending };
}

function oneOf<T extends string>(
  words: Readonly<Record<T, string>>,
  { text, range }: { text: string; range: readonly [number, number] },
  of: string,
): T {
  const word = text.toLowerCase();
  if (has(words, word)) return word;
  throw new QueryError(coreMessage('directiveValueUnknown', of, text), range, nearest(word, Object.keys(words)));
}
