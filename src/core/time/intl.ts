/**
 * Building an Intl format costs more than parsing a line, so each is built once, by its locale and the caller's name
 * for its options. For a locale that is not a BCP 47 tag, en-US is used.
 */
function cached<Options, Format>(Build: new (locale: string, options: Options) => Format) {
  const built = new Map<string, Format>();
  return (locale: string, name: string, options: Options): Format => {
    const key = `${locale} ${name}`;
    const known = built.get(key);
    if (known) return known;
    let format: Format;
    try {
      format = new Build(locale, options);
    } catch {
      format = new Build('en-US', options);
    }
    built.set(key, format);
    return format;
  };
}

const dateFormat = cached<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat);
export const numberFormat = cached<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat);
export const listFormat = cached<Intl.ListFormatOptions, Intl.ListFormat>(Intl.ListFormat);

/** Shown again at every key press; few differ. */
const formatted = new Map<string, string>();

/** A civil value as text. */
export function formatCivil(locale: string, name: string, options: Intl.DateTimeFormatOptions, civil: number): string {
  const key = `${locale} ${name} ${civil}`;
  let text = formatted.get(key);
  if (text === undefined) {
    if (formatted.size >= 500) formatted.clear();
    text = dateFormat(locale, name, { ...options, timeZone: 'UTC' }).format(civil);
    formatted.set(key, text);
  }
  return text;
}
