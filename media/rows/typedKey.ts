/** The letter on the key if the layout writes another script, else the typed one; capitals count as small ones. */
export function typed({ key, code }: KeyboardEvent): string {
  if (key.length !== 1) return key;
  if (/[a-z]/i.test(key)) return key.toLowerCase();
  return key > '\u024f' && code.startsWith('Key') ? code.slice(3).toLowerCase() : key;
}

/** `?`, unless a text is being written. */
export const asksForKeys = ({ key, target }: KeyboardEvent): boolean =>
  key === '?' && !(target instanceof Element && target.closest('input, textarea, select'));
