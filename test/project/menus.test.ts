import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { holds } from '../support/vscode/when';

interface Entry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group: string;
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { contributes } = read('package.json');
const menus: Readonly<Record<string, readonly Entry[]>> = contributes.menus;

type Context = Readonly<Record<string, string | boolean>>;

const entries = (menu: string, context: Context) =>
  menus[menu]!.filter(({ when, group }) => !/^inline/.test(group) && (!when || holds(when, context))).map(
    ({ command, submenu }) => command ?? submenu!,
  );

/** Every row that trees have, with each choice of what a task may be. */
const flags = ['recurring', 'child', 'linked', 'synced', 'conflict'];
const taskRows = Array.from({ length: 1 << flags.length }, (_, bits) =>
  ['task.open', ...flags.filter((_, at) => bits & (1 << at))].join('.'),
);
const rows = [
  ...taskRows,
  ...[
    'task.done.linked.synced',
    'readOnlyTask.open.linked.synced.conflict',
    'list.remote.writable',
    'list.remote.writable.notSynced',
    'list.local.writable',
  ],
  ...['filter.saved.pinned', 'filter.tag.joined', 'account.failed.paused', 'account.refused', 'deleted', 'trash'],
];
const pageRows: Context[] = ['task.open.recurring.linked.reminded', 'task.done.linked'].map(webviewSection => ({
  webviewId: 'dueline.today',
  webviewSection,
}));
const base: Context = {
  'dueline.hasAccounts': true,
  activeEditor: 'workbench.editors.files.textFileEditor',
};

/** Nobody reads more than so many entries. */
const atMost = (most: number, found: readonly unknown[], where = 'a menu') =>
  assert.ok(
    found.length <= most,
    `${found.length} in ${where}, at most ${most}: move one to a submenu, or out of the palette. ${found.join(', ')}`,
  );

