import type { RowAct } from '../../src/shared/widgetProtocol';

/** The keys of the active row, or of all selected ones. The help overlay shows the same table. */
export const rowKeys: Readonly<Record<string, RowAct>> = {
  ' ': 'complete',
  Enter: 'open',
  F2: 'rename',
  Delete: 'delete',
  d: 'due',
  r: 'repeat',
  s: 'postpone',
  z: 'snooze',
  o: 'openLink',
  p: 'priority',
  t: 'tags',
  m: 'list',
  e: 'editAsText',
};
