import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withContributions } from '../../scripts/docs/references';
import { commands, settingSections, settings } from '../../src/contributions/definitions';
import { containers, contextKeys, views, widgetViewId } from '../../src/contributions/ids';
import { isFullOnly } from '../../src/contributions/manifest';
import { widgetKinds } from '../../src/query/agenda/widgets';
import { sameNames } from '../support/sameNames';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const manifest = read('package.json');
const words: Record<string, string> = read('package.nls.json');
const { contributes } = manifest;
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !/^contributions\/(commands|settings)\//.test(name))
  .map(name => readFileSync(join('src', name), 'utf8'));

const commandIds = Object.keys(commands);
const settingIds = Object.values(settingSections).flatMap(Object.keys);

const viewIds = [...Object.values(views), ...widgetKinds.map(widgetViewId)];

const menuItems: { command?: string; submenu?: string; when?: string }[] = Object.values(
  contributes.menus,
).flat() as never;

describe('contributed ids', () => {
  it('the manifest matches the definitions: npm run docs writes it', () => {
    const text = readFileSync('package.json', 'utf8');
    assert.equal(withContributions(text), text);
  });

  it('commands and settings are defined once', () => {
    const defined = readdirSync('src/contributions', { recursive: true, encoding: 'utf8' })
      .filter(name => /^(commands|settings)\//.test(name))
      .flatMap(name => [
        ...readFileSync(join('src/contributions', name), 'utf8').matchAll(/^ {2}'(dueline\.[\w.]+)': /gm),
      ])
      .map(match => match[1]!);
    assert.deepEqual(defined.sort(), [...commandIds, ...settingIds].sort());
  });

  it('views: the manifest and contributions/ids.ts list the same', () => {
    const places = Object.values(contributes.viewsContainers).flat() as { id: string }[];
    sameNames(
      places.map(({ id }) => id),
      Object.values(containers),
    );
    const contributed = Object.values(contributes.views).flat() as { id: string }[];
    sameNames(
      contributed.map(({ id }) => id),
      viewIds,
    );
  });

  it('every setting is read', () => {
    assert.deepEqual(
      settingIds.filter(
        id => !sources.some(text => text.includes(`'${id}'`)) && !clauses.some(when => when.includes(`config.${id}`)),
      ),
      [],
    );
  });

  it('settings: what a widget shows can be set for every kind of widget', () => {
    const sections: { properties: Record<string, { properties?: object }> }[] = contributes.configuration;
    const setups = sections.flatMap(({ properties }) => properties['dueline.widgets']?.properties ?? []);
    sameNames(setups.flatMap(Object.keys), widgetKinds);
  });

  it('settings of a folder apply only if the folder is trusted', () => {
    const sections: { properties: Record<string, { scope?: string; restricted?: boolean }> }[] =
      contributes.configuration;
    const own = ['application', 'machine'];
    const others = sections
      .flatMap(({ properties }) => Object.entries(properties))
      .filter(([, { scope = 'window' }]) => !own.includes(scope));
    assert.deepEqual(others.map(([id]) => id).sort(), ['dueline.defaultList', 'dueline.filters']);
    for (const [id, { restricted }] of others) assert.equal(restricted, true, id);
  });

  it('every command is registered once in the code', () => {
    const registered = sources.flatMap(text =>
      [...text.matchAll(/(?:\bon(?:Row)?|registerCommand)\(\s*'(dueline\.[^']+)'/g)].map(match => match[1]!),
    );
    sameNames(registered, commandIds);
  });

  it('over a store that could not be opened, the Lists view offers the log alone', () => {
    const titles: { command: string; when: string }[] = contributes.menus['view/title'];
    const shown = titles.filter(({ when }) => /dueline\.lists|\^dueline\\\.\//.test(when));
    assert.ok(shown.length > 15);
    const needsStore = /dueline\.(state != 'failed'|hasAccounts|hasConflicts|syncing)/;
    assert.deepEqual(
      shown.filter(({ when }) => !needsStore.test(when)).map(({ command }) => command),
      ['dueline.openLog'],
    );
  });

  const clauses: string[] = [
    ...menuItems,
    ...contributes.keybindings,
    ...contributes.viewsWelcome,
    ...contributes.commands.map(({ enablement }: { enablement?: string }) => ({ when: enablement })),
    ...Object.values(contributes.views).flat(),
    ...contributes.walkthroughs.flatMap(({ steps }: { steps: { when?: string }[] }) => steps),
  ].flatMap(({ when }: { when?: string }) => when ?? []);
  const withoutPatterns = clauses.map(when => when.replace(/\/[^/]*\//g, ' ').replace(/'[^']*'/g, ' '));

  it('when-clauses use existing context keys', () => {
    const ofSettings = Object.keys(settings).map(id => `config.${id}`);
    const known = new Set<string>([...Object.values(contextKeys), ...viewIds, ...ofSettings]);
    const named = withoutPatterns.flatMap(when =>
      [...when.matchAll(/(?:\bconfig\.)?\bdueline\.[\w.]+/g)].map(match => match[0]),
    );
    assert.deepEqual(
      named.filter(key => !known.has(key)),
      [],
    );
  });

  it('when-clauses use known context keys of the editor', () => {
    const editors = [
      ...[
        'view',
        'viewItem',
        'focusedView',
        'listFocus',
        'inputFocus',
        'listMultiSelection',
        'treeFindOpen',
        'editorIsOpen',
        'activeEditor',
        'inQuickInput',
        'editorTextFocus',
        'findWidgetVisible',
        'notebookEditorFocused',
        'inChatInput',
      ],
      ...[
        'false',
        'activeWebviewPanelId',
        'webviewId',
        'webviewSection',
        'resourceScheme',
        'isWorkspaceTrusted',
        'workspaceFolderCount',
        'scmProvider',
      ],
    ];
    const names = withoutPatterns.flatMap(when =>
      when.split(/&&|\|\|/).map(term => /[\w.]+/.exec(term.replace(/^[\s!(]+/, ''))?.[0] ?? ''),
    );
    sameNames(
      names.filter(name => !/^(config\.)?dueline\./.test(name) && !editors.includes(name)),
      [],
    );
  });

  it('every context key is set somewhere, and used in a when-clause', () => {
    for (const [name, key] of Object.entries(contextKeys)) {
      assert.ok(
        sources.some(text => text.includes(`contextKeys.${name}`)),
        `${key} is set`,
      );
      assert.ok(
        clauses.some(when => when.includes(key)),
        `${key} is named`,
      );
    }
  });

  it('patterns in when-clauses match the context values of rows in trees and pages', () => {
    const rows = [
      'task.open.recurring.child.linked.synced.dirty.conflict.started.active.claimed.reminded',
      'task.done',
      'list.local.writable',
    ];
    rows.push(
      'list.remote.readOnly.notSynced',
      'filter.saved.pinned',
      'filter.builtIn',
      'filter.tag',
      'account',
      'account.failed.paused',
      'account.refused',
      'deleted',
      'trash',
      'dueline.widget',
    );
    rows.push('readOnlyTask.open', 'todo.none', 'todo.task.open', 'todo.task.done');
    rows.push('dueline.lists', 'dueline.filters', 'dueline.today', 'dueline.widgets.week', 'task.open');
    const patterns = clauses.flatMap(when => [...when.matchAll(/=~ \/((?:[^/\\]|\\.)+)\//g)].map(match => match[1]!));
    assert.ok(patterns.length > 20);
    assert.deepEqual(
      patterns.filter(pattern => !rows.some(row => new RegExp(pattern).test(row))),
      [],
    );
  });

  it('every submenu has entries and a location', () => {
    for (const { id } of contributes.submenus as { id: string }[]) {
      assert.ok(contributes.menus[id]?.length > 0, `${id} has entries`);
      assert.ok(
        menuItems.some(({ submenu }) => submenu === id),
        `${id} has a place`,
      );
    }
  });

  it('no menu of a view offers the same command twice', () => {
    for (const [menu, items] of Object.entries(contributes.menus) as [string, typeof menuItems][]) {
      const seen = items.map(({ command, submenu, when, group }: Record<string, string | undefined>) =>
        [command ?? submenu, /^inline/.test(group ?? '') ? 'inline' : 'menu', when].join(' '),
      );
      assert.deepEqual(
        seen.filter((item, at) => seen.indexOf(item) !== at),
        [],
        menu,
      );
    }
  });

  it('package.nls.json has every text of the manifest, and no other', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(match => match[1]!);
    sameNames(Object.keys(words), used);
  });

  it('the offline flavor omits only accounts, sync, and interfaces for other programs', () => {
    assert.deepEqual(
      commandIds.filter(isFullOnly).filter(id => !/account|sync|agent|commandLine/i.test(id)),
      [],
    );
  });
});
