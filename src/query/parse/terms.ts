import { readShortId } from '../../core/code/shortId';
import { readEstimate } from '../../core/fields/estimate';
import { numberOfWord, taskFields } from '../../core/fields/table';
import { coreMessage } from '../../core/kernel/messages';
import type { Range } from '../../core/kernel/range';
import { type DateAtom, dateWords, parseDateAtom } from './dateAtom';
import type { RawAtom, RawValue, Token } from './lexer';
import { nearest, QueryError } from './queryError';
import { safeRegex } from './regex';
import type { DateField, HasValue, NumberField, Term, TextTest } from './syntax';
import {
  codeScopes,
  dateFields,
  directives,
  type Field,
  fields,
  has,
  hasValues,
  isValues,
  nameFields,
  numberFields,
  priorityValues,
  repeatValues,
  sourceValues,
  statusValues,
  syncValues,
  textFields,
} from './vocabulary';

type FieldToken = Extract<Token, { type: 'field' }>;
type SigilToken = Extract<Token, { type: 'sigil' }>;

/** One term a value; a comma between values means OR. */
export function fieldTerms(token: FieldToken): Term[] {
  const name = token.name.toLowerCase();
  if (!has(fields, name)) {
    const suggestion = nearest(name, [...Object.keys(fields), ...Object.keys(directives)]);
    const unknown = coreMessage('unknownField', token.name);
    const message = suggestion ? unknown : coreMessage('sentences', unknown, coreMessage('quoteTheColon'));
    throw new QueryError(message, token.nameRange, suggestion);
  }
  return token.values.map((value, index) => {
    const range: Range = [index === 0 ? token.range[0] : value.range[0], value.range[1]];
    return fieldTerm(name, value, range);
  });
}

function fieldTerm(name: Field, value: RawValue, range: Range): Term {
  const presence = value.compare || value.atom.quoted ? undefined : presenceTerm(name, value.atom.text, range);
  if (presence) return presence;
  if (has(dateFields, name)) return dateTerm(name, value, range);
  if (has(numberFields, name)) return numberTerm(name, value, range);
  if (has(textFields, name)) return { kind: 'text', field: name, test: textTest(value, name === 'uid'), range };
  if (has(nameFields, name)) return { kind: 'name', field: name, test: textTest(value, true), range };
  const { atom } = value;
  if (value.compare || atom.flags !== undefined) throw new QueryError(coreMessage('plainWordsOnly', name), value.range);
  switch (name) {
    case 'is':
      return { kind: 'is', value: oneOf(isValues, atom, name), range };
    case 'has':
    case 'no':
      return { kind: 'has', value: oneOf(hasValues, atom, name), isPresent: name === 'has', range };
    case 'status': {
      const status = oneOf(statusValues, atom, name);
      return { kind: 'status', codes: statusValues[status]!, name: status, range };
    }
    case 'id': {
      const begin = readShortId(atom.text);
      if (begin === undefined) throw new QueryError(coreMessage('valueUnknown', name, atom.text), atom.range);
      return { kind: 'id', begin, range };
    }
    case 'repeat':
      return { kind: 'repeat', value: oneOf(repeatValues, atom, name), range };
    case 'sync':
      return { kind: 'sync', value: oneOf(syncValues, atom, name), range };
    case 'source':
      return { kind: 'source', value: oneOf(sourceValues, atom, name), range };
    case 'in':
      return { kind: 'in', scope: oneOf(codeScopes, atom, name), range };
    case 'link': {
      if (!atom.text.startsWith('file:')) oneOf({ any: '', stale: '' }, atom, name);
      return { kind: 'link', value: atom.text, range };
    }
  }
}

/** `field:none` and `field:any`. */
function presenceTerm(name: string, text: string, range: Range): Term | undefined {
  const word = text.toLowerCase();
  if ((word !== 'none' && word !== 'any') || !has(hasValues, name)) return undefined;
  if (name === 'link') return undefined;
  return { kind: 'has', value: name as HasValue, isPresent: word === 'any', range };
}

function dateTerm(field: DateField, { compare, atom }: RawValue, range: Range): Term {
  if (atom.quoted || atom.flags !== undefined) throw new QueryError(coreMessage('dateNeeded', field), atom.range);
  const dots = atom.text.indexOf('..');
  if (dots < 0) return { kind: 'date', field, test: { op: compare ?? '=', at: dateAtom(atom) }, range };
  const [from, to] = rangeEnds(atom, dots, compare, dateAtom);
  return { kind: 'date', field, test: { op: '..', ...(from ? { from } : {}), ...(to ? { to } : {}) }, range };
}

type Piece = Pick<RawAtom, 'text' | 'range'>;

