import type { RowAct } from '../../src/views/protocol';

/** What a key does to the active row, or to all selected ones. The help overlay shows the same table. */
export const rowKeys: Readonly<Record<string, RowAct>> = {
  ' ': 'complete',
  Enter: 'open',
  F2: 'rename',
  Delete: 'delete',
  d: 'due',
  s: 'postpone',
  p: 'priority',
  t: 'tags',
  m: 'list',
};

/** Priorities by their number key, as they are written (RFC 5545 3.8.1.9). */
export const priorityKeys: Readonly<Record<string, number>> = { 1: 1, 2: 5, 3: 9, 0: 0 };

/** The letter on the key where the layout writes another script, else what was typed; capitals count as small ones. */
export function typed({ key, code }: KeyboardEvent): string {
  if (key.length !== 1) return key;
  if (/[a-z]/i.test(key)) return key.toLowerCase();
  return key > '\u024f' && code.startsWith('Key') ? code.slice(3).toLowerCase() : key;
}
