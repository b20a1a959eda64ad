/**
 * Decodes the quoted-printable of vCalendar 1.0, which some exports still use; text that is not UTF-8 stays as it is.
 */
export function unquotePrintable(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('%', '%25').replace(/=([\dA-F]{2})/gi, '%$1'));
  } catch {
    return value;
  }
}

/**
 * Text as a property may hold it: line ends as LF, no other control character but TAB, no half of a surrogate pair.
 * Everything that reaches a content line goes through here, or a value could begin a line of its own.
 *
 * @example
 * cleanText('Milk\r\neggs\x07') // 'Milk\neggs'
 */
export const cleanText = (text: string): string =>
  /[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]/.test(text)
    ? text
        .replace(/\r\n?/g, '\n')
        .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
        .replace(/\p{Surrogate}/gu, '\ufffd')
    : text;

/** For values that are not TEXT (URI, RRULE, DURATION): no line end either. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\n/g, '');

/**
 * The value of a URI, which has no escapes (RFC 5545 3.3.13) and cannot contain a backslash (RFC 3986 2). SOGo escapes
 * a semicolon in it, as if it were a TEXT value.
 */
export const unescapeUri = (value: string): string => cleanLine(value.trim().replace(/\\(?=[,;])/g, ''));

/**
 * The values of a TEXT list as written, split at commas that are not escaped. ical.js checks only one character before
 * the comma, and so does not split after a value that ends in a backslash (`a\\,b`).
 *
 * @example
 * splitList('home,a\\,b') // ['home', 'a\\,b']
 */
export function splitList(value: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '\\') at++;
    else if (value[at] === ',') {
      parts.push(value.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(value.slice(from));
  return parts;
}
