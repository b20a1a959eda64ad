const ascii = /^[\x00-\x7f]*$/;

/** Letters of the Arabic script that are written for each other, as searches in that script treat them. */
const letterVariants: Readonly<Record<string, string>> = { ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه' };

/**
 * Text as it is compared: without case, accents and compatibility forms, so that "CAFÉ" finds "café", "ﬁle" finds
 * "File", and "مدرسه ١٥" finds "مَدرسة 15". Length may change.
 *
 * @example
 * foldCase('CAFÉ') // 'cafe'
 */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .toLowerCase()
    .replace(/[ٱىیکة]/g, letter => letterVariants[letter]!)
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, digit => String(digit.charCodeAt(0) & 15))
    .replace(/ς/g, 'σ')
    .replace(/ı/g, 'i');
}

export const isAscii = (text: string): boolean => ascii.test(text);
