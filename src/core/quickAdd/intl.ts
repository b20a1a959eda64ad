/**
 * Building an Intl format costs more than reading a line, so each is built once. A locale that is no BCP 47 tag
 * falls back to en-US.
 */
function cached<Options, Format>(Build: new (locale: string, options: Options) => Format) {
  const built = new Map<string, Format>();
  return (locale: string, options: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`;
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

export const dateFormat = cached<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat);
export const numberFormat = cached<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat);
export const listFormat = cached<Intl.ListFormatOptions, Intl.ListFormat>(Intl.ListFormat);
