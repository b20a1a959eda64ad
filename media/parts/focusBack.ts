/**
 * The editor hands the focus back to the page as a whole, after a menu or a picker. It goes to what had it before, or
 * where nothing had it yet to what `first` names: on the body no key does anything.
 */
export function takeFocusBack(first: () => HTMLElement | null): void {
  let last: Element | undefined;
  document.addEventListener('focusin', event => {
    last = event.target as Element;
  });
  window.addEventListener('focus', () => {
    // A click that brings the focus gives it to its own target right after.
    setTimeout(() => {
      // A picker that a menu opened may have it by now: taken from there, the picker would close.
      if (document.activeElement !== document.body || !document.hasFocus()) return;
      ((last?.isConnected ? last : first()) as HTMLElement | null)?.focus({ preventScroll: true });
    });
  });
}
