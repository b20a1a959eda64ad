/** The part of package.json that is for the editor, made of the definitions: scripts/docs.mjs writes it there. */
import { widgetKinds } from '../query/agenda/widgets';
import { agentCommands } from './commands/agents';
import { serverCommands } from './commands/servers';
import type { CommandDefinition, Keybinding, MenuItem, Schema, SettingDefinition } from './define';
import { commands, settingSections } from './definitions';
import { textLanguage, widgetButton, widgetViewId } from './ids';
import { agentProvider, serverContextKeys } from './serverIds';
import { agentSettings } from './settings/agents';
import { syncSettings } from './settings/sync';
import { activationEvents, viewLists, viewsContainers, viewsWelcome } from './views';
import { walkthroughs } from './walkthroughs';
import {
  anyPageTask,
  anyTask,
  openPageTask,
  openTask,
  ownTask,
  pageTask,
  readyLists,
  readyView,
  recurringPageTask,
  recurringTask,
} from './when';

const fullOnly: ReadonlySet<string> = new Set([
  ...Object.keys(serverCommands),
  ...Object.keys(syncSettings),
  'dueline.links.syncPaths',
  ...Object.keys(agentCommands),
  ...Object.keys(agentSettings),
  ...Object.values(serverContextKeys),
  agentProvider,
]);

/** Contributions that the offline flavor leaves out: also an id below these two names that is no longer defined. */
export const isFullOnly = (id: string) => fullOnly.has(id) || /^dueline\.(account|sync)\./.test(id);

/** The editor's `runCommands` makes one command of several for a key. */
const keybinding = (command: string, { first, args, ...key }: Keybinding) =>
  first === undefined
    ? { command, ...key, ...(args !== undefined && { args }) }
    : { command: 'runCommands', ...key, args: { commands: [first, { command, args }] } };

/** `isOffered`: by the ids of commands and settings. */
export const manifestParts = (isOffered: (id: string) => boolean = () => true) => ({
  activationEvents,
  contributes: {
    viewsContainers,
    views: viewLists,
    viewsWelcome,
    commands: offered(isOffered).map(([id, definition]) => commandEntry(id, definition)),
    menus: menus(offered(isOffered)),
    submenus: Object.entries(submenus).map(([id, { label }]) => ({ id, label })),
    keybindings: offered(isOffered).flatMap(([command, { keys = [] }]) => keys.map(key => keybinding(command, key))),
    configuration: Object.entries(settingSections).flatMap(([name, definitions], order) => {
      const own = Object.entries(definitions).filter(([id]) => isOffered(id));
      const properties = Object.fromEntries(own.map(([id, one]) => [id, settingEntry(id, one)]));
      return own.length === 0 ? [] : [{ title: `%settings.${name}%`, order, properties }];
    }),
    walkthroughs,
    ...textLanguages,
    // `extendMarkdownIt`, one of the extension's exports, makes short IDs in the preview links.
    'markdown.markdownItPlugins': true,
    mcpServerDefinitionProviders: [{ id: agentProvider, label: 'Dueline' }],
    chatSkills: [{ path: './skills/dueline/SKILL.md' }],
  },
});

/** The theme's own colors for the parts of a line, by the scopes that themes know. */
const textColors = {
  date: 'constant.numeric',
  repeat: 'constant.numeric',
  reminder: 'constant.numeric',
  estimate: 'constant.numeric',
  tag: 'entity.name.tag',
  priority: 'keyword.control',
  list: 'entity.name.type',
  note: 'comment.line',
  url: 'markup.underline.link',
  after: 'variable.parameter',
  template: 'entity.name.function',
  heading: 'markup.heading',
  box: 'punctuation.definition.list.begin.markdown',
  id: 'comment.line',
  done: 'comment.line',
};

/** Texts of tasks: they are saved when the user says so, since a save can ask. */
const textLanguages = {
  languages: [{ id: textLanguage, aliases: ['Dueline'], extensions: ['.dueline'] }],
  semanticTokenTypes: Object.keys(textColors).map(type => ({
    id: `dueline-${type}`,
    description: '%text.color%',
  })),
  semanticTokenScopes: [
    {
      language: textLanguage,
      scopes: Object.fromEntries(Object.entries(textColors).map(([type, scope]) => [`dueline-${type}`, [scope]])),
    },
  ],
  configurationDefaults: {
    [`[${textLanguage}]`]: {
      'editor.semanticHighlighting.enabled': true,
      'editor.insertSpaces': true,
      'editor.tabSize': 2,
      'editor.detectIndentation': false,
      'editor.wordBasedSuggestions': 'off',
      'editor.wordWrap': 'on',
      'files.autoSave': 'off',
      'files.trimTrailingWhitespace': false,
      'files.insertFinalNewline': false,
    },
  },
};

