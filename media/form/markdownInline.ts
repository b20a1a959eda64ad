import { html, type TemplateResult } from 'lit';

type Piece = string | TemplateResult;

/**
 * The forms within a line; the first that matches at a position wins. None reads ahead further than some thousand
 * characters.
 */
const forms: readonly (readonly [form: RegExp, draw: (match: RegExpExecArray, depth: number) => Piece])[] = [
  [/\\([\\`*_{}[\]()#+\-.!~>|])/y, ([, sign]) => sign!],
  [/(?<![^\\]`)(`+)(?!`)([^`]|[^`][\s\S]{0,5000}?[^`])\1(?!`)/y, ([, , code]) => codeOf(code!.trim())],
  [
    /!?\[((?:[^[\]\\\n]|\\.){1,1000})\]\(\s*<?(?=([^\s)>]{1,2000}))\2>?(?:\s+"[^"]*")?\s*\)/y,
    ([all, words, to], depth) => link(to!, inline(words!, depth + 1)) ?? all!,
  ],
  [/<((?:https?|mailto):[^\s<>]{1,2000})>/y, ([all, to]) => link(to!, to!) ?? all!],
  [/\bhttps?:\/\/[^\s<>"“”]{1,2000}/y, ([to]) => webLink(to!)],
  [
    /(\*\*|__)(?=\S)((?:(?!\1).){0,5000}?\S)\1/y,
    ([, , words], depth) => html`<strong>${inline(words!, depth + 1)}</strong>`,
  ],
  [/~~(?=\S)((?:(?!~~).){1,5000}?)~~/y, ([, words], depth) => html`<del>${inline(words!, depth + 1)}</del>`],
  [/\*(?=\S)([^*\n]{1,5000}?)\*/y, ([, words], depth) => html`<em>${inline(words!, depth + 1)}</em>`],
  [/\b_(?=\S)([^_\n]{1,5000}?)_\b/y, ([, words], depth) => html`<em>${inline(words!, depth + 1)}</em>`],
];
const mayBegin = /[\\`![<h*_~]/g;

/** Emphasis, code and links of one line. */
export function inline(text: string, depth = 0): Piece[] {
  if (depth > 8) return [text];
  const pieces: Piece[] = [];
  let from = 0;
  mayBegin.lastIndex = 0;
  for (let found = mayBegin.exec(text); found; found = mayBegin.exec(text)) {
    const at = found.index;
    for (const [form, draw] of forms) {
      form.lastIndex = at;
      const match = form.exec(text);
      if (!match) continue;
      if (at > from) pieces.push(...withFiles(text.slice(from, at)));
      // Drawing may recurse through the same expressions, so the position is kept here.
      const end = at + match[0].length;
      pieces.push(draw(match, depth));
      from = end;
      break;
    }
    mayBegin.lastIndex = Math.max(from, at + 1);
  }
  if (from < text.length) pieces.push(...withFiles(text.slice(from)));
  return pieces;
}

/** The full stop of a sentence and an unpaired bracket do not belong to an address. */
function webLink(text: string): Piece {
  let to = text.replace(/(?<![.,;:!?'*_~])[.,;:!?'*_~]+$/, '');
  if (to.endsWith(')') && !to.includes('(')) to = to.slice(0, -1);
  return html`${link(to, to)}${text.slice(to.length)}`;
}

/** Addresses that the editor opens outside itself, and files, which the host opens: nothing is loaded by the page. */
function link(to: string, words: string | Piece[]): TemplateResult | undefined {
  if (/^(?:file|vscode-remote|vscode-vfs):/i.test(to)) return fileLink(to, words);
  if (!/^(?:https?:\/\/|mailto:)/i.test(to)) return undefined;
  return html`<a href=${to} title=${to}>${typeof words === 'string' ? html`<bdi>${words}</bdi>` : words}</a>`;
}

/** `src/file.ts:12`; a name without a folder only counts with a line. */
const file = /^(?:[\w@.+-]{1,200}\/){0,40}[\w@.+-]{1,200}\.[a-z]\w{0,9}(?::\d{1,7}){0,2}$/i;
/** A file between other words, which needs a folder and a line: "see src/file.ts:12". */
const fileInText =
  /(?<![\w@.+/:-])(?:[\w@.+-]{1,200}\/){1,40}[\w@.+-]{1,200}\.[a-z]\w{0,9}:\d{1,7}(?::\d{1,7})?(?![\w/])/gi;

const fileLink = (to: string, words: string | Piece[]) =>
  html`<button type="button" class="link file" data-file=${to}>${words}</button>`;

function codeOf(text: string): TemplateResult {
  const isFile = text.length < 1000 && /[/:]/.test(text) && file.test(text);
  return html`<code>${isFile ? fileLink(text, text) : text}</code>`;
}

/** Links files in plain text, only with a line: a path alone may be anything. */
function withFiles(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(fileInText)) {
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push(fileLink(found, found));
    from = index + found.length;
  }
  return from < text.length ? [...pieces, text.slice(from)] : pieces;
}
