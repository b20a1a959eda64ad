import { typed } from './typedKey';

let isOpen = false;
const chordKeys = new WeakSet<Event>();

/** The key after Ctrl+K is the editor's: the two together are one of its shortcuts. */
export const endsChord = (event: Event): boolean => chordKeys.has(event);

/** Watches every key before anything else takes it. */
export function watchChords(): void {
  const watch = (event: KeyboardEvent) => {
    if (['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return;
    if (isOpen) chordKeys.add(event);
    isOpen = !isOpen && (event.ctrlKey || event.metaKey) && typed(event) === 'k';
  };
  window.addEventListener('keydown', watch, true);
}
