// `node scripts/docs.mjs` writes the part of package.json that is for the editor, from src/contributions, and the lists of
// settings, commands and filter words in docs, from package.json, the definitions of the commands and the language's tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource } from './loadSource.mjs';
import { manifestWords } from './manifest.mjs';
import { manifest, root } from './paths.mjs';

const { manifestParts } = /** @type {typeof import('../src/contributions/manifest')} */ (
  loadSource('src/contributions/manifest.ts')
);

/**
 * @param {string} text of package.json
 * @returns {string} the same with what is generated of it
 */
export const withContributions = text => `${JSON.stringify({ ...JSON.parse(text), ...manifestParts() }, null, 2)}\n`;

/** @typedef {'settings' | 'commands' | 'queries'} Reference */

/** The page that has each reference between two marks of its name. */
export const pages = /** @type {const} */ ({
  settings: 'docs/settings.md',
  commands: 'docs/commands.md',
  queries: 'docs/filters.md',
});

/** @returns {Record<Reference, string>} */
export function references() {
  return { settings: settings(), commands: commands(), queries: queries() };
}

/**
 * @param {Reference} name
 * @param {string} reference
 * @returns {{before: string, after: string}} the page as it is, and with the reference between its marks
 */
export function pageWith(name, reference) {
  const before = readFileSync(join(root, pages[name]), 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${pages[name]} has no marks ${begin} … ${end}.`);
  return { before, after: `${before.slice(0, from + begin.length)}\n\n${reference}\n\n${before.slice(to)}` };
}

function settings() {
  const words = manifestWords();
  const said = (/** @type {string} */ text) => words[text.slice(1, -1)] ?? text;
  const sections = [manifest().contributes.configuration].flat().map(({ title, properties }) => {
    const rows = Object.entries(properties).map(([id, property]) => {
      const { default: usual, enum: choices, description, markdownDescription } = /** @type {any} */ (property);
      const values = choices ? ` ${choices.map(code).join(' ')}` : '';
      return row(code(id), code(JSON.stringify(usual)), `${said(markdownDescription ?? description)}${values}`);
    });
    return `## ${said(title)}\n\n${table(['Setting', 'Default', 'What it does'], rows)}`;
  });
  return sections.join('\n\n');
}

/** Files of src/contributions/commands with the heading of their commands. */
const commandGroups = {
  tasks: 'Tasks',
  schedule: 'Dates, repeats and reminders',
  lists: 'Lists',
  filters: 'Filters and search',
  general: 'Views, settings and undo',
  data: 'Import, export and backup',
  servers: 'Accounts and sync',
  agents: 'Command line and agents',
};

/** @typedef {{command: string, args?: {commands?: {command: string}[]}}} Key */

/** @param {Key} key whose last command counts, if it runs several @returns {string} */
export const commandOf = ({ command, args }) => args?.commands?.at(-1)?.command ?? command;

function commands() {
  const words = manifestWords();
  const { keybindings, menus } = manifest().contributes;
  const isHidden = (/** @type {string} */ id) =>
    menus.commandPalette.some((/** @type {any} */ { command, when }) => command === id && when === 'false');
  const groups = Object.entries(commandGroups).map(([file, heading]) => {
    const exported = /** @type {Record<string, object>} */ (loadSource(`src/contributions/commands/${file}.ts`));
    const rows = Object.values(exported)
      .flatMap(Object.keys)
      .map(id => {
        const keys = keybindings.filter((/** @type {Key} */ key) => commandOf(key) === id);
        const title = words[id.replace('dueline.', 'command.')] ?? id;
        return row(
          title,
          isHidden(id) ? '' : '✓',
          code(id),
          keys.map((/** @type {{key: string}} */ { key }) => code(keyName(key))).join(' '),
        );
      });
    return `## ${heading}\n\n${table(['Command', 'Palette', 'ID', 'Key'], rows)}`;
  });
  return groups.join('\n\n');
}

/** @param {string} key as the manifest has it */
export const keyName = key => key.replace(/[a-z]+/g, word => word.charAt(0).toUpperCase() + word.slice(1));

/** Words that the language knows and nobody answers yet. */
export const unanswered = ['in', 'link'];

function queries() {
  const words = /** @type {Record<string, Record<string, unknown>>} */ (loadSource('src/query/parse/vocabulary.ts'));
  const { dateWords } = /** @type {{dateWords: string[]}} */ (loadSource('src/query/parse/dateAtom.ts'));
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
    source: values('sourceValues'),
    id: code('dl-k3f9'),
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

if (process.argv[1]?.endsWith('scripts/docs.mjs')) {
  const file = join(root, 'package.json');
  writeFileSync(file, withContributions(readFileSync(file, 'utf8')));
  for (const [key, reference] of Object.entries(references())) {
    const name = /** @type {Reference} */ (key);
    writeFileSync(join(root, pages[name]), pageWith(name, reference).after);
  }
}
