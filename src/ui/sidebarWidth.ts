import { Emitter } from '../core/kernel/events';

const changed = new Emitter<void>();
let width: number | undefined;

/** Wider than this, a title is worth more than the date after it, which the editor cuts first. In pixels. */
const narrowMaxWidth = 250;

/** The width of a narrow sidebar in pixels, once Today has been in it: the editor reports it to pages, not to trees. */
export const sidebarWidth = {
  onDidChange: changed.event,
  get current() {
    return width;
  },
  set(pixels: number): void {
    const narrow = pixels > narrowMaxWidth ? undefined : pixels;
    if (narrow === width) return;
    width = narrow;
    changed.fire();
  },
};
