import { restoreFocus } from '../focus/restoreFocus';

/**
 * The first focus of the page of a task. The editor focuses a page on many occasions: a question closes, a tab closes.
 * Text that is typed then must not end up in the title, so only a page that was opened for editing begins there.
 */
export class FirstFocus {
  /** The task was opened to be edited, and no part of the page has had the focus since. */
  #isToEdit = false;

  constructor(private readonly form: HTMLElement) {
    restoreFocus(() => this.#first());
    form.addEventListener('focusin', ({ target }) => {
      if (target !== this.#heading) this.#isToEdit = false;
    });
  }

  /** The user has opened the task to edit it. The page may get the focus before or after this message. */
  edit(): void {
    this.#isToEdit = true;
    const isNowhere = [document.body, this.#heading].includes(document.activeElement as HTMLElement);
    if (document.hasFocus() && isNowhere) this.#first()?.focus();
  }

  /** The heading can have the focus and takes no text; a screen reader reads it. */
  get #heading(): HTMLElement | null {
    return this.#find('h1');
  }

  #first(): HTMLElement | null {
    const title = this.#isToEdit ? this.#find('#title:enabled') : null;
    return this.#find('dueline-chip-input input') ?? title ?? this.#heading ?? this.#find('button');
  }

  #find = (selector: string) => this.form.querySelector<HTMLElement>(selector);
}
