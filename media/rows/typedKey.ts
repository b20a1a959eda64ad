/** The letter on the key where the layout writes another script, else what was typed; capitals count as small ones. */
export function typed({ key, code }: KeyboardEvent): string {
  if (key.length !== 1) return key;
  if (/[a-z]/i.test(key)) return key.toLowerCase();
  return key > '\u024f' && code.startsWith('Key') ? code.slice(3).toLowerCase() : key;
}

/** `?` where no text is written. */
export const asksForKeys = ({ key, target }: KeyboardEvent): boolean =>
  key === '?' && !(target instanceof Element && target.closest('input, textarea, select'));
