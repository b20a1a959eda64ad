/** `#rrggbb` of a signed ARGB. */
export const cssColor = (argb: number) => `#${(argb & 0xffffff).toString(16).padStart(6, '0')}`;
