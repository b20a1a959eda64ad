// The lists of settings, commands and filter words in docs, from package.json, the definitions of the commands and the
// language's tables.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestParts } from '../../src/contributions/manifest';
import { dateWords } from '../../src/query/parse/dateAtom';
import * as vocabulary from '../../src/query/parse/vocabulary';
import { loadSource } from '../loadSource';
import { manifestWords } from '../manifest';
import { type Json, manifest, root } from '../paths';
import { decisions } from './decisions';
import { code, row, table } from './markdown';

/** The text of package.json with what is generated of it. */
export const withContributions = (text: string): string =>
  `${JSON.stringify({ ...JSON.parse(text), ...manifestParts() }, null, 2)}\n`;

/** The page that has each reference between two marks of its name. */
export const pages = {
  settings: 'docs/settings.md',
  commands: 'docs/commands.md',
  queries: 'docs/filters.md',
  decisions: 'docs/design/sync.md',
};
export type Reference = keyof typeof pages;

export function references(): Record<Reference, string> {
  return { settings: settings(), commands: commands(), queries: queries(), decisions: decisions() };
}

/** The page as it is, and with the reference between its marks. */
export function pageWith(name: Reference, reference: string): { before: string; after: string } {
  const before = readFileSync(join(root, pages[name]), 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${pages[name]} has no marks ${begin} … ${end}.`);
  return { before, after: `${before.slice(0, from + begin.length)}\n\n${reference}\n\n${before.slice(to)}` };
}

function settings() {
  const words = manifestWords();
  const englishOf = (text: string) => words[text.slice(1, -1)] ?? text;
  const sections = [manifest().contributes.configuration].flat().map(({ title, properties }) => {
    const rows = Object.entries<Json>(properties).map(([id, property]) => {
      const { default: usual, enum: choices, description, markdownDescription } = property;
      const values = choices ? ` ${choices.map(code).join(' ')}` : '';
      return row(code(id), code(JSON.stringify(usual)), `${englishOf(markdownDescription ?? description)}${values}`);
    });
    return `## ${englishOf(title)}\n\n${table(['Setting', 'Default', 'What it does'], rows)}`;
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

interface Key {
  readonly key: string;
  readonly command: string;
  readonly args?: { readonly commands?: readonly { readonly command: string }[] };
}

/** The last one if a key runs several. */
export const commandOf = ({ command, args }: Omit<Key, 'key'>): string => args?.commands?.at(-1)?.command ?? command;

function commands() {
  const words = manifestWords();
  const { keybindings, menus } = manifest().contributes;
  const isHidden = (id: string) =>
    menus.commandPalette.some(({ command, when }: Json) => command === id && when === 'false');
  const groups = Object.entries(commandGroups).map(([file, heading]) => {
    const exported = loadSource(`src/contributions/commands/${file}.ts`) as Record<string, object>;
    const rows = Object.values(exported)
      .flatMap(Object.keys)
      .map(id => {
        const keys = keybindings.filter((key: Key) => commandOf(key) === id);
        const title = words[id.replace('dueline.', 'command.')] ?? id;
        return row(title, isHidden(id) ? '' : '✓', code(id), keys.map(({ key }: Key) => code(keyName(key))).join(' '));
      });
    return `## ${heading}\n\n${table(['Command', 'Palette', 'ID', 'Key'], rows)}`;
  });
  return groups.join('\n\n');
}

/** How docs write a key of the manifest. */
export const keyName = (key: string) => key.replace(/[a-z]+/g, word => word.charAt(0).toUpperCase() + word.slice(1));

function queries() {
  const values = (table: object) => Object.keys(table).map(code).join(' ');
  const holding: Record<string, string> = {
    is: values(vocabulary.isValues),
    has: values(vocabulary.hasValues),
    no: values(vocabulary.hasValues),
    status: values(vocabulary.statusValues),
    repeat: values(vocabulary.repeatValues),
    sync: values(vocabulary.syncValues),
    source: values(vocabulary.sourceValues),
    in: values(vocabulary.codeScopes),
    link: ['file:session.ts', 'stale'].map(code).join(' '),
    id: code('dl-k3f9'),
    priority: values(vocabulary.priorityValues),
    est: ['30m', '1h30', '45'].map(code).join(' '),
    sort: values(vocabulary.sortFields),
    group: values(vocabulary.groupFields),
    show: values(vocabulary.showValues),
  };
  const fields = Object.entries({ ...vocabulary.fields, ...vocabulary.directives }).map(([name, meaning]) =>
    row(code(`${name}:`), String(meaning), holding[name] ?? (name in vocabulary.dateFields ? 'a date' : '')),
  );
  const dates = dateWords.filter(word => !/^(next|last)-/.test(word) || /-(week|month|monday)$/.test(word));
  return [
    table(['Field', 'What it asks for', 'Values'], fields),
    `Dates: ${dates.map(code).join(' ')} … \`+7d\` \`-2w\` \`3m\` \`2026-12-24\` \`2026-12\` \`2026-W52\`, a range \`today..+7d\`, or with \`<\` \`<=\` \`>\` \`>=\`.`,
  ].join('\n\n');
}
