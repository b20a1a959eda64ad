import names from 'color-name';

/** COLOR (RFC 7986 5.9) holds a CSS3 color name; the column holds signed 32-bit ARGB. */

// CSS4 added this one.
const { rebeccapurple, ...css3 } = names;

const byName = new Map(
  Object.entries(css3).map(([name, [red, green, blue]]) => [name, (red << 16) | (green << 8) | blue]),
);

/** Opaque ARGB of a CSS3 name in any case; undefined for any other text. */
export function colorOfName(name: string): number | undefined {
  const rgb = byName.get(name.trim().toLowerCase());
  return rgb === undefined ? undefined : rgb | 0xff000000 | 0;
}

/** The CSS3 name of a color, or of the one closest to it to the eye; alpha does not count. */
export function nameOfColor(argb: number): string {
  let nearest = 'black';
  let least = Number.POSITIVE_INFINITY;
  for (const [name, rgb] of byName) {
    const distance = distanceOf(argb, rgb);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

/** True if two colors are written as the same name. */
export const isSameColor = (a: number | null, b: number | null): boolean =>
  a === b || (a !== null && b !== null && nameOfColor(a) === nameOfColor(b));

/** Squared distance in RGB, weighted by how the eye takes red and blue at that redness ("redmean"). */
function distanceOf(a: number, b: number): number {
  const part = (color: number, shift: number) => (color >> shift) & 0xff;
  const red = (part(a, 16) + part(b, 16)) / 2;
  const [dr, dg, db] = [16, 8, 0].map(shift => part(a, shift) - part(b, shift)) as [number, number, number];
  return (2 + red / 256) * dr * dr + 4 * dg * dg + (2 + (255 - red) / 256) * db * db;
}
