/** The text of a URL (RFC 3986 2.1) decoded, or unchanged if a percent sign in it does not begin an escape. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