describe('menus', () => {
  for (const view of ['dueline.lists', 'dueline.filters'])
    it(`of rows in ${view} have at most 12 entries`, () => {
      for (const viewItem of rows)
        for (const listMultiSelection of [false, true]) {
          const found = entries('view/item/context', { ...base, view, viewItem, listMultiSelection });
          atMost(12, found, viewItem);
        }
    });

  for (const showCompleted of [true, false])
    it(`of the Lists view have at most 12 entries, with the command that applies (${showCompleted})`, () => {
      const context: Context = { ...base, view: 'dueline.lists', 'config.dueline.tree.showCompleted': showCompleted };
      const title = menus['view/title']!.filter(
        ({ when, group }) => !/^navigation/.test(group) && (!when || holds(when, context)),
      );
      atMost(
        12,
        title.map(({ command, submenu }) => command ?? submenu),
      );
      const shown = entries('dueline.view', context).filter(command => /Completed$/.test(command));
      assert.deepEqual(shown, [`dueline.view.${showCompleted ? 'toggle' : 'show'}Completed`]);
    });

  for (const section of [
    ...['open', 'open.recurring', 'open.reminded', 'open.recurring.reminded', 'done'],
    ...['open.conflict', 'open.recurring.reminded.conflict', 'done.conflict'],
  ])
    it(`of rows in widgets have at most 12 entries: ${section}`, () => {
      const found = entries('webview/context', { webviewId: 'dueline.today', webviewSection: `task.${section}` });
      atMost(12, found);
      assert.ok(found.length >= 5, found.join(', '));
    });

  it('have submenus of at most 12 entries, each with what its name says', () => {
    const rowsOf: Context[] = [...rows.map(viewItem => ({ view: 'dueline.lists', viewItem })), ...pageRows];
    for (const row of rowsOf)
      for (const submenu of ['status', 'due', 'priority', 'move', 'copy'])
        atMost(12, entries(`dueline.${submenu}`, { ...base, ...row, workspaceFolderCount: '1' }), submenu);
    for (const row of [{ view: 'dueline.lists', viewItem: 'task.open' }, pageRows[0]!]) {
      const found = (submenu: string) => entries(`dueline.${submenu}`, { ...base, ...row });
      const organizing = ['dueline.duplicate', 'dueline.template.save', 'dueline.blockedBy'];
      assert.deepEqual(
        organizing.filter(name => !found('move').includes(name)),
        [],
      );
      assert.ok(found('status').includes('dueline.handToAgent'));
      assert.deepEqual(
        [...found('copy'), ...found('status')].filter(name => organizing.includes(name)),
        [],
      );
      assert.ok(!found('copy').includes('dueline.handToAgent'));
    }
  });

  it('lead to an agent from every row, without a second entry', () => {
    for (const viewItem of ['task.open', 'task.done', 'readOnlyTask.open']) {
      const context = { ...base, view: 'dueline.lists', viewItem };
      const tops = entries('view/item/context', context);
      const found = ['dueline.status', 'dueline.copy'].filter(
        menu => tops.includes(menu) && entries(menu, context).includes('dueline.handToAgent'),
      );
      assert.equal(found.length, 1, viewItem);
    }
  });

  it('have the one of two opposite commands that would change something', () => {
    const shown = (menu: string, context: Context) =>
      entries(menu, { ...base, ...context }).filter(name => /pin$|List$|meetings\.(toggle|show)$/.test(name));
    const filters = (viewItem: string) => shown('view/item/context', { view: 'dueline.filters', viewItem });
    assert.deepEqual(filters('filter.saved'), ['dueline.filter.pin']);
    assert.deepEqual(filters('filter.saved.pinned'), ['dueline.filter.unpin']);
    const lists = (viewItem: string) => shown('view/item/context', { view: 'dueline.lists', viewItem });
    assert.deepEqual(lists('list.remote.writable'), ['dueline.sync.toggleList']);
    assert.deepEqual(lists('list.remote.readOnly.notSynced'), ['dueline.sync.resumeList']);
    assert.deepEqual(lists('list.local.writable'), []);
    const widget = { view: 'dueline.today', 'dueline.hasCalendars': true };
    const meetings = (isShown: boolean) => shown('view/title', { ...widget, 'config.dueline.meetings.show': isShown });
    assert.deepEqual(meetings(true), ['dueline.meetings.toggle']);
    assert.deepEqual(meetings(false), ['dueline.meetings.show']);
  });

  it('of rows that may only be viewed lead to their page and to copying', () => {
    const names = ['dueline.open', 'dueline.copy'];
    const viewItem = 'readOnlyTask.open.linked';
    const inTree = entries('view/item/context', { ...base, view: 'dueline.lists', viewItem });
    const inWidget = entries('webview/context', { webviewId: 'dueline.today', webviewSection: viewItem });
    assert.deepEqual([inTree, inWidget], [names, names]);
  });

  it('lead to the code, or the address, from every row with a link', () => {
    const found = (context: Context) => entries('dueline.copy', context);
    const links = ['dueline.openLink', 'dueline.removeLink', 'dueline.pinHere'];
    const rowsWith = (suffix: string): Context[] => [
      { view: 'dueline.lists', viewItem: `task.open${suffix}` },
      { webviewId: 'dueline.today', webviewSection: `task.open${suffix}` },
    ];
    for (const linked of rowsWith('.linked'))
      assert.deepEqual(
        links.filter(link => !found(linked).includes(link)),
        [],
      );
    for (const other of rowsWith(''))
      assert.deepEqual(
        found(other).filter(name => links.includes(name)),
        [],
      );
    const readOnlyRows: Context[] = [
      { view: 'dueline.lists', viewItem: 'readOnlyTask.open.linked' },
      { webviewId: 'dueline.today', webviewSection: 'readOnlyTask.open.linked' },
    ];
    for (const readOnly of readOnlyRows)
      assert.deepEqual(
        found(readOnly).filter(name => links.includes(name)),
        ['dueline.openLink'],
      );
  });

  it('have one way to repeat a task: a submenu if it has a next occurrence to skip', () => {
    const found = (viewItem: string) =>
      entries('view/item/context', { ...base, view: 'dueline.lists', viewItem }).filter(name =>
        /epeat|ecurr/.test(name),
      );
    assert.deepEqual(found('task.open'), ['dueline.setRecurrence']);
    assert.deepEqual(found('task.open.recurring'), ['dueline.repeat']);
  });

  it('offer to link a task only if a text file is open', () => {
    const view = { view: 'dueline.lists', viewItem: 'task.open' };
    assert.ok(entries('dueline.copy', { ...base, ...view }).includes('dueline.linkHere'));
    assert.ok(
      !entries('dueline.copy', { ...view, activeEditor: 'mainThreadWebview-dueline.taskEditor' }).includes(
        'dueline.linkHere',
      ),
    );
  });

  for (const file of readdirSync('.').filter(name => /^package\.nls.*\.json$/.test(name)))
    it(`have no two commands with one title (${file})`, () => {
      const words: Record<string, string> = { ...read('package.nls.json'), ...read(file) };
      const keys = (contributes.commands as { title: string }[]).map(({ title }) => title.replace(/%/g, ''));
      const names = keys.map(key => (words[key] ?? key).replace(/\s*…$/, ''));
      assert.deepEqual(
        names.filter((name, at) => names.indexOf(name) !== at),
        [],
      );
    });

  it('lead to every command that is not in the palette, by a menu or a key', () => {
    const hidden = menus.commandPalette!.filter(({ when }) => when === 'false').map(({ command }) => command!);
    const others = Object.entries(menus).flatMap(([menu, entries]) => (menu === 'commandPalette' ? [] : entries));
    const reached = new Set(others.map(({ command }) => command));
    const keys = JSON.stringify(contributes.keybindings);
    // Called by the status bar, the page of a task, a meeting on a page, and the announcement of an import or a move.
    const called = ['actions', 'redateMore', 'takeSuggestion', 'leaveQuestion', 'meetings.open'];
    assert.deepEqual(
      hidden.filter(
        id => !reached.has(id) && !keys.includes(`"${id}"`) && !called.includes(id.replace('dueline.', '')),
      ),
      [],
    );
  });

  it('list about 60 commands in the palette, and none about servers without an account', () => {
    const hidden = new Map(menus.commandPalette!.map(({ command, when }) => [command, when]));
    const shown = (context: Context): string[] =>
      contributes.commands
        .filter(({ command, enablement }: Entry & { enablement?: string }) =>
          [hidden.get(command), enablement].every(when => !when || holds(when, context)),
        )
        .map(({ command }: Entry) => command);
    const alone = shown({ workspaceFolderCount: '1' });
    atMost(60, alone, 'the palette');
    assert.deepEqual(
      alone.filter(command => /\.(sync|account)\./.test(command)),
      ['dueline.account.add'],
    );
    const whole = shown({ 'dueline.hasAccounts': true, 'dueline.canUndo': true, 'dueline.canRedo': true });
    atMost(68, whole, 'the palette');
  });
});