function rangeEnds<T>(atom: RawAtom, dots: number, compare: string | undefined, read: (piece: Piece) => T): [T?, T?] {
  if (compare) throw new QueryError(coreMessage('compareWithRange', compare), atom.range);
  const [start, end] = atom.range;
  const from: Piece = { text: atom.text.slice(0, dots), range: [start, start + dots] };
  const to: Piece = { text: atom.text.slice(dots + 2), range: [start + dots + 2, end] };
  if (from.text === '' && to.text === '') throw new QueryError(coreMessage('rangeWithoutEnds'), atom.range);
  return [from.text === '' ? undefined : read(from), to.text === '' ? undefined : read(to)];
}

function dateAtom({ text, range }: Piece): DateAtom {
  const atom = parseDateAtom(text);
  if (atom) return atom;
  const message = coreMessage('sentences', coreMessage('queryDateUnknown', text), coreMessage('dateExamples'));
  throw new QueryError(message, range, nearest(text, dateWords));
}

function numberTerm(field: NumberField, { compare, atom }: RawValue, range: Range): Term {
  if (atom.quoted || atom.flags !== undefined) throw new QueryError(coreMessage('numberNeeded', field), atom.range);
  const [, most] = taskFields[numberOfWord[field]].range;
  const read = (piece: Piece): number => {
    const value = field === 'est' ? (readEstimate(piece.text) ?? Number.NaN) : readNumber(piece.text);
    if (value <= most) return value;
    if (field === 'est') throw new QueryError(coreMessage('estimateNotAnAmount', piece.text), piece.range);
    const words = field === 'priority' ? Object.keys(priorityValues) : [];
    const message =
      field === 'priority' ? coreMessage('priorityNotANumber') : coreMessage('numberOutOfRange', field, most);
    throw new QueryError(message, piece.range, nearest(piece.text, words));
  };
  const dots = atom.text.indexOf('..');
  if (dots >= 0) {
    const [from, to] = rangeEnds(atom, dots, compare, read);
    return number(field, from, to, range);
  }
  const word = atom.text.toLowerCase();
  const named = field === 'priority' && has(priorityValues, word) ? priorityValues[word] : undefined;
  if (named) {
    if (compare && compare !== '=') throw new QueryError(coreMessage('comparePriorityWord', compare), atom.range);
    return number(field, named[0], named[1], range);
  }
  const value = read(atom);
  switch (compare) {
    case '<':
      return number(field, undefined, value - 1, range);
    case '<=':
      return number(field, undefined, value, range);
    case '>':
      return number(field, value + 1, undefined, range);
    case '>=':
      return number(field, value, undefined, range);
    default:
      return number(field, value, value, range);
  }
}

const readNumber = (text: string) => (/^\d{1,3}%?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN);

/** Priority 0 means none, which no comparison matches: like a task without the date or the estimate. */
function number(field: NumberField, from: number | undefined, to: number | undefined, range: Range): Term {
  const least = field !== 'progress' && from === undefined ? 1 : from;
  const ends = { ...(least === undefined ? {} : { from: least }), ...(to === undefined ? {} : { to }) };
  return { kind: 'number', field, ...ends, range };
}

/** Names are compared whole, text by what it contains; `*` at the end of a name asks for its beginning. */
function textTest({ compare, atom }: RawValue, whole: boolean): TextTest {
  if (compare && compare !== '=')
    throw new QueryError(coreMessage('compareNotANumber', compare), [atom.range[0] - compare.length, atom.range[1]]);
  if (atom.flags !== undefined) return { how: 'regex', regex: safeRegex(atom.text, atom.flags, atom.range) };
  if (atom.text === '') throw new QueryError(coreMessage('emptyQuotes'), atom.range);
  if (!atom.quoted && atom.text.length > 1 && atom.text.endsWith('*'))
    return { how: 'prefix', text: atom.text.slice(0, -1) };
  return { how: whole || compare === '=' ? 'equals' : 'contains', text: atom.text };
}

export function sigilTerm({ sigil, atom, range }: SigilToken): Term[] {
  if (sigil !== '!') {
    if (atom.flags !== undefined) throw new QueryError(coreMessage('patternNotAllowed'), range);
    const test = textTest({ atom, range }, true);
    return [{ kind: 'name', field: sigil === '#' ? 'tag' : 'list', test, range }];
  }
  return [numberTerm('priority', { atom, range }, range)];
}

/** A bare word or string: in the title, the notes or a tag. */
export function textTerm({ atom, range }: { atom: RawAtom; range: Range }): Term[] {
  return [{ kind: 'text', field: undefined, test: textTest({ atom, range }, false), range }];
}

function oneOf<T extends string>(words: Readonly<Record<T, unknown>>, atom: RawAtom, of: string): T {
  const word = atom.text.toLowerCase();
  if (has(words, word)) return word;
  const values = Object.keys(words);
  const near = nearest(word, values);
  const message = coreMessage('valueUnknown', of, atom.text);
  const hint = near === undefined ? coreMessage('possibleValues', message, values.join(', ')) : message;
  throw new QueryError(hint, atom.range, near);
}
