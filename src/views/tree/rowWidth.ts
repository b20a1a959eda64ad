/**
 * How wide texts are in a tree, about: the editor says neither how wide a tree is nor in which font it writes. A title
 * that would push the date out of sight is cut by these sums.
 */

/** In parts of the font's size, as the fonts of the three systems have it at most. */
function charWidth(char: string): number {
  if (/[ijltfr.,:;'|!()[\]\s\-·]/.test(char)) return 0.34;
  if (/[mwMW@%]/.test(char)) return 0.88;
  if (/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u.test(char))
    return 1.1;
  return /\p{Lu}/u.test(char) ? 0.68 : 0.57;
}

const fontSize = 13;
const width = (text: string, size = fontSize) => [...text].reduce((sum, char) => sum + charWidth(char) * size, 0);

/** What is before a title at the top, twistie, checkbox and icon, and what is kept free at the end of a row. */
const aroundTexts = 104;
const indent = 8;
/** A shorter title says nothing. */
const least = 60;
const besideSize = fontSize * 0.9;

/** A row's words: what must be seen beside the title, from the longest to the shortest, and what may. */
export interface RowTexts {
  readonly title: string;
  readonly musts: readonly string[];
  readonly others: readonly string[];
}

/** As much of it as a tree of that width shows; all of it where nothing would push a date out of sight. */
export function fittingTexts({ title, musts, others }: RowTexts, tree: number, depth: number) {
  const [first] = musts;
  const room = tree - aroundTexts - indent * depth;
  if (first === undefined) return { title, parts: others };
  const must = musts.find(text => width(text, besideSize) + Math.min(width(title), least) <= room) ?? musts.at(-1)!;
  const beside = width(must, besideSize);
  const cut = shortened(title, Math.max(least, room - beside));
  let left = room - width(cut) - beside;
  const parts = [must];
  for (const part of others) {
    left -= width(` · ${part}`, besideSize);
    if (left < 0) break;
    parts.push(part);
  }
  return { title: cut, parts };
}

function shortened(title: string, room: number): string {
  if (width(title) <= room) return title;
  let sum = width('…');
  let cut = '';
  for (const char of title) {
    sum += width(char);
    if (sum > room) break;
    cut += char;
  }
  return `${cut.trimEnd()}…`;
}
