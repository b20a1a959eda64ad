const ascii = /^[\x00-\x7f]*$/;

/**
 * Text as it is compared: without case, accents and compatibility forms, so that "CAFÉ" finds "café" and "ﬁle" finds
 * "File". Length may change.
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/ı/g, 'i');
}

export const isAscii = (text: string): boolean => ascii.test(text);
