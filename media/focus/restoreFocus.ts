/**
 * The editor hands the focus back to the page as a whole, after a menu or a picker. It goes to the element that had it
 * before, or if none had it yet, to the one that `first` names: on the body no key does anything.
 */
export function restoreFocus(first: () => HTMLElement | null): void {
  window.addEventListener('message', takeFromFrame, { once: true });
  let last: Element | undefined;
  document.addEventListener('focusin', event => {
    last = event.target as Element;
  });
  window.addEventListener('focus', () => {
    // A click that focuses the page moves the focus to its own target right after.
    setTimeout(() => {
      // A picker that a menu opened may have it by now: taken from there, the picker would close.
      if (document.activeElement !== document.body || !document.hasFocus()) return;
      ((last?.isConnected ? last : first()) as HTMLElement | null)?.focus({ preventScroll: true });
    });
  });
}

/** Acts once the page has the focus: a question that has just been closed may still have it. */
export function whenFocused(act: () => void): void {
  if (document.hasFocus()) act();
  else window.addEventListener('focus', act, { once: true });
}

/** Reports if the page's menu came up after the last key and click: it closes when the focus is taken from it. */
export function watchMenu(): () => boolean {
  let isOpen = false;
  const set = (value: boolean) => () => {
    isOpen = value;
  };
  window.addEventListener('focus', set(false));
  for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, set(false), { capture: true });
  document.addEventListener('contextmenu', set(true));
  return () => isOpen;
}

/** Longer than a picker takes to come up that a menu opens: taken from the frame before, the focus would close it. */
const focusDelayMs = 300;

/**
 * The editor gives the focus to the frame around the page, which the messages of the host come from, and which calls
 * the page's `focus` a moment later. Another page or the next picker may have the focus by then, and keeps it. If a
 * picker or a menu was left so soon that the page's own blur event comes in between, the frame does not call: then the
 * page takes the focus.
 */
function takeFromFrame({ source }: MessageEvent): void {
  const frame = source as Window;
  const focusPage = window.focus.bind(window);
  const take = () => setTimeout(() => window.focus(), focusDelayMs);
  try {
    frame.addEventListener('focus', take);
    window.focus = () => {
      if (frame.document.hasFocus() && !document.hasFocus()) focusPage();
    };
    window.addEventListener('pagehide', () => frame.removeEventListener('focus', take));
  } catch {
    // A frame of another origin does not reveal when it has the focus: it remains with the editor.
  }
}
