/**
 * Servers write one address in several ways: `@` or `%40`, small or capital hex, with or without the origin. Stored and
 * compared is one form: the path with every segment encoded again, with the origin only if it is not the home's.
 */

import { percentDecoded } from '../../core/fields/percent';

export function canonicalPath(path: string): string {
  return path.split('/').map(canonicalSegment).join('/');
}

function canonicalSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment)).replace(/%40/g, '@');
  } catch {
    return segment;
  }
}

/** Nothing in such a path needs another form; segments of dots, and `//`, are left to the URL's own reading. */
const isCanonical = (path: string) => /^\/[\w~@.!*'()/-]*$/.test(path) && !path.includes('//') && !path.includes('/.');

/** The canonical form of `href` from an answer of `from`, relative to `origin`. */
export function toHref(href: string, from: string, origin: string): string {
  // Thousands of a listing are written like this.
  if (isCanonical(href) && from.startsWith(`${origin}/`)) return href;
  const url = new URL(href.trim(), from);
  const path = canonicalPath(url.pathname) + url.search;
  return url.origin === origin ? path : url.origin + path;
}

/** True if `href`, from an answer of `from`, names something that can be requested at all. */
export function isAddress(href: string, from: string): boolean {
  if (isCanonical(href)) return true;
  return URL.canParse(href.trim(), from) && /^https?:$/.test(new URL(href.trim(), from).protocol);
}

/** The request URL of a stored href. */
export const toUrl = (href: string, origin: string): string => (href.startsWith('/') ? origin + href : href);

export const withSlash = (href: string): string => (href.endsWith('/') ? href : `${href}/`);
export const withoutSlash = (href: string): string => href.replace(/(?<!\/)\/+$/, '');

/** The last path segment, decoded: the name of a list without one. */
export const lastSegment = (href: string): string => percentDecoded(withoutSlash(href).split('/').at(-1) ?? '');
