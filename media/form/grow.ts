import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

/** Keeps a text field as high as its text if the editor's browser has no `field-sizing` of CSS for it. */
class Grow extends Directive {
  #area: HTMLElement | undefined;
  // Another width breaks the lines elsewhere.
  readonly #watch = new ResizeObserver(() => this.#fit());

  override render() {
    return noChange;
  }

  override update({ element }: ElementPart) {
    if (CSS.supports('field-sizing', 'content')) return noChange;
    if (this.#area !== element) {
      this.#area = element as HTMLElement;
      this.#area.addEventListener('input', () => this.#fit());
      this.#watch.disconnect();
      this.#watch.observe(this.#area);
    }
    // The value is set with the others of this update.
    queueMicrotask(() => this.#fit());
    return noChange;
  }

  #fit(): void {
    const area = this.#area!;
    area.style.setProperty('block-size', 'auto');
    area.style.setProperty('block-size', `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`);
  }
}

export const grow = directive(Grow);
