import type { Etag } from './remote';

/** From the property: quotes added where the server left them out, weakness dropped, since If-Match may not be weak. */
export function propertyEtag(text: string | undefined): Etag | undefined {
  const value = text?.trim().replace(/^W\//i, '');
  if (!value) return undefined;
  return value.startsWith('"') ? value : `"${value}"`;
}

/**
 * From a header: null unless it can be relied on. A proxy that compresses makes it weak or appends `-gzip`, and the
 * server then knows nothing of that tag.
 */
export function headerEtag(value: string | null): Etag | null {
  if (value === null || /^W\//i.test(value) || /[-;](gzip|br|deflate|zstd)"?$/i.test(value)) return null;
  return propertyEtag(value) ?? null;
}
