export const code = (text: string) => `\`${text}\``;

export const row = (...cells: string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const table = (heads: string[], rows: string[]) =>
  [row(...heads), row(...heads.map(() => '---')), ...rows].join('\n');
