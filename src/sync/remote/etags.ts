import type { Etag } from './remote';

/**
 * From the property. Text in XML may hold what no header can: it goes as its UTF-8 bytes, as the server's own header
 * has them, and without control characters; fetch refuses anything else, and with it the whole run.
 */
export const propertyEtag = (text: string | undefined): Etag | undefined =>
  tagOf(text && /[^\x20-\x7e]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text);

/** The tag with quotes, even if the server left them out, and without weakness, since If-Match may not be weak. */
function tagOf(text: string | undefined): Etag | undefined {
  const value = text
    ?.replace(/[\x00-\x1f\x7f]/g, '')
    .trim()
    .replace(/^W\//i, '');
  if (!value) return undefined;
  return value.startsWith('"') ? value : `"${value}"`;
}

/**
 * From a header: null unless it can be relied on. A proxy that compresses makes it weak or appends `-gzip`, and the
 * server then knows nothing of that tag.
 */
export function headerEtag(value: string | null): Etag | null {
  if (value === null || /^W\//i.test(value) || /[-;](gzip|br|deflate|zstd)"?$/i.test(value)) return null;
  return tagOf(value) ?? null;
}
