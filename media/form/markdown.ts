import { html, type TemplateResult } from 'lit';
import { inline } from './markdownInline';
import { tableAt } from './markdownTable';

/**
 * Notes as Markdown. Blocks become DOM nodes through templates, never HTML text: whatever is in a note, the page gets
 * headings, lists, quotes, tables, code, boxes to tick and links, and nothing else. A box has its line's number in
 * `data-line`, a link to a file has its target in `data-file`.
 */
export function markdown(text: string): TemplateResult[] {
  return blocks(text.replace(/\t/g, '    ').split(lineEnd), 0, 0);
}

const lineEnd = /\r\n?|[\n\u2028\u2029]/;
/** `[x] Call Ada`, after the sign of the list. */
const box = /^\[([ xX])\]\s+(.*)$/;

/** The text with the box of that line ticked, or empty again. */
export function toggleBox(text: string, line: number): string {
  const ends = [...text.matchAll(new RegExp(lineEnd, 'g'))];
  const end = line === 0 ? undefined : ends[line - 1];
  const from = end ? end.index + end[0].length : 0;
  const [before, after] = [text.slice(0, from), text.slice(from)];
  return before + after.replace(/\[([ xX])\]/, (_, sign: string) => (sign === ' ' ? '[x]' : '[ ]'));
}

/** "```ts". */
const fence = /^ {0,3}(`{3,}|~{3,})/;
/** "## Steps". */
const heading = /^ {0,3}(#{1,6})\s+(.*)$/;
/** "---", "* * *". */
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
/** "> as they said". */
const quote = /^ {0,3}> ?/;
/** "- Milk", "2. Eggs", "  3) Bread". */
const entry = /^( *)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/;
const isBlank = (line: string | undefined) => line === undefined || line.trim() === '';

/** Deeper nesting is shown as text: it is unreadable anyway, and a page must not fall over it. */
const deepest = 12;

/** `first`: the number of the first line in the whole text. */
function blocks(lines: readonly string[], depth: number, first: number): TemplateResult[] {
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
      const from = at;
      const inside = take(one => quote.test(one)).map(one => one.replace(quote, ''));
      found.push(html`<blockquote>${blocks(inside, depth + 1, first + from)}</blockquote>`);
    } else if (entry.test(line) && depth < deepest) {
      const [list, after] = listAt(lines, at, depth, first);
      found.push(list);
      at = after;
    } else {
      // A table is parsed to its end, so it is only tried once nothing else can begin here.
      const table = tableAt(lines, at);
      if (table) {
        found.push(table.table);
        at = table.after;
        continue;
      }
      const from = at;
      const words = take(
        one =>
          !isBlank(one) &&
          (at === from || !(fence.test(one) || heading.test(one) || quote.test(one) || entry.test(one))),
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

/** The page's own headings are of the second level, so those of a note are below. */
function headline(level: number, text: string): TemplateResult {
  if (level === 1) return html`<h3 dir="auto">${inline(text)}</h3>`;
  return level === 2 ? html`<h4 dir="auto">${inline(text)}</h4>` : html`<h5 dir="auto">${inline(text)}</h5>`;
}

/** One list from `start` on, and the line after it. Lines that are indented below an item belong to it. */
function listAt(
  lines: readonly string[],
  start: number,
  depth: number,
  first: number,
): [list: TemplateResult, after: number] {
  const [, firstIndent, bullet, number] = entry.exec(lines[start]!)!;
  const base = firstIndent!.length;
  const entries: TemplateResult[] = [];
  let at = start;
  while (at < lines.length) {
    const match = entry.exec(lines[at]!);
    if (!match || match[1]!.length !== base || (match[2] === undefined) !== (bullet === undefined)) break;
    const inside: string[] = [match[4]!];
    const from = at;
    at++;
    for (; at < lines.length; at++) {
      const line = lines[at]!;
      const indent = line.length - line.trimStart().length;
      const isNext = entry.test(line) && indent <= base;
      if (isBlank(line) ? isBlank(lines[at + 1]) || !/^ /.test(lines[at + 1]!) : isNext || indent <= base) break;
      inside.push(line.slice(Math.min(indent, base + 2)));
    }
    while (isBlank(lines[at]) && at < lines.length && entryGoesOn(lines[at + 1], base)) at++;
    entries.push(item(inside, depth, first + from));
  }
  const list = bullet === undefined ? html`<ol start=${Number(number)}>${entries}</ol>` : html`<ul>${entries}</ul>`;
  return [list, at];
}

const entryGoesOn = (line: string | undefined, base: number) =>
  line !== undefined && entry.exec(line)?.[1]?.length === base;

function item([first = '', ...rest]: readonly string[], depth: number, line: number): TemplateResult {
  const [, sign, text] = box.exec(first) ?? [];
  const words = inline(text ?? first);
  const mark = html`<input type="checkbox" data-line=${line} .checked=${sign !== ' '} aria-label=${text ?? ''} /> `;
  return html`<li dir="auto" class=${sign ? 'boxed' : ''}>${sign ? mark : ''}${words}${rest.length > 0 ? blocks(rest, depth + 1, line + 1) : ''}</li>`;
}