interface Submenu {
  readonly label: string;
  readonly menus: readonly MenuItem[];
}

const offered = (isOffered: (id: string) => boolean) =>
  [...Object.entries<CommandDefinition>(commands), ...buttons].filter(([id]) => isOffered(id));

/** Not offered by name: the command that they belong to asks for the widget. */
const buttons = widgetKinds.flatMap((kind): [string, CommandDefinition][] => {
  const inTitle = (group: string) => [{ menu: 'view/title', group, when: `view == ${widgetViewId(kind)}` }];
  return [
    [
      widgetButton('dueline.widget.configure', kind),
      { palette: false, icon: 'settings', menus: inTitle('navigation@9') },
    ],
    [widgetButton('dueline.widget.editAsText', kind), { palette: false, menus: inTitle('8_widget@5') }],
  ];
});

/** In the menu of a task, in trees and in widgets. */
const ofTasks = (name: string, group: string, tree: string, page: string): Submenu => ({
  label: `%submenu.${name}%`,
  menus: [
    { menu: 'view/item/context', group, when: tree },
    { menu: 'webview/context', group, when: page },
  ],
});

const submenus: Readonly<Record<string, Submenu>> = {
  'dueline.status': ofTasks('status', '1_edit@6', openTask, openPageTask),
  'dueline.due': ofTasks('due', '2_schedule@1', openTask, openPageTask),
  'dueline.repeat': ofTasks('repeat', '2_schedule@2', recurringTask, recurringPageTask),
  'dueline.priority': ofTasks('priority', '3_organise@1', openTask, openPageTask),
  'dueline.move': ofTasks('move', '3_organise@4', ownTask, pageTask),
  'dueline.copy': ofTasks('copy', '4_link@1', anyTask, anyPageTask),
  // The menu of a view stays short.
  'dueline.view': { label: '%submenu.view%', menus: [{ menu: 'view/title', group: '2_show@1', when: readyLists }] },
  'dueline.help': { label: '%submenu.help%', menus: [{ menu: 'view/title', group: '9_view@1', when: readyView }] },
  'dueline.editor': {
    label: 'Dueline',
    menus: [
      { menu: 'editor/context', group: 'z_dueline@1' },
      { menu: 'editor/lineNumber/context', group: 'z_dueline@1' },
    ],
  },
};

/** An id without the extension's name, as in the keys of package.nls.json. */
const wordOf = (id: string) => id.replace(/^dueline\./, '');

const commandEntry = (id: string, { icon, enablement }: CommandDefinition) => ({
  command: id,
  title: `%command.${wordOf(id)}%`,
  category: 'Dueline',
  ...(icon ? { icon: `$(${icon})` } : {}),
  ...(enablement ? { enablement } : {}),
});

/** Every menu in the order that the editor shows it in. */
function menus(list: ReturnType<typeof offered>) {
  const items = [
    ...list.flatMap(([command, { menus = [], palette }]) =>
      [...menus, ...(palette === undefined ? [] : [{ menu: 'commandPalette', group: '', when: `${palette}` }])].map(
        item => ({ target: { command }, item }),
      ),
    ),
    ...Object.entries(submenus).flatMap(([submenu, { menus }]) => menus.map(item => ({ target: { submenu }, item }))),
  ];
  const menus = [...new Set(items.map(({ item }) => item.menu))].sort();
  return Object.fromEntries(
    menus.map(menu => [
      menu,
      items
        .filter(({ item }) => item.menu === menu)
        .sort((a, b) => groupRank(a.item.group).localeCompare(groupRank(b.item.group), 'en', { numeric: true }))
        .map(({ target, item: { when, group } }) => ({ ...target, ...(when && { when }), ...(group && { group }) })),
    ]),
  );
}

/** `navigation` comes first, then the names in their order; `@` counts within a group. */
const groupRank = (group: string) => group.replace(/^navigation/, '0').replace(/^inline/, '00');

function settingEntry(id: string, { describesChoices, isMarkdown, ...schema }: SettingDefinition) {
  const word = `setting.${wordOf(id)}`;
  const described = <T extends Pick<Schema, 'enum'>>(one: T) => ({
    ...one,
    [isMarkdown ? 'markdownEnumDescriptions' : 'enumDescriptions']: one.enum?.map(value => `%${word}.${value}%`),
  });
  const { items } = schema;
  return {
    scope: 'application',
    ...(describesChoices ? (items ? { ...schema, items: described(items) } : described(schema)) : schema),
    [isMarkdown ? 'markdownDescription' : 'description']: `%${word}%`,
  };
}
