import type { Message } from '../kernel/message';
import { importMessage } from './messages';
import type { ImportResult } from './types';

/** The text in the bytes of a file. `isGuess`: nothing in them shows their encoding. */
interface DecodedText {
  readonly text: string;
  readonly isGuess: boolean;
}

/**
 * UTF-16 and UTF-8 by their mark, UTF-16 without one by the zeros that a text does not have otherwise, UTF-8 if all of
 * it is, whatever a server declares. In any other text without a `charset`, each line that is not UTF-8 is in Windows-1252, in
 * which Windows programs of Western Europe and the Americas save: one bad byte does not change the other lines. The mark of
 * UTF-8 stays, so that a file which is written again keeps it.
 */
export function decodeText(bytes: Uint8Array, charset?: string): DecodedText {
  const utf16 = utf16Of(bytes);
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), isGuess: false };
  const text = utf8(bytes) ?? utf8(withoutSplits(bytes)) ?? (charset && declared(bytes, charset));
  return text === undefined ? { text: byLine(bytes), isGuess: true } : { text, isGuess: false };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined if the encoding is unknown, or one of those that are told apart line by line. */
function declared(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const decoder = new TextDecoder(charset);
    return ['utf-8', 'windows-1252'].includes(decoder.encoding) ? undefined : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Simple programs fold a line of iCalendar in the middle of a character, which is one again without the fold (RFC 5545 3.1). */
function withoutSplits(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const end = bytes[at] === 0x0d ? at + 1 : at;
    const isFold = bytes[end] === 0x0a && (bytes[end + 1] === 0x20 || bytes[end + 1] === 0x09);
    // No character begins with such a byte.
    if (isFold && (bytes[end + 2] ?? 0) >> 6 === 0b10) at = end + 1;
    else whole[length++] = bytes[at]!;
  }
  return whole.subarray(0, length);
}

/** No decoder takes a line feed for a part of a character, so both have the same lines. */
function byLine(bytes: Uint8Array): string {
  const lines = windows1252(bytes).split('\n');
  const read = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\n');
  return read.map((line, at) => (line.includes('\ufffd') ? lines[at] : line)).join('\n');
}

/**
 * The characters of Windows-1252 from 0x80 to 0x9F. Node.js 20 reads it as ISO 8859-1, in which these are control
 * characters.
 */
const specials = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const windows1252 = (bytes: Uint8Array): string =>
  new TextDecoder('windows-1252')
    .decode(bytes)
    .replace(/[\x80-\x9f]/g, control => specials[control.charCodeAt(0) - 0x80]!);

function utf16Of([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d)) return 'utf-16be';
  return undefined;
}

/** Zeros all over: a binary file, or UTF-16 that was read as something else. One may have come into any text. */
export function noText(text: string): ImportResult | undefined {
  const begin = text.slice(0, 1000);
  if (begin.split('\0').length - 1 <= begin.length / 10) return undefined;
  return { tasks: [], skipped: [importMessage('binaryFile')], left: 1, partly: 0 };
}

/** The sign for bytes that a reader could not read. */
export const lostCharacters = (text: string): readonly Message[] =>
  text.includes('\ufffd') ? [importMessage('unreadableCharacters')] : [];
