const maxSlugLength = 40;

/** A title as a part of a branch's name: small letters and digits of any script, with hyphens between the words. */
function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  let slug = '';
  for (const word of words) {
    if (slug !== '' && slug.length + word.length >= maxSlugLength) break;
    slug += `${slug === '' ? '' : '-'}${word.slice(0, maxSlugLength).replace(/[\ud800-\udbff]$/, '')}`;
  }
  return slug;
}

/**
 * `slug`, `id` and `issue` in braces stand for the title, the short ID and the key or number of an issue. A name without
 * the ID gets it at its end: by it the task of a branch is known.
 */
export function branchName(template: string, title: string, id: string, issue = ''): string {
  const whole = /\$\{id\}/.test(template) ? template : `${template}-\${id}`;
  const words: Record<string, string> = { slug: slugOf(title), id, issue };
  const name = whole.replace(/\$\{(slug|id|issue)\}/g, (_, word) => words[word]!);
  return name.replace(/(?<=^|\/)-+|-+(?=-|\/|$)/g, '').replace(/^\/+|\/+(?=\/)/g, '');
}

/** git-check-ref-format(1) */
export const isBranchName = (name: string): boolean =>
  name !== '' &&
  name !== '@' &&
  !/^[-/]|\/$|\/\/|\.\.|@\{|\.$|(?:^|\/)\.|\.lock(?:\/|$)|[\s~^:?*[\\\p{Cc}]/u.test(name);

/** Trailers are the last paragraph (git-interpret-trailers(1)), and not the first. */
export function withTrailer(message: string, trailer: string): string {
  const text = message.trimEnd();
  const paragraphs = text.split(/\n[ \t]*\n/);
  const lines = paragraphs.length > 1 ? paragraphs.at(-1)!.split('\n') : [];
  if (lines.includes(trailer)) return message;
  const follows = lines.length > 0 && lines.every(line => /^[\w-]+: /.test(line));
  return `${text}${follows ? '\n' : '\n\n'}${trailer}`;
}

/** Removes the trailer, and the blank lines that would then end the message. */
export function withoutTrailer(message: string, trailer: string): string {
  const lines = message.split('\n');
  if (!lines.includes(trailer)) return message;
  return lines
    .filter(line => line !== trailer)
    .join('\n')
    .trimEnd();
}
