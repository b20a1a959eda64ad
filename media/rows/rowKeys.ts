import type { RowAct } from '../../src/shared/widgetProtocol';

/** What a key does to the active row, or to all selected ones. The help overlay shows the same table. */
export const rowKeys: Readonly<Record<string, RowAct>> = {
  ' ': 'complete',
  Enter: 'open',
  F2: 'rename',
  Delete: 'delete',
  d: 'due',
  s: 'postpone',
  z: 'snooze',
  p: 'priority',
  t: 'tags',
  m: 'list',
};
