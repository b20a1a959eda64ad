import type { SqlValue } from '../types';

/** The prefix of every digest of `digest`; those of release 1.1.0 and before are of the row's JSON text. */
const prefix = '2.';

const one = 0x811c9dc5;
const [factorOne, factorTwo] = [0x01000193, 0x9e3779b1];

/**
 * A digest that shows if a row is unchanged: 64 bits (FNV-1a and a multiplicative mix), no defence against anyone. The
 * mix is written out each time, which takes half the time.
 */
export function digest(image: readonly SqlValue[]): string {
  let a = one;
  let b = image.length;
  for (const value of image) {
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
    const text = value === null || isNumber ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    const low = isNumber ? value | 0 : text.length;
    const high = isNumber
      ? Math.floor(value / 2 ** 32) * 4 + 1
      : value === null
        ? 0
        : typeof value === 'string'
          ? 2
          : 3;
    a = Math.imul(a ^ low, factorOne);
    b = Math.imul(b + low, factorTwo) ^ (b >>> 15);
    a = Math.imul(a ^ high, factorOne);
    b = Math.imul(b + high, factorTwo) ^ (b >>> 15);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, factorOne);
      b = Math.imul(b + code, factorTwo) ^ (b >>> 15);
    }
  }
  return prefix + inText(a, b);
}

/** True if a row has the digest that a step has kept. */
export const isOfDigest = (image: readonly SqlValue[], mark: string | undefined): boolean =>
  mark !== undefined && (mark.startsWith(prefix) ? digest : textDigest)(image) === mark;

/** The digest of a row's JSON text. */
function textDigest(image: readonly SqlValue[]): string {
  const text = JSON.stringify(image);
  let a = one;
  let b = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, factorOne);
    b = Math.imul(b + code, factorTwo) ^ (b >>> 15);
  }
  return inText(a, b);
}

const inText = (a: number, b: number) => `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
