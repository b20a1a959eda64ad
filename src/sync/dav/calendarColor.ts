import { withAlpha } from './quirks';

/** calendar-color as `#RRGGBB` or `#RRGGBBAA` (some write three or four digits) to signed 32-bit ARGB. */
export function parseColor(text: string | undefined): number | null {
  const hex = text?.trim().match(/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i)?.[1];
  if (hex === undefined) return null;
  const long = hex.length <= 4 ? hex.replace(/./g, '$&$&') : hex;
  const alpha = long.length === 8 ? long.slice(6) : 'ff';
  return Number.parseInt(alpha + long.slice(0, 6), 16) | 0;
}

/** Signed 32-bit ARGB as `#RRGGBBAA`. */
export function formatColor(color: number): string {
  const hex = (color >>> 0).toString(16).padStart(8, '0');
  return withAlpha(hex.slice(2), hex.slice(0, 2));
}
