/** Text of a URL (RFC 3986 2.1) as people read it; as it is where a sign of percent in it is none of an escape. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
