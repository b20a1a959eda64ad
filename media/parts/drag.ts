import { tell } from './host';

const kind = 'application/x-dueline-rows';

/** Rows travel by their keys, which mean something within this page only. */
export function startDrag(event: DragEvent, keys: readonly string[]): void {
  event.dataTransfer?.setData(kind, JSON.stringify(keys));
  if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
}

/** Shows where it would land. */
export function allowDrop(event: DragEvent): void {
  if (!event.dataTransfer?.types.includes(kind)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'move';
  (event.currentTarget as HTMLElement).classList.add('landing');
}

export function endDrop(event: DragEvent): void {
  const target = event.currentTarget as HTMLElement;
  if (!target.contains(event.relatedTarget as Node | null)) target.classList.remove('landing');
}

export function takeDrop(event: DragEvent, group: string): void {
  (event.currentTarget as HTMLElement).classList.remove('landing');
  const said = event.dataTransfer?.getData(kind);
  if (!said) return;
  event.preventDefault();
  tell({ type: 'move', keys: JSON.parse(said) as string[], group });
}
