/** The contrast of graphics to their surroundings in WCAG 2.2 (1.4.11): 3 to 1. */
export const leastContrast = 3;

export type Rgb = readonly [red: number, green: number, blue: number];

const each = ([red, green, blue]: Rgb, change: (part: number) => number): Rgb => [
  change(red),
  change(green),
  change(blue),
];

/** `#rrggbb`, moved away from the page's own lightness as far as it must. */
export function visibleOn(color: string, page: Rgb): string {
  const own = readHex(color);
  if (!own) return color;
  const away = luminance(page) > 0.4 ? 0 : 255;
  for (let share = 0; share <= 1; share += 0.1) {
    const mixed = each(own, part => Math.round(part + (away - part) * share));
    if (contrast(mixed, page) >= leastContrast) return toHex(mixed);
  }
  return toHex([away, away, away]);
}

/** The darkest sidebar of light themes, and the lightest one of dark themes. */
const sideBars = { light: [243, 243, 243], dark: [44, 44, 44] } as const;

/** The same color for both kinds of themes, for code that does not know the theme yet. */
export const visibleInSideBar = (color: string) => ({
  light: visibleOn(color, sideBars.light),
  dark: visibleOn(color, sideBars.dark),
});

/** WCAG 2.2, "contrast ratio" and "relative luminance". */
export function contrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = each(color, part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const readHex = (text: string): Rgb | undefined => {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(text) ?? [];
  return red && green && blue ? [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)] : undefined;
};

const toHex = (color: Rgb) => `#${color.map(part => part.toString(16).padStart(2, '0')).join('')}`;
