import { estimateText } from '../../core/fields/estimate';
import type { BoundQuery } from '../eval/bind';
import { textPatternOf } from '../eval/bind';
import type { TaskSource } from '../eval/context';
import { type DateAtom, type Span, spanOf } from '../parse/dateAtom';
import type { DateField, DateTest, Term, TextTest } from '../parse/syntax';
import {
  codeScopes,
  dateNames,
  hasValues,
  isValues,
  repeatValues,
  sourceValues,
  syncValues,
} from '../parse/vocabulary';

/** A message with `{0}`, `{1}` … filled in, in the user's language. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

export const inEnglish: Translate = (message, ...values) =>
  message.replace(/\{(\d)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));

/** One condition in words, with the dates that it means today. */
export function describeTerm(
  term: Term,
  { dates }: BoundQuery,
  source: Pick<TaskSource, 'lists' | 'accounts'>,
  translate: Translate,
  day: (day: string) => string,
): string {
  switch (term.kind) {
    case 'is':
      return translate(isValues[term.value]);
    case 'has':
      return term.isPresent
        ? translate('Has: {0}', translate(hasValues[term.value]))
        : translate('Does not have: {0}', translate(hasValues[term.value]));
    case 'date':
      return dateWords(term.field, term.test, atom => spanOf(atom, dates), translate, day);
    case 'text':
      return textWords(
        term.field === undefined ? translate('Title, notes or tag') : translate(term.field),
        term.test,
        translate,
      );
    case 'name': {
      const words = textWords(translate(term.field), term.test, translate);
      if (term.field !== 'list' && term.field !== 'account') return words;
      const names =
        term.field === 'list' ? source.lists().map(list => list.name) : source.accounts().map(each => each.displayName);
      const needle = textPatternOf(term.test);
      const known =
        names.some(name => needle.test(name)) || (term.test.how !== 'regex' && term.test.text.includes('/'));
      return known ? words : translate('{0} (not found)', words);
    }
    case 'number': {
      const field = translate(term.field);
      const value = (number: number) => (term.field === 'est' ? estimateText(number) : number);
      if (term.from === term.to && term.from !== undefined) return translate('{0} is {1}', field, value(term.from));
      if (term.to === undefined) return translate('{0} is {1} or more', field, value(term.from ?? 0));
      // A task without an estimate matches no comparison, so the least estimate is not a limit.
      if (term.from === undefined || (term.field === 'est' && term.from === 1))
        return translate('{0} is {1} or less', field, value(term.to));
      return translate('{0} is {1} to {2}', field, value(term.from), value(term.to));
    }
    case 'status':
      return translate('Status: {0}', translate(term.name));
    case 'id':
      return translate('Short ID: {0}', `dl-${term.begin}`);
    case 'repeat':
      return translate(repeatValues[term.value]);
    case 'sync':
      return translate(syncValues[term.value]);
    case 'source':
      return translate(sourceValues[term.value]);
    case 'in':
      return translate(codeScopes[term.scope]);
    case 'link':
      return translate('Links to code: {0}', term.value);
  }
}

function dateWords(
  field: DateField,
  test: DateTest,
  span: (atom: DateAtom) => Span,
  translate: Translate,
  day: (day: string) => string,
): string {
  const name = translate(dateNames[field]);
  const when = (atom: DateAtom): string => {
    const { first, last, start } = span(atom);
    const isPoint = atom.kind === 'now' || atom.kind === 'minute' || (atom.kind === 'offset' && atom.unit === 'h');
    if (isPoint) return `${day(first)} ${new Date(start.floating).toISOString().slice(11, 16)}`;
    return first === last ? day(first) : translate('{0} to {1}', day(first), day(last));
  };
  if (test.op === '..') {
    if (test.from && test.to)
      return translate('{0} from {1} to {2}', name, day(span(test.from).first), day(span(test.to).last));
    return test.from
      ? translate('{0} {1} or later', name, when(test.from))
      : translate('{0} {1} or earlier', name, when(test.to!));
  }
  switch (test.op) {
    case '<':
      return translate('{0} before {1}', name, when(test.at));
    case '<=':
      return translate('{0} {1} or earlier', name, when(test.at));
    case '>':
      return translate('{0} after {1}', name, when(test.at));
    case '>=':
      return translate('{0} {1} or later', name, when(test.at));
    case '=':
      return translate('{0} on {1}', name, when(test.at));
  }
}

function textWords(field: string, test: TextTest, translate: Translate): string {
  switch (test.how) {
    case 'contains':
      return translate('{0} contains “{1}”', field, test.text);
    case 'equals':
      return translate('{0} is “{1}”', field, test.text);
    case 'prefix':
      return translate('{0} starts with “{1}”', field, test.text);
    case 'regex':
      return translate(
        '{0} matches the pattern {1}',
        field,
        `/${test.regex.source}/${test.regex.ignoreCase ? 'i' : ''}`,
      );
  }
}
