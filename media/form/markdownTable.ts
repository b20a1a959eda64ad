import { html, type TemplateResult } from 'lit';
import { inline } from './markdownInline';

/** The line under the header: "| --- | :-: |". */
const rule = /^ {0,3}\|?(?: *:?-+:? *\|)* *:?-+:? *\|? *$/;

/** A table as GitHub writes it, and the line after it; undefined if none begins here. */
export function tableAt(
  lines: readonly string[],
  at: number,
): { readonly table: TemplateResult; readonly after: number } | undefined {
  const [head, columns] = [lines[at]!, lines[at + 1] ?? ''];
  if (!head.includes('|') || !columns.includes('|') || !rule.test(columns)) return undefined;
  const [names, sides] = [cellsOf(head), cellsOf(columns).map(sideOf)];
  if (names.length !== sides.length) return undefined;
  let after = at + 2;
  while (lines[after]?.includes('|')) after++;
  const rows = lines.slice(at + 2, after).map(cellsOf);
  const table = html`
    <div class="table" tabindex="0">
      <table>
        <thead><tr>${names.map((name, column) => html`<th scope="col" class=${sides[column]!}>${inline(name)}</th>`)}</tr></thead>
        <tbody>
          ${rows.map(cells => html`<tr>${sides.map((side, column) => html`<td class=${side}>${inline(cells[column] ?? '')}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>
  `;
  return { table, after };
}

const sideOf = (cell: string) => (!cell.endsWith(':') ? 'start' : cell.startsWith(':') ? 'center' : 'end');

/** The cells between the bars; a bar after a backslash is text. */
const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'));
