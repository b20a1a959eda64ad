import type { LitElement, ReactiveController } from 'lit';

const focusable =
  'input:not(:disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled), [tabindex="0"]';

/**
 * If an update removes the focused element, the focus goes to the nearest one: otherwise the page would have it, and
 * the next Tab would begin at the top. `next` returns another element.
 */
export class FocusKeeper implements ReactiveController {
  /** The element with the focus before the update, and those around it. */
  #path: readonly Element[] = [];
  /** The element right before each of those. */
  #before: readonly (Element | null)[] = [];
  /** The focus was lost, and no element could take it yet. */
  #isHomeless = false;

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
    this.#before = this.#path.map(one => one.previousElementSibling);
  }

  hostUpdated(): void {
    const [lost, ...outer] = this.#path;
    const befores = this.#before;
    if (lost ? lost.isConnected : !this.#isHomeless) return;
    // The element in its place may draw itself in an update of its own.
    setTimeout(() => {
      this.#isHomeless = false;
      // Another part of the editor may have taken the focus, and keeps it.
      if (document.activeElement !== document.body || !document.hasFocus()) return;
      const ancestors = [...outer, this.host];
      const at = ancestors.findIndex(one => one.isConnected && one.querySelector(focusable));
      // The elements before the part that was removed with the focus.
      const before = befores[at]?.isConnected ? [...befores[at].querySelectorAll<HTMLElement>(focusable)].at(-1) : null;
      const element = this.next ? this.next() : (before ?? ancestors[at]?.querySelector<HTMLElement>(focusable));
      element?.focus();
      this.#isHomeless = !element;
    });
  }
}
