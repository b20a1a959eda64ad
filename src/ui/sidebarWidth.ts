import type * as vscode from 'vscode';
import { Emitter } from '../core/kernel/events';

const changed = new Emitter<void>();
let width: number | undefined;
let state: vscode.Memento | undefined;

/** Wider than this, most titles and their dates have room. In pixels. */
const narrowMaxWidth = 340;
const key = 'dueline.sidebarWidth';

/** The width of a narrow sidebar in pixels, once Today has been in it: the editor reports it to pages, not to trees. */
export const sidebarWidth = {
  onDidChange: changed.event,
  get current() {
    return width;
  },
  /** The next window begins with the width that this one has: without it, the rows would be drawn twice at each start. */
  keepIn(workspaceState: vscode.Memento): void {
    state = workspaceState;
    width = state.get<number>(key);
  },
  set(pixels: number): void {
    const narrow = pixels > narrowMaxWidth ? undefined : pixels;
    if (narrow === width) return;
    width = narrow;
    void state?.update(key, narrow);
    changed.fire();
  },
};
