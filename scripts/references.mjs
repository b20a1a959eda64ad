// The settings and the filter language as the README lists them, from package.json and the language's own tables:
// `node scripts/references.mjs` writes them between the README's marks, `--check` only says whether they are there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource } from './loadSource.mjs';
import { manifestWords } from './manifest.mjs';
import { manifest, root } from './paths.mjs';

const file = join(root, 'README.md');

/** @returns {Record<string, string>} tables by the name of their mark */
export function references() {
  return { settings: settings(), queries: queries() };
}

/**
 * @param {string} text
 * @returns {string} the text with the tables of now between its marks
 */
export function withReferences(text) {
  return Object.entries(references()).reduce((whole, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`README.md has no marks ${begin} … ${end}.`);
    return `${whole.slice(0, from + begin.length)}\n\n${table}\n\n${whole.slice(to)}`;
  }, text);
}

function settings() {
  const words = manifestWords();
  const said = (/** @type {string} */ text) => words[text.slice(1, -1)] ?? text;
  const rows = [manifest().contributes.configuration].flat().flatMap(section =>
    Object.entries(section.properties).map(([id, property]) => {
      const { default: usual, enum: choices, description, markdownDescription } = /** @type {any} */ (property);
      const values = choices ? ` ${choices.map(code).join(' ')}` : '';
      return row(
        code(id.replace(/^dueline\./, '')),
        code(JSON.stringify(usual)),
        `${said(markdownDescription ?? description)}${values}`,
      );
    }),
  );
  return table(['Setting', 'Default', 'What it does'], rows);
}

/** Words that the language knows and nobody answers yet. */
export const unanswered = ['in', 'link'];

function queries() {
  const words = /** @type {Record<string, Record<string, unknown>>} */ (
    loadSource('src/core/filter/parse/vocabulary.ts')
  );
  const { dateWords } = /** @type {{dateWords: string[]}} */ (loadSource('src/core/filter/parse/dateAtom.ts'));
  const values = (/** @type {string} */ name) =>
    Object.keys(words[name] ?? {})
      .filter(word => !unanswered.includes(word))
      .map(code)
      .join(' ');
  const holding = /** @type {Record<string, string>} */ ({
    is: values('isValues'),
    has: values('hasValues'),
    no: values('hasValues'),
    status: values('statusValues'),
    repeat: values('repeatValues'),
    sync: values('syncValues'),
    priority: values('priorityValues'),
    sort: values('sortFields'),
    group: values('groupFields'),
    show: values('showValues'),
  });
  const fields = Object.entries({ ...words.fields, ...words.directives })
    .filter(([name]) => !unanswered.includes(name))
    .map(([name, meaning]) =>
      row(code(`${name}:`), String(meaning), holding[name] ?? (words.dateFields?.[name] ? 'a date' : '')),
    );
  const dates = dateWords.filter(word => !/^(next|last)-/.test(word) || /-(week|month|monday)$/.test(word));
  return [
    table(['Field', 'What it asks for', 'Values'], fields),
    `Dates: ${dates.map(code).join(' ')} … \`+7d\` \`-2w\` \`3m\` \`2026-12-24\` \`2026-12\` \`2026-W52\`, a range \`today..+7d\`, or with \`<\` \`<=\` \`>\` \`>=\`.`,
  ].join('\n\n');
}

/** @param {string} text */
const code = text => `\`${text}\``;

/** @param {...string} cells */
const row = (...cells) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** @param {string[]} heads @param {string[]} rows */
const table = (heads, rows) => [row(...heads), row(...heads.map(() => '---')), ...rows].join('\n');

if (process.argv[1]?.endsWith('scripts/references.mjs')) {
  const before = readFileSync(file, 'utf8');
  const after = withReferences(before);
  if (!process.argv.includes('--check')) writeFileSync(file, after);
  else if (after !== before) {
    console.error('The references in README.md are not those of now: node scripts/references.mjs');
    process.exit(1);
  }
}
