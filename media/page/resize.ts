import type { LitElement, ReactiveController } from 'lit';

let pageSize = { width: window.innerWidth, height: window.innerHeight };

window.addEventListener('resize', () => {
  pageSize = { width: window.innerWidth, height: window.innerHeight };
});

/** Asking the window itself would have the browser lay the page out, in the middle of a drawing. */
export const sizeOfPage = () => pageSize;

const connected = new Set<ResizeController>();

/**
 * One for all elements: each column that was drawn again before the next one is measured would have the browser lay the
 * page out.
 */
const observer = new ResizeObserver(entries => {
  const resized = new Set(entries.map(({ target }) => target));
  const reports = [...connected].filter(({ element }) => resized.has(element)).map(controller => controller.measure());
  for (const report of reports) report?.();
});

/** Reports every change of an element's size while it is in the document: a column that moves leaves it for a moment. */
export class ResizeController implements ReactiveController {
  #width = 0;
  #height = 0;

  /** `isWidth`: it became wider or narrower; else it became higher or lower. */
  constructor(
    readonly element: LitElement,
    private readonly onResize: (isWidth: boolean) => void,
  ) {
    element.addController(this);
  }

  /** The height as last observed; asking the element itself would have the browser lay the page out. */
  get height(): number {
    return this.#height;
  }

  get width(): number {
    return this.#width;
  }

  hostConnected(): void {
    connected.add(this);
    observer.observe(this.element);
  }

  hostDisconnected(): void {
    connected.delete(this);
    observer.unobserve(this.element);
  }

  /** Returns what reports the change, if there is one. */
  measure(): (() => void) | undefined {
    const { clientWidth, clientHeight } = this.element;
    const isWidth = this.#width !== 0 && this.#width !== clientWidth;
    const isHeight = this.#height !== clientHeight;
    [this.#width, this.#height] = [clientWidth, clientHeight];
    return isWidth || isHeight ? () => this.onResize(isWidth) : undefined;
  }
}

/** Draws an element again when a media query begins or ceases to match, while it is in the document. */
export class MediaController implements ReactiveController {
  readonly #query: MediaQueryList;

  constructor(
    private readonly element: LitElement,
    query: string,
  ) {
    this.#query = matchMedia(query);
    element.addController(this);
  }

  get matches(): boolean {
    return this.#query.matches;
  }

  hostConnected(): void {
    this.#query.addEventListener('change', this.#onChange);
  }

  hostDisconnected(): void {
    this.#query.removeEventListener('change', this.#onChange);
  }

  #onChange = () => this.element.requestUpdate();
}
