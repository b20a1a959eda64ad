/** Property parameters (RFC 5545 3.2) with the caret encoding of RFC 6868. */
export interface Param {
  /** Upper case. */
  readonly name: string;
  /** Unquoted and decoded. */
  readonly values: readonly string[];
  /** As written, without the leading semicolon. */
  readonly raw: string;
}

interface Head {
  readonly name: string;
  readonly params: readonly Param[];
  /** Characters before the colon that begins the value. */
  readonly length: number;
}

const noParams: readonly Param[] = [];

/** What stands before the value of a content line; undefined where the line is none. */
export function parseHead(text: string): Head | undefined {
  let end = 0;
  while (isNameCode(text.charCodeAt(end))) end++;
  const after = text[end];
  if (end === 0 || (after !== ':' && after !== ';')) return undefined;
  const name = text.slice(0, end).toUpperCase();
  if (after === ':') return { name, params: noParams, length: end };
  return parseParams(text, end, name, true) ?? parseParams(text, end, name, false);
}

/** A letter, a digit, `-` or `_`; not the NaN behind the end. A loop, since every line of every text comes by here. */
const isNameCode = (code: number) =>
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2d ||
  code === 0x5f;

/** With `quotes` false a quote is a character as any other: the second try for a quote that nobody closed. */
function parseParams(text: string, from: number, name: string, quotes: boolean): Head | undefined {
  const params: Param[] = [];
  let at = from;
  while (text[at] === ';') {
    const start = at + 1;
    at = start;
    while (at < text.length && !';:'.includes(text[at]!)) {
      if (quotes && text[at] === '"') {
        at = text.indexOf('"', at + 1);
        if (at < 0) return undefined;
      }
      at++;
    }
    params.push(parseParam(text.slice(start, at)));
  }
  return text[at] === ':' ? { name, params, length: at } : undefined;
}

function parseParam(raw: string): Param {
  const equals = raw.indexOf('=');
  if (equals < 0) return { name: raw.trim().toUpperCase(), values: [], raw };
  const name = raw.slice(0, equals).trim().toUpperCase();
  const text = raw.slice(equals + 1);
  const values = text.includes('"') ? (text.match(/(?:"[^"]*"|[^,"])+|(?<=,|^)(?=,|$)/g) ?? [text]) : text.split(',');
  return { name, values: values.map(value => decode(value.replaceAll('"', ''))), raw };
}

/** `;NAME=value`, quoted and encoded as needed. Control characters cannot be written and are left out. */
export function formatParam(name: string, value: string): string {
  const encoded = value
    .replace(/\^/g, '^^')
    .replace(/\r\n?|\n/g, '^n')
    .replace(/"/g, "^'")
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');
  return /[,;:]/.test(encoded) ? `;${name}="${encoded}"` : `;${name}=${encoded}`;
}

const decode = (value: string) =>
  value.includes('^')
    ? value.replace(/\^([\^n'])/g, (_, code) => (code === 'n' ? '\n' : code === "'" ? '"' : '^'))
    : value;
