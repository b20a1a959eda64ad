import { later } from './door';
import type { JCal, Params } from './icalLines';
import { cleanLine, cleanText } from './text';

type NewParam = readonly [name: string, value: string];

/** The type of a property without VALUE. */
const noType = 'unknown';

/** In octets, without the space that a folded line continues with. */
const foldLength = 74;

/** No real line has more, and ical.js goes through all parameters for each of them. */
const maxParams = 1000;

/**
 * A content line (RFC 5545 3.1), its parameters read by ical.js. It knows the slice of the source that it came from, so
 * that what is not edited can be written back byte for byte: `ICAL.parse` keeps no slices, and refuses a whole text for
 * one bad line.
 *
 * @example
 * const { name, head, value } = new ContentLine('due;VALUE=DATE:20261224'); // 'DUE', 'due;VALUE=DATE', '20261224'
 */
export class ContentLine {
  /** Upper case; '' if the line has no `NAME:` at its front and is only kept. */
  readonly name: string;
  /** Name and parameters as written, without the colon. */
  readonly head: string;
  /** The value with its escapes, unfolded. */
  readonly value: string;
  #jCal: JCal | undefined | null = null;

  constructor(
    /** The whole line, unfolded, without its line end. */
    readonly text: string,
    /** The slice of the source, line end included. */
    readonly from = 0,
    readonly to = text.length,
    /** 1-based number of the first physical line. */
    readonly number = 1,
  ) {
    const name = /^[\w-]+(?=[:;])/.exec(text)?.[0] ?? '';
    const colon = name === '' || text[name.length] === ':' ? name.length : colonOf(text);
    const isProperty = name !== '' && colon >= 0;
    this.name = isProperty ? name.toUpperCase() : '';
    this.head = isProperty ? text.slice(0, colon) : '';
    this.value = isProperty ? text.slice(colon + 1) : '';
  }

  /** Read on demand, since most lines are only carried along. Undefined if ical.js refuses the parameters. */
  get jCal(): JCal | undefined {
    if (this.#jCal === null) {
      const isPlain = this.head.length === this.name.length;
      this.#jCal = isPlain ? [this.name.toLowerCase(), {}, noType, ''] : jCalByHead(this.head);
    }
    return this.#jCal;
  }
}

/** `DTSTART;TZID=tzone://Microsoft/Utc:`, as Outlook writes it without quotes. */
const zoneAddress = /^[\w-]+(?:;(?:[^":;]|"[^"]*")*)*?;TZID=[\w.+-]+:\/\//i;

/**
 * The index of the colon before the value: the first one outside quotes, and outside an address of a zone. A quote that is
 * never closed is a character like any other.
 */
function colonOf(text: string): number {
  const first = text.indexOf(':', zoneAddress.exec(text)?.[0].length);
  let colon = first;
  for (let quote = text.indexOf('"'); quote >= 0 && quote < colon; ) {
    const close = text.indexOf('"', quote + 1);
    if (close < 0) return first;
    if (close > colon) colon = text.indexOf(':', close);
    quote = text.indexOf('"', close + 1);
  }
  return colon < 0 ? first : colon;
}

/** A text repeats few heads many times, such as `DTSTART;TZID=Europe/Berlin`. */
const byHead = new Map<string, JCal | undefined>();
const maxHeads = 500;
const maxHeadLength = 100;

function jCalByHead(head: string): JCal | undefined {
  if (head.length > maxHeadLength) return jCalOf(head);
  if (!byHead.has(head)) {
    if (byHead.size >= maxHeads) byHead.clear();
    // A slice as the key would keep the whole text that it was cut from.
    byHead.set(JSON.parse(JSON.stringify(head)), jCalOf(head));
  }
  return byHead.get(head);
}

function jCalOf(head: string): JCal | undefined {
  const whole = unusualHead.test(head) ? repairHead(head) : head;
  if (whole.length > maxParams && whole.replace(/"[^"]*"/g, '').split(';').length > maxParams) return undefined;
  try {
    return later().propertyOf(`${whole}:`);
  } catch {
    return undefined;
  }
}

/** Parameters that ical.js may refuse: a quote, a colon, or one without a value, as in `DUE;X:1`. */
const unusualHead = /[":]|;[^;="]*(?:;|$)/;

/**
 * Mends heads that some programs write and ical.js refuses or takes for a name: a quote that is never closed, a
 * parameter without `=`, an address of a zone without quotes.
 */
const repairHead = (head: string) =>
  head.replace(/"[^"]*"|"|;[^;="]*(?=;|$)|(?<==)[^;"]*:[^;"]*/g, found => {
    if (found.length === 1) return '';
    if (found[0] === ';') return `${found}=`;
    return found[0] === '"' ? found : `"${found}"`;
  });

/**
 * The content lines of a text, without blank lines. Never throws.
 *
 * @example
 * readLines('SUMMARY:Pay\r\n  rent\r\n')[0].value // 'Pay rent'
 */
export function readLines(source: string): ContentLine[] {
  const lines: ContentLine[] = [];
  // A lone CR ends a line only if no LF does; elsewhere it is dirt inside a value.
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
      lines.push(new ContentLine(text, from, next, first));
    }
    at = next;
  }
  return lines;
}

