/** Crockford's base32, without letters that look like digits or like each other. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

const prefix = 'dl-';
const least = 4;
/** `k7m2`, without the prefix. */
const wholeId = new RegExp(`^[${digits}]{${least},12}$`);

/** 60 bits of a UID as 12 digits. Distinguishes tasks, protects nothing. */
export function hashOfUid(uid: string): string {
  let high = 0x9e3779b1;
  let low = 0x85ebca6b;
  for (let at = 0; at < uid.length; at++) {
    const code = uid.charCodeAt(at);
    high = Math.imul(high ^ code, 0x5bd1e995);
    low = Math.imul(low ^ code, 0x1b873593);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  return digitsOf(mixed(high ^ low)) + digitsOf(mixed(low ^ Math.imul(high, 0xc2b2ae35)));
}

/** Every bit counts for every other one. */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return hash ^ (hash >>> 16);
}

/** 30 bits. */
function digitsOf(value: number): string {
  let text = '';
  for (let shift = 0; shift < 30; shift += 5) text += digits[(value >>> shift) & 31];
  return text;
}

/**
 * The digits of a short ID that the user types, with or without `dl-`; undefined if the text is not a short ID or too
 * short.
 *
 * @example
 * readShortId('DL-K3F9') // 'k3f9'
 */
export function readShortId(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  const bare = (typed.startsWith(prefix) ? typed.slice(prefix.length) : typed).replace(/o/g, '0').replace(/[il]/g, '1');
  return wholeId.test(bare) ? bare : undefined;
}

/** The words of a text that have the form of a short ID. */
export const shortIdWords = (text: string): RegExpExecArray[] => [...text.matchAll(/\bdl-[a-z\d]{4,12}\b/g)];

/** True if the `dl-` of a word says that it is a short ID. */
export const isShortId = (text: string): boolean =>
  text.trim().toLowerCase().startsWith(prefix) && readShortId(text) !== undefined;

/** The shortest ID of a task, which nearly every task has: few need more digits to be unique in their store. */
export const leastShortId = (uid: string): string => prefix + hashOfUid(uid).slice(0, least);

/**
 * UIDs of a store by the first digits of their hashes, so that as few digits as possible distinguish each from the
 * others. Nearly every prefix has one: no list is made for that, since a short-lived process pays for each of them.
 */
export class ShortIdIndex {
  readonly #byPrefix = new Map<string, string | string[]>();

  add(uid: string): void {
    const key = hashOfUid(uid).slice(0, least);
    const there = this.#byPrefix.get(key);
    if (there === undefined) this.#byPrefix.set(key, uid);
    else if (typeof there !== 'string') {
      if (!there.includes(uid)) there.push(uid);
    } else if (there !== uid) this.#byPrefix.set(key, [there, uid]);
  }

  /** Four digits, or one more than it has in common with any other. */
  shortIdOf(uid: string): string {
    const hash = hashOfUid(uid);
    let length = least;
    for (const other of this.#withSamePrefix(hash))
      if (other !== uid) {
        const otherHash = hashOfUid(other);
        while (length < hash.length && otherHash.startsWith(hash.slice(0, length))) length++;
      }
    return prefix + hash.slice(0, length);
  }

  /** The UIDs whose hash begins with these digits, four or more. */
  find(begin: string): string[] {
    return this.#withSamePrefix(begin).filter(uid => hashOfUid(uid).startsWith(begin));
  }

  #withSamePrefix(hash: string): readonly string[] {
    const there = this.#byPrefix.get(hash.slice(0, least)) ?? [];
    return typeof there === 'string' ? [there] : there;
  }
}
