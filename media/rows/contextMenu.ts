/** Opens VS Code's own menu below an element, `inset` pixels from its left edge, as a right click there does. */
export function openMenuBelow(element: Element, inset = 0): void {
  const { left, bottom } = element.getBoundingClientRect();
  const corner = { clientX: left + inset, clientY: bottom };
  element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, composed: true, ...corner }));
}