/** One unfolded line, as the raw columns hold them. */
export const parseLine = (text: string): ContentLine => new ContentLine(text);

/**
 * The parameter of that name (upper case), its values joined; undefined if there is none.
 *
 * @example
 * paramOf(parseLine('DUE;TZID=Europe/Berlin:20261224T150000'), 'TZID') // 'Europe/Berlin'
 */
export function paramOf({ jCal }: ContentLine, name: string): string | undefined {
  if (!jCal) return undefined;
  const [, params, type] = jCal;
  if (name === 'VALUE') return type === noType ? undefined : type;
  const value = params[name.toLowerCase()];
  return typeof value === 'string' ? value : value?.join(',');
}

/**
 * A new line. Characters that would end a parameter early are encoded (RFC 6868) or left out.
 *
 * @example
 * formatLine('DUE', '20261224', [['VALUE', 'DATE']]) // 'DUE;VALUE=DATE:20261224'
 */
export const formatLine = (name: string, value: string, params: readonly NewParam[] = []): string =>
  later().formatProperty([name, cleanParams(params), noType, value]);

/** A line with another value. Its parameters stay as they were written, except those of `without`. */
export function withValue(
  { head, name, jCal }: ContentLine,
  value: string,
  without: readonly string[] = [],
  adding: readonly NewParam[] = [],
): string {
  if (!jCal) return formatLine(name, value, adding);
  if (adding.length === 0 && !head.includes(';')) return `${head}:${value}`;
  let isKept = true;
  const kept = head.replace(/"[^"]*"|;([^;="]*)|[^;"]+|"/g, (part: string, param?: string) => {
    if (param !== undefined) isKept = !without.includes(param.trim().toUpperCase());
    return isKept ? part : '';
  });
  return kept + formatLine('', value, adding);
}

const cleanParams = (params: readonly NewParam[]): Params =>
  Object.fromEntries(params.map(([name, value]) => [name.toLowerCase(), cleanText(value)]));

/** Folded, and ended with `newline`. Every line that we write comes through here, and what would end it early is left out. */
export function foldLine(line: string, newline: string): string {
  const text = cleanLine(line);
  if (text.length <= foldLength && !/[^\x00-\x7f]/.test(text)) return text + newline;
  return later().folded(text, newline, foldLength) + newline;
}

/**
 * Resolves the escapes of a TEXT value, `\:` and `\"` of some programs among them. Others keep the backslash: `C:\temp`.
 *
 * @example
 * unescapeText('Milk\\, eggs\\nBread') // 'Milk, eggs\nBread'
 */
export const unescapeText = (value: string): string =>
  value.includes('\\')
    ? later().textType.fromICAL(value.replace(/\\([\\:"])/g, (pair, sign) => (sign === '\\' ? pair : sign)))
    : value;

/**
 * @example
 * escapeText('Milk, eggs\nBread') // 'Milk\\, eggs\\nBread'
 */
export const escapeText = (text: string): string => later().textType.toICAL(text);

/** The line end of the first line, which most of the text uses as well; CRLF if there is none. */
export function newlineOf(source: string): string {
  const lf = source.indexOf('\n');
  if (lf > 0) return source[lf - 1] === '\r' ? '\r\n' : '\n';
  return lf < 0 && source.includes('\r') ? '\r' : '\r\n';
}

/** Makes all line ends CRLF, as iCalendar is sent: an XML response has LF instead. */
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
