import { html, type TemplateResult } from 'lit';
import { inline } from './markdownInline';

/**
 * Notes as Markdown. Blocks become DOM nodes through templates, never HTML text: whatever stands in a note, the page
 * gets headings, lists, quotes, code and links to the web, and nothing else.
 */
export function markdown(text: string): TemplateResult[] {
  return blocks(text.replace(/\t/g, '    ').split(/\r\n?|[\n\u2028\u2029]/), 0);
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})\s+(.*)$/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const quote = /^ {0,3}> ?/;
const entry = /^( *)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/;
const isBlank = (line: string | undefined) => line === undefined || line.trim() === '';

/** Deeper nesting is shown as text: nobody reads it, and a page must not fall over it. */
const deepest = 12;

function blocks(lines: readonly string[], depth: number): TemplateResult[] {
  const found: TemplateResult[] = [];
  let at = 0;
  const take = (while_: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && while_(lines[at]!)) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at]!;
    const opening = fence.exec(line);
    const head = heading.exec(line);
    if (isBlank(line)) at++;
    else if (opening) {
      at++;
      const closing = (one: string) => one.trim().startsWith(opening[1]!) && one.trim().replace(/[`~]/g, '') === '';
      const code = take(one => !closing(one));
      at++;
      found.push(html`<pre tabindex="0"><code>${code.join('\n')}</code></pre>`);
    } else if (head) {
      at++;
      found.push(headline(head[1]!.length, withoutClosing(head[2]!)));
    } else if (rule.test(line)) {
      at++;
      found.push(html`<hr />`);
    } else if (quote.test(line) && depth < deepest) {
      const inside = take(one => quote.test(one)).map(one => one.replace(quote, ''));
      found.push(html`<blockquote>${blocks(inside, depth + 1)}</blockquote>`);
    } else if (entry.test(line) && depth < deepest) {
      const [list, after] = listAt(lines, at, depth);
      found.push(list);
      at = after;
    } else {
      const first = at;
      const words = take(
        one =>
          !isBlank(one) &&
          (at === first || !(fence.test(one) || heading.test(one) || quote.test(one) || entry.test(one))),
      );
      found.push(html`<p dir="auto">${words.map((one, row) => [row > 0 ? html`<br />` : '', inline(one.trim())])}</p>`);
    }
  }
  return found;
}

/** The signs that may end a heading, cut by hand: one expression for all of it would take hours over a line of blanks. */
function withoutClosing(line: string): string {
  const text = line.trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return text.slice(0, end).trimEnd();
}

/** The page's own headings are of the second level; those of a note go below them. */
function headline(level: number, text: string): TemplateResult {
  if (level === 1) return html`<h3 dir="auto">${inline(text)}</h3>`;
  return level === 2 ? html`<h4 dir="auto">${inline(text)}</h4>` : html`<h5 dir="auto">${inline(text)}</h5>`;
}

/** One list from `start` on, and the line after it. What is indented below an entry belongs to it. */
function listAt(lines: readonly string[], start: number, depth: number): [list: TemplateResult, after: number] {
  const [, firstIndent, bullet, number] = entry.exec(lines[start]!)!;
  const base = firstIndent!.length;
  const entries: TemplateResult[] = [];
  let at = start;
  while (at < lines.length) {
    const match = entry.exec(lines[at]!);
    if (!match || match[1]!.length !== base || (match[2] === undefined) !== (bullet === undefined)) break;
    const inside: string[] = [match[4]!];
    at++;
    for (; at < lines.length; at++) {
      const line = lines[at]!;
      const indent = line.length - line.trimStart().length;
      const isNext = entry.test(line) && indent <= base;
      if (isBlank(line) ? isBlank(lines[at + 1]) || !/^ /.test(lines[at + 1]!) : isNext || indent <= base) break;
      inside.push(line.slice(Math.min(indent, base + 2)));
    }
    while (isBlank(lines[at]) && at < lines.length && entryGoesOn(lines[at + 1], base)) at++;
    entries.push(item(inside, depth));
  }
  const list = bullet === undefined ? html`<ol start=${Number(number)}>${entries}</ol>` : html`<ul>${entries}</ul>`;
  return [list, at];
}

const entryGoesOn = (line: string | undefined, base: number) =>
  line !== undefined && entry.exec(line)?.[1]?.length === base;

function item([first = '', ...rest]: readonly string[], depth: number): TemplateResult {
  const box = /^\[([ xX])\]\s+(.*)$/.exec(first);
  const words = box ? box[2]! : first;
  const mark = box
    ? html`<span class="box" role="img" aria-label=${box[1] === ' ' ? '☐' : '☑'}>${box[1] === ' ' ? '☐' : '☑'}</span> `
    : '';
  return html`<li dir="auto" class=${box ? 'boxed' : ''}>${mark}${inline(words)}${rest.length > 0 ? blocks(rest, depth + 1) : ''}</li>`;
}
