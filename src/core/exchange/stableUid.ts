/**
 * UIDs for formats that have none: the same words under the same parent in the same list have the same UID, so that
 * importing a file again updates its tasks, also those ticked or dated in between.
 */
export class StableUids {
  readonly #seen = new Map<string, number>();

  constructor(private readonly listKey: string) {}

  /** Equal siblings are distinguished by their order. */
  next(title: string, parentUid: string | null): string {
    const key = `${this.listKey}\n${parentUid ?? ''}\n${title.normalize('NFC').trim()}`;
    const count = this.#seen.get(key) ?? 0;
    this.#seen.set(key, count + 1);
    return uuidOf(`${key}\n${count}`);
  }
}

/** A UUID (version 8: own scheme, RFC 9562) made of a text. Not for secrets: only to distinguish texts. */
export function uuidOf(text: string): string {
  const hex = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map(seed => mix(text, seed)).join('');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** 32 bits: multiply and rotate by code unit, avalanche at the end. */
function mix(text: string, seed: number): string {
  let hash = seed ^ text.length;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995 ^ seed);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0');
}
