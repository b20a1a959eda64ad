import { html, nothing } from 'lit';
import { type Rgb, visibleOn } from '../../src/shared/contrast';
import { cssVars } from './cssVar';

let paper: Rgb | undefined;
let themes = 0;
const found = new Map<string, string>();

/**
 * The color in which a list is drawn. The user or a server chooses a list's color, which may be hardly visible in a theme:
 * it is made lighter or darker until it stands out from the page.
 */
export function listColor(color: string): string {
  let drawn = found.get(color);
  if (drawn === undefined) {
    paper ??= readRgb(getComputedStyle(document.body).backgroundColor);
    drawn = paper ? visibleOn(color, paper) : color;
    found.set(color, drawn);
  }
  return drawn;
}

/** The dot of a list, if it has a color. */
export const listDot = (color: string | undefined) =>
  color ? html`<i class="dot" ${cssVars({ '--list': listColor(color) })}></i>` : nothing;

/** A number that differs after each change of the theme, so that everything with list colors is drawn again. */
export const themeNumber = () => themes;

/** Calls back after a change of the theme, with which the page's background changes. */
export function onThemeChange(then: () => void): void {
  new MutationObserver(() => {
    paper = undefined;
    themes++;
    found.clear();
    then();
  }).observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
}

const readRgb = (text: string): Rgb | undefined => {
  const [, red, green, blue] = /^rgba?\((\d+), (\d+), (\d+)/.exec(text) ?? [];
  return red && green && blue ? [Number(red), Number(green), Number(blue)] : undefined;
};
