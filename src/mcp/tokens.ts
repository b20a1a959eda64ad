/**
 * The number of tokens of a text for a language model, from above, since models differ: a quarter of its UTF-8 bytes,
 * or the number of pieces as byte pair encodings cut them (six letters, three digits, two signs, one of any other
 * script), whichever is more.
 */
export function tokensOf(text: string): number {
  let pieces = 0;
  for (const [piece] of text.matchAll(/[A-Za-z]+|\d+|[^\0-\x7f]|[^\sA-Za-z\d]+/g)) {
    const isLetters = /^[A-Za-z]/.test(piece);
    pieces += Math.ceil(piece.length / (isLetters ? 6 : /^\d/.test(piece) ? 3 : 2));
  }
  return Math.max(pieces, Math.ceil(new TextEncoder().encode(text).length / 4));
}

/** The beginning of a text that costs no more than `most`. */
export function truncate(text: string, most: number): string {
  if (tokensOf(text) <= most) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (tokensOf(text.slice(0, middle)) <= most) fits = middle;
    else tooLong = middle;
  }
  const isHalf = /[\ud800-\udbff]/.test(text[fits - 1] ?? '');
  return text.slice(0, isHalf ? fits - 1 : fits);
}
