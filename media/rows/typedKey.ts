/** The letter on the key if the layout writes another script, else the typed one; capitals count as small ones. */
export function typed({ key, code }: KeyboardEvent): string {
  if (key.length !== 1) return key;
  if (/[a-z]/i.test(key)) return key.toLowerCase();
  return key > '\u024f' && code.startsWith('Key') ? code.slice(3).toLowerCase() : key;
}

/** Undo and redo by the keys that the editor has for them. */
export function historyAct(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return undefined;
  const key = typed(event);
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && event.ctrlKey ? 'redo' : undefined;
}

/** `?`, unless a text is being written. */
export const asksForKeys = ({ key, target }: KeyboardEvent): boolean =>
  key === '?' && !(target instanceof Element && target.closest('input, textarea, select'));
