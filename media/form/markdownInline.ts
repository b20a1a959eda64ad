import { html, type TemplateResult } from 'lit';

type Piece = string | TemplateResult;

/** What may stand within a line, the first that matches at a place wins. None looks further than some thousand characters. */
const forms: readonly (readonly [form: RegExp, draw: (match: RegExpExecArray, depth: number) => Piece])[] = [
  [/\\([\\`*_{}[\]()#+\-.!~>|])/y, ([, sign]) => sign!],
  [/(?<![^\\]`)(`+)(?!`)([^`]|[^`][\s\S]{0,5000}?[^`])\1(?!`)/y, ([, , code]) => html`<code>${code!.trim()}</code>`],
  [
    /!?\[((?:[^[\]\\\n]|\\.){1,1000})\]\(\s*<?(?=([^\s)>]{1,2000}))\2>?(?:\s+"[^"]*")?\s*\)/y,
    ([all, words, to], depth) => link(to!, inline(words!, depth + 1)) ?? all!,
  ],
  [/<((?:https?|mailto):[^\s<>]{1,2000})>/y, ([all, to]) => link(to!, to!) ?? all!],
  [/\bhttps?:\/\/[^\s<>"“”]{1,2000}/y, ([to]) => webLink(to!)],
  [
    /(\*\*|__)(?=\S)((?:(?!\1).){1,5000}?\S)\1/y,
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
      if (at > from) pieces.push(text.slice(from, at));
      // Drawing may go deeper through the same expressions; where we stand is kept here.
      const end = at + match[0].length;
      pieces.push(draw(match, depth));
      from = end;
      break;
    }
    mayBegin.lastIndex = Math.max(from, at + 1);
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** A sentence's full stop and an unpaired bracket are no part of an address. */
function webLink(text: string): Piece {
  let to = text.replace(/(?<![.,;:!?'*_~])[.,;:!?'*_~]+$/, '');
  if (to.endsWith(')') && !to.includes('(')) to = to.slice(0, -1);
  return html`${link(to, to)}${text.slice(to.length)}`;
}

/** Only addresses that the editor opens outside itself, by a click: nothing is loaded by the page. */
function link(to: string, words: string | Piece[]): TemplateResult | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(to)) return undefined;
  return html`<a href=${to} title=${to}>${typeof words === 'string' ? html`<bdi>${words}</bdi>` : words}</a>`;
}
