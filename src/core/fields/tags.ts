/**
 * The column `categories`: an RFC 5545 TEXT list, values escaped and joined by commas; '' holds none.
 */

export function encodeTags(tags: readonly string[]): string {
  return uniqueTags(tags).map(escapeTag).join(',');
}

export function decodeTags(categories: string): string[] {
  const tags: string[] = [];
  let tag = '';
  for (let at = 0; at < categories.length; at++) {
    const char = categories[at]!;
    if (char === ',') {
      tags.push(tag);
      tag = '';
    } else if (char === '\\' && at + 1 < categories.length) {
      const next = categories[++at]!;
      tag += next === 'n' || next === 'N' ? '\n' : next;
    } else {
      tag += char;
    }
  }
  tags.push(tag);
  return uniqueTags(tags);
}

/**
 * Trimmed, empty ones dropped, first of equal ones kept, order kept.
 *
 * @example
 * uniqueTags([' home', 'work', 'home', '']) // ['home', 'work']
 */
export function uniqueTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tag => tag.trim()).filter(tag => tag !== ''))];
}

/** Evolution writes several categories as one with commas in it; the user may mean one by that. */
export const tagParts = (tag: string): string[] => uniqueTags(tag.split(','));

/** The tags with one of them replaced by its parts. */
export const withTagSplit = (tags: readonly string[], tag: string): string[] =>
  uniqueTags(tags.flatMap(one => (one === tag ? tagParts(tag) : [one])));

const escapeTag = (tag: string) => tag.replace(/[\\,;]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');
