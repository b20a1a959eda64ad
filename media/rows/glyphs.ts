import { html } from 'lit';

/** Small pictures in the text's own color; the words next to them have the meaning. */
const glyph = (path: string) => html`
  <svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>
`;

export const tick = glyph('M4.2 8.3 7 11l5-6');
/** The strokes of each priority, without its color, as in src/ui/text/taskIcon.ts. */
export const strokes = {
  high: glyph('M4.2 4.6v4.2m0 2.8v.1M8 3.8v5m0 2.8v.1M11.8 4.6v4.2m0 2.8v.1'),
  medium: glyph('M5.8 4v4.8m0 2.8v.1M10.2 4v4.8m0 2.8v.1'),
  low: glyph('M8 3.8v5m0 2.8v.1'),
};
export const calendar = glyph('M2.5 4.5h11v9h-11zM2.5 7h11M5.5 2.5v2M10.5 2.5v2');
export const more = glyph('M3.3 8h.4M7.8 8h.4M12.3 8h.4');
export const chevron = glyph('M6 4l4 4-4 4');
export const repeat = glyph('M3 7.5A5 5 0 0 1 12 5l1.5 1.5M13.5 3v3.5H10M13 8.5A5 5 0 0 1 4 11l-1.5-1.5M2.5 13V9.5H6');
export const bell = glyph('M4 11V7.5a4 4 0 0 1 8 0V11l1 1.5H3zM6.8 14.2h2.4');
export const postpone = glyph('M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM5 8h5.5M8.3 5.7 10.7 8l-2.4 2.3');
export const snooze = glyph('M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3.2l2.2 1.6');
export const watch = glyph('M8 4.5a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6zM8 6.8v2.7h2M6.3 2h3.4');
export const lock = glyph('M5.5 7V5a2.5 2.5 0 0 1 5 0v2M3.5 7h9v6.5h-9z');
/** A private task: the lock stands for a blocked one. */
export const key = glyph('M7.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM7.5 8h6v2.5M10.8 8v2');
export const link = glyph('M6 3.5H3.5v9h9V10M9 3.5h3.5V7M12.3 3.7 7.5 8.5');
export const person = glyph('M8 8a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5zM3 13.5a5 5 0 0 1 10 0');
export const notes = glyph('M3.5 4.5h9M3.5 8h9M3.5 11.5h5');
export const upload = glyph('M8 13V4M4.5 7.5 8 4l3.5 3.5');
export const plus = glyph('M8 3v10M3 8h10');
export const warning = glyph('M8 2.5 14 13H2zM8 6.3v3.4M8 11.4v.1');
export const close = glyph('M4.5 4.5l7 7M11.5 4.5l-7 7');
