import type { LitElement, ReactiveController } from 'lit';

const focusable =
  'input:not(:disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled), [tabindex="0"]';

/**
 * Where what had the focus goes away in an update, the focus goes to what stands nearest: without this the page would
 * have it, and the next Tab would begin at the top. `next` names another place.
 */
export class KeepsFocus implements ReactiveController {
  /** What had the focus before the update, and what it stood in. */
  #path: readonly Element[] = [];

  constructor(
    private readonly host: LitElement,
    private readonly next?: () => HTMLElement | null | undefined,
  ) {
    host.addController(this);
  }

  hostUpdate(): void {
    this.#path = [];
    for (let at = document.activeElement; at && this.host.contains(at); at = at.parentElement)
      this.#path = [...this.#path, at];
  }

  hostUpdated(): void {
    const [lost, ...around] = this.#path;
    if (!lost || lost.isConnected) return;
    // What comes in its place may draw itself in an update of its own.
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      if (this.next) this.next()?.focus();
      else
        around
          .find(({ isConnected }) => isConnected)
          ?.querySelector<HTMLElement>(focusable)
          ?.focus();
    });
  }
}
