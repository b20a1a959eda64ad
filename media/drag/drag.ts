import type { Side } from '../../src/shared/widgetProtocol';
import { post } from '../page/hostMessages';

const kind = 'application/x-dueline-rows';

/** Rows travel by their keys, which mean something within this page only. */
export function startDrag(event: DragEvent, keys: readonly string[]): void {
  event.dataTransfer?.setData(kind, JSON.stringify(keys));
  if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
}

/** The MIME types of the trees' drags, which the editor passes to pages while Shift is held. */
const treeKinds = ['lists', 'filters'].map(tree => `application/vnd.code.tree.dueline.${tree}`);

const carries = (event: DragEvent, kinds: readonly string[]) =>
  event.dataTransfer?.types.some(type => kinds.includes(type)) ?? false;

export const carriesOwnRows = (event: DragEvent) => carries(event, [kind]);
export const carriesRows = (event: DragEvent) => carries(event, [kind, ...treeKinds]);

export function allowDrop(event: DragEvent): void {
  event.preventDefault();
  event.stopPropagation();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'move';
}

/** On which half of an element the pointer is. */
export function sideOf(event: DragEvent, element: Element): Side {
  const { top, height } = element.getBoundingClientRect();
  return event.clientY < top + height / 2 ? 'before' : 'after';
}

/** The pointer has left the element and all that is in it. */
export const hasLeft = (event: DragEvent) =>
  !(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null);

function carried(event: DragEvent): string[] {
  if (!carriesRows(event)) return [];
  event.preventDefault();
  event.stopPropagation();
  const data = event.dataTransfer?.getData(kind);
  return data ? (JSON.parse(data) as string[]) : [];
}

/** Returns the key of the first row of this page that was dropped. */
export function dropInto(event: DragEvent, group: string, hour?: number): string | undefined {
  const keys = carried(event);
  const target = { group, ...(hour === undefined ? {} : { hour }) };
  if (keys.length > 0) post({ type: 'move', keys, ...target });
  else if (carries(event, treeKinds)) post({ type: 'moveDragged', ...target });
  return keys[0];
}

/** Returns the key of the first row that was dropped. */
export function dropBeside(event: DragEvent, otherKey: string, side: Side): string | undefined {
  const keys = carried(event);
  if (keys.length > 0) post({ type: 'order', keys, neighbor: otherKey, side });
  return keys[0];
}
