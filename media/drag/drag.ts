import type { Side } from '../../src/shared/widgetProtocol';
import { tell } from '../page/host';

const kind = 'application/x-dueline-rows';

/** Rows travel by their keys, which mean something within this page only. */
export function startDrag(event: DragEvent, keys: readonly string[]): void {
  event.dataTransfer?.setData(kind, JSON.stringify(keys));
  if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
}

export const carriesRows = (event: DragEvent) => event.dataTransfer?.types.includes(kind) ?? false;

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
export const isGone = (event: DragEvent) =>
  !(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null);

function carried(event: DragEvent): string[] {
  const data = event.dataTransfer?.getData(kind);
  if (!data) return [];
  event.preventDefault();
  event.stopPropagation();
  return JSON.parse(data) as string[];
}

export function dropInto(event: DragEvent, group: string): void {
  const keys = carried(event);
  if (keys.length > 0) tell({ type: 'move', keys, group });
}

export function dropBeside(event: DragEvent, beside: string, side: Side): void {
  const keys = carried(event);
  if (keys.length > 0) tell({ type: 'order', keys, beside, side });
}
