import { formatParam, type Param, parseHead } from './params';
import { cleanLine } from './text';

/**
 * The content lines of an iCalendar text (RFC 5545 3.1) together with the exact slice of the source that each came
 * from, so that whatever is not edited can be written back byte for byte. ical.js is a good reader of values, but its
 * writer rewrites malformed ones that nobody touched (`DUE:20250101` becomes `DUE:2025-01-01T::`) and one bad line
 * makes it refuse the whole file; that is why lines are ours.
 */
export interface ContentLine {
  /** Upper case; '' where the line has no `NAME:` at its front and is only carried along. */
  readonly name: string;
  readonly params: readonly Param[];
  /** As written, escapes included, unfolded. */
  readonly value: string;
  /** The whole line, unfolded, without its line end. */
  readonly text: string;
  /** The slice of the source, line end included. */
  readonly from: number;
  readonly to: number;
  /** 1-based number of the first physical line. */
  readonly number: number;
}

const noParams: readonly Param[] = [];

/** Every content line of a text; blank lines have none. Never throws. */
export function readLines(source: string): ContentLine[] {
  const lines: ContentLine[] = [];
  // A lone CR ends a line only where no LF does; elsewhere it is dirt inside a value.
  const breaker = source.includes('\n') ? '\n' : '\r';
  let at = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  let number = 0;
  while (at < source.length) {
    const from = at;
    number++;
    const first = number;
    let next = lineEnd(source, at, breaker);
    let text = content(source, at, next);
    if (text !== '') {
      while (next < source.length && isFold(source.charCodeAt(next))) {
        at = next;
        number++;
        next = lineEnd(source, at, breaker);
        text += content(source, at + 1, next);
      }
      lines.push(parseLine(text, from, next, first));
    }
    at = next;
  }
  return lines;
}

/** One unfolded line, as the raw columns hold them. */
export const parseLine = (text: string, from = 0, to = text.length, number = 1): ContentLine => {
  const head = parseHead(text);
  return head
    ? { name: head.name, params: head.params, value: text.slice(head.length + 1), text, from, to, number }
    : { name: '', params: noParams, value: '', text, from, to, number };
};

/** The first parameter of that name (upper case), its values joined; undefined where there is none. */
export const paramOf = (line: ContentLine, name: string): string | undefined =>
  line.params.find(param => param.name === name)?.values.join(',');

/**
 * A line with another value. Parameters stay as they were written, except those named in `without`; `adding` holds
 * new ones as [name, value].
 */
export function withValue(
  line: ContentLine,
  value: string,
  without: readonly string[] = [],
  adding: readonly (readonly [name: string, value: string])[] = [],
): string {
  const name = line.text.slice(0, line.name.length);
  const kept = line.params.filter(param => !without.includes(param.name)).map(param => `;${param.raw}`);
  return `${name}${kept.join('')}${adding.map(([key, text]) => formatParam(key, text)).join('')}:${value}`;
}

/**
 * Folded at 75 octets of UTF-8 (RFC 5545 3.1), never inside a character, and ended with `newline`. Every line that we
 * write comes through here, and what would end it early is left out.
 */
export function foldLine(line: string, newline: string): string {
  const text = cleanLine(line);
  if (text.length <= 75 && !/[^\x00-\x7f]/.test(text)) return text + newline;
  let folded = '';
  let from = 0;
  let octets = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + size > 75) {
      folded += `${text.slice(from, at)}${newline} `;
      from = at;
      octets = 1;
    }
    octets += size;
    at += code < 0x10000 ? 1 : 2;
  }
  return folded + text.slice(from) + newline;
}

/** The line end that most of a text uses is the one of its first line; CRLF where it has none. */
export function newlineOf(source: string): string {
  const lf = source.indexOf('\n');
  if (lf > 0) return source[lf - 1] === '\r' ? '\r\n' : '\n';
  return lf < 0 && source.includes('\r') ? '\r' : '\r\n';
}

/** CRLF throughout, as iCalendar goes over a wire: an XML answer has turned every CRLF into LF. */
export const withCrlf = (text: string): string => text.replace(/(?<!\r)\r*\n/g, '\r\n');

const isFold = (code: number) => code === 0x20 || code === 0x09;

function lineEnd(source: string, at: number, breaker: string): number {
  const end = source.indexOf(breaker, at);
  return end < 0 ? source.length : end + 1;
}

function content(source: string, from: number, to: number): string {
  let end = to;
  while (end > from) {
    const code = source.charCodeAt(end - 1);
    if (code !== 0x0a && code !== 0x0d) break;
    end--;
  }
  return source.slice(from, end);
}
