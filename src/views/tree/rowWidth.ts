/**
 * Estimates how wide texts are in a tree: the editor reveals neither the width of a tree nor its font. A title that
 * would push the date out of sight is cut by these sums.
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

/** The width before a title at the top (twistie, checkbox and icon) and the free space at the end of a row. */
const aroundTexts = 104;
const indent = 8;
/** A shorter title is of no use. */
const least = 60;
const detailSize = fontSize * 0.9;

/**
 * The texts of a row: those that must be visible after the title, from the longest to the shortest, and those that may
 * be cut off.
 */
export interface RowTexts {
  readonly title: string;
  readonly musts: readonly string[];
  readonly others: readonly string[];
}

/** The part of the texts that fits into a tree of that width; all of them if no date would be pushed out of sight. */
export function fittingTexts({ title, musts, others }: RowTexts, tree: number, depth: number) {
  const [first] = musts;
  const room = tree - aroundTexts - indent * depth;
  if (first === undefined) return { title, parts: others };
  const must = musts.find(text => width(text, detailSize) + Math.min(width(title), least) <= room) ?? musts.at(-1)!;
  const mustWidth = width(must, detailSize);
  const cut = shortened(title, Math.max(least, room - mustWidth));
  let left = room - width(cut) - mustWidth;
  const parts = [must];
  for (const part of others) {
    left -= width(` · ${part}`, detailSize);
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
