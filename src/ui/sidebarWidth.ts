import { Emitter } from '../core/events';

const changed = new Emitter<void>();
let width: number | undefined;

/** How wide the sidebar is, in pixels, once Today has been in it: the editor tells pages, not trees. */
export const sidebarWidth = {
  onDidChange: changed.event,
  get current() {
    return width;
  },
  set(pixels: number): void {
    if (pixels === width) return;
    width = pixels;
    changed.fire();
  },
};
