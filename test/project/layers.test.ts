import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';

const src = resolve('src');

interface Rule {
  /** Rooms, and single files, that this one may import from. Its own files are always among them; `*` means any. */
  readonly rooms: readonly string[];
  /** Packages, by prefix. */
  readonly packages?: readonly string[];
}

const storeTypes = ['store/types', 'store/bytes', 'store/messages'];

/**
 * The rooms that each room may import. A room is a folder or a file of `src`; the longest path that fits a file is its
 * room. Within a layer the rooms are listed from the ground up.
 */
const rules: Record<string, Rule> = {
  // Every room knows these: the model, errors, messages, settings, events.
  'core/kernel': { rooms: [] },
  'core/text': { rooms: [] },
  'core/time': { rooms: ['core/kernel'] },
  // Content lines (RFC 5545 3.1), their texts and dates; ical.js is behind one file.
  'core/lines': { rooms: ['core/kernel', 'core/time'], packages: ['ical.js'] },
  'core/fields': { rooms: ['core/kernel', 'core/time', 'core/lines'] },
  // Links to code: texts and lines go in, what is found comes out.
  'core/code': {
    rooms: ['core/kernel', 'core/time', 'core/lines', 'core/fields'],
    packages: ['node:crypto'],
  },
  'core/recurrence': { rooms: ['core/kernel', 'core/time', 'core/lines', 'core/fields'] },
  'core/ical': {
    rooms: ['core/kernel', 'core/time', 'core/lines', 'core/fields', 'core/recurrence'],
    packages: ['color-name'],
  },
  // Events of calendars, which are no tasks.
  'core/meetings': {
    rooms: ['core/kernel', 'core/time', 'core/lines', 'core/recurrence', 'core/ical'],
  },
  'core/sync': { rooms: ['core/kernel', 'core/ical'] },
  'core/reminders': { rooms: ['core/kernel', 'core/time', 'core/fields', 'core/recurrence'] },
  'core/quickAdd/languages': { rooms: ['core/kernel', 'core/time'] },
  'core/quickAdd': {
    rooms: ['core/kernel', 'core/time', 'core/fields', 'core/recurrence', 'core/quickAdd/languages'],
  },
  // Tasks as lines of text, in the words of quick add.
  'core/text/document': {
    rooms: ['core/kernel', 'core/text', 'core/time', 'core/recurrence', 'core/quickAdd', 'core/quickAdd/languages'],
  },
  'core/exchange': {
    rooms: [
      'core/kernel',
      'core/text',
      'core/time',
      'core/fields',
      'core/recurrence',
      'core/lines',
      'core/ical',
      'core/quickAdd',
    ],
  },

  // The filter language and the agenda: next to the store, which they ask in SQL.
  'query/parse': { rooms: ['core/kernel', 'core/time', 'core/fields', 'core/code'], packages: ['re2js'] },
  'query/eval': {
    rooms: ['core/kernel', 'core/time', 'core/fields', 'core/code', 'core/recurrence', 'core/reminders', 'query/parse'],
  },
  'query/help': { rooms: ['core/kernel', 'core/time', 'core/fields', 'query/parse', 'query/eval'] },
  'query/agenda': {
    rooms: [
      'core/kernel',
      'core/text',
      'core/time',
      'core/fields',
      'core/code',
      'core/recurrence',
      'query/parse',
      'query/eval',
    ],
  },

  // Locks between processes, and the scripts of threads.
  process: { rooms: ['core/kernel', 'core/time'], packages: ['node:'] },

  'store/types': { rooms: ['core/*'] },
  'store/bytes': { rooms: [] },
  'store/messages': { rooms: ['core/kernel'] },
  'store/sql': { rooms: ['core/*', ...storeTypes], packages: ['sql.js', 'node:'] },
  // The journal knows columns, and no SQL.
  'store/journal': { rooms: ['core/*', 'process', ...storeTypes, 'store/sql/databaseSchema'], packages: ['node:'] },
  'store/snapshot': {
    rooms: ['core/*', 'process', ...storeTypes, 'store/sql', 'store/journal'],
    packages: ['node:'],
  },
  'store/recovery': {
    rooms: ['core/*', ...storeTypes, 'store/sql', 'store/journal', 'store/snapshot'],
    packages: ['node:path', 'node:timers'],
  },
  'store/replica': {
    rooms: ['core/*', 'process', ...storeTypes, 'store/sql', 'store/journal', 'store/snapshot', 'store/recovery'],
    packages: ['node:'],
  },
  'store/undo': {
    rooms: ['core/*', ...storeTypes, 'store/door', 'store/sql', 'store/journal', 'store/snapshot', 'store/replica'],
  },
  'store/door': { rooms: ['store'] },
  'store/transfer': { rooms: ['core/*', 'store/*'], packages: ['node:'] },
  store: { rooms: ['core/*', 'store/*'], packages: ['node:'] },

  'sync/messages': { rooms: ['core/kernel'] },
  // The port: neither HTTP nor the store is known to it.
  'sync/remote': { rooms: ['core/*'] },
  'sync/merge': { rooms: ['core/*'] },
  // Decision tables: facts go in, actions come out.
  'sync/decide': { rooms: ['core/kernel'] },
  'sync/state': { rooms: ['core/*', 'store/types', 'sync/remote', 'sync/merge'] },
  'sync/dav': { rooms: ['core/*', 'sync/messages', 'sync/remote'], packages: ['tsdav', 'sax', 'node:'] },
  'sync/folder': { rooms: ['core/*', 'sync/messages', 'sync/remote'], packages: ['node:'] },
  'sync/resources': {
    rooms: [
      'core/*',
      'store',
      'store/types',
      'sync/messages',
      'sync/remote',
      'sync/merge',
      'sync/decide',
      'sync/state',
    ],
  },
  // Events: read by the ways of the accounts, and never written.
  'sync/calendars': { rooms: ['core/*', 'sync/messages', 'sync/remote', 'sync/dav', 'sync/accounts'] },
  'sync/accounts': {
    rooms: ['core/*', 'store', 'store/types', 'sync/messages', 'sync/remote', 'sync/state', 'sync/dav', 'sync/folder'],
    packages: ['node:'],
  },
  'sync/run': {
    rooms: [
      'core/*',
      'store',
      'store/types',
      'sync/messages',
      'sync/remote',
      'sync/merge',
      'sync/decide',
      'sync/state',
      'sync/resources',
      'sync/accounts',
    ],
    packages: ['node:crypto', 'node:timers'],
  },
  sync: { rooms: ['core/*', 'process', 'store', 'store/types', 'store/journal', 'sync/*'], packages: ['node:'] },

  api: { rooms: ['core/*', 'query/*'] },
  // Small files that anyone may have left where they are looked for.
  textFile: { rooms: [], packages: ['node:'] },
  // The folder of the store, which the editor and the command line look for alike.
  dataFolder: { rooms: ['textFile'], packages: ['node:'] },
  // A build of the extension takes this one for the doors of all rooms.
  door: { rooms: ['rows.cjs', 'later.cjs', 're2js.cjs'] },
  'engine/flavor': { rooms: ['core/*', 'query/*', 'process', 'store', 'api', 'sync'] },
  // Calendars as they were read: it knows neither the store nor the network.
  'engine/meetings': { rooms: ['core/*', 'engine/messages'], packages: ['node:'] },
  engine: {
    rooms: ['core/*', 'query/*', 'process', 'store', 'store/types', 'engine/*', 'api', 'openWith'],
    packages: ['node:'],
  },
  // The engine's entry and the command line have this in common: the flavor comes from them.
  openWith: { rooms: ['core/*', 'query/*', 'store', 'engine/*', 'api'] },

  // The command line and agents have this in common.
  programs: { rooms: ['core/*', 'query/*', 'api', 'textFile'], packages: ['node:'] },
  // The rules of agents, whichever way they come.
  agents: { rooms: ['core/*', 'query/*', 'api', 'engine', 'programs'], packages: ['node:'] },
  // The tools of agents; `agent` is its only door.
  mcp: {
    rooms: ['core/*', 'query/*', 'api', 'engine', 'programs', 'agents'],
    packages: ['node:', '@modelcontextprotocol/server', '@valibot/to-json-schema', 'valibot'],
  },
  // The terminal: what the engine's entry gives, and the process that it runs in.
  cli: {
    rooms: [
      'core/*',
      'query/*',
      'api',
      'textFile',
      'dataFolder',
      'openWith',
      'engine/flavor',
      'programs',
      'agents',
      'mcp/agent',
    ],
    packages: ['node:'],
  },

  contributions: { rooms: ['core/*', 'query/*'] },
  // The manifest, which no bundle has.
  'contributions/manifest': { rooms: ['core/*', 'query/*', 'contributions'] },
  // Compiled for the extension host and for the pages.
  shared: { rooms: ['core/*', 'query/*', 'shared'], packages: ['valibot'] },
  'ui/settings': { rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared'], packages: ['vscode'] },
  'ui/text': {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/settings'],
    packages: ['vscode', 'node:'],
  },
  ui: {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/*'],
    packages: ['vscode', 'node:'],
  },
  'views/webview': {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/*'],
    packages: ['vscode', 'node:'],
  },
  'views/tree': {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/*'],
    packages: ['vscode', 'node:'],
  },
  'views/widgets': {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/*', 'views/webview', 'views/tree'],
    packages: ['vscode', 'node:'],
  },
  views: {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/*', 'views/*'],
    packages: ['vscode', 'node:'],
  },
  'commands/common': {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/*'],
    packages: ['vscode', 'node:'],
  },
  commands: {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/*', 'views/*', 'commands/*'],
    packages: ['vscode', 'node:'],
  },
  // The user's files: those that the editor has open, and the tasks that are linked to them. Entered through
  // registerCode.ts. It starts no process. It reads files on the disk itself, those of a workspace in a thread: through the
  // editor they take many times as long.
  code: {
    rooms: ['core/*', 'query/*', 'process', 'api', 'contributions', 'shared', 'ui/*'],
    packages: ['vscode', 'node:fs', 'node:path', 'node:worker_threads'],
  },
  // Tasks as texts in the editor. Entered through registerText.ts.
  text: {
    rooms: ['core/*', 'query/*', 'api', 'contributions', 'shared', 'ui/*'],
    packages: ['vscode'],
  },
  app: { rooms: ['*'], packages: ['*'] },
  // The file that the editor loads at its start has nothing in it but types.
  extension: { rooms: ['api', 'app', 'main.cjs'], packages: ['vscode'] },
};

/** A file of `src` by its path there, without its ending. */
const pathOf = (file: string) => relative(src, file).replace(/(\.offline)?(\.ts)?$/, '');

const isIn = (path: string, room: string) => path === room || path.startsWith(`${room}/`);

const roomOf = (path: string): string | undefined =>
  Object.keys(rules)
    .filter(room => isIn(path, room))
    .sort((a, b) => b.length - a.length)[0];

/** `room/*` is the room with all that is in it; a room alone leaves out the rooms inside that have rules of their own. */
function allows(may: string, path: string): boolean {
  if (may === '*') return true;
  if (may.endsWith('/*')) return isIn(path, may.slice(0, -2));
  return path === may || roomOf(path) === may;
}

interface Import {
  readonly target: string;
  /** The path, if it is a file of `src`. */
  readonly path?: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^;'"]*?from\s*'([^']+)'|^import\s*'([^']+)'|\b(?:import|require)\('([^']+)'\)/gm,
    ),
  ];
  return found.map(match => {
    const target = (match[1] ?? match[2] ?? match[3])!;
    if (target.startsWith('.')) return { target, path: pathOf(normalize(join(dirname(file), target))) };
    if (target === '#flavor') return { target, path: 'engine/flavor/full' };
    return target === '#flavor/extension' ? { target, path: 'app/full' } : { target };
  });
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(name => name.endsWith('.ts') && statSync(name).isFile());

const files = filesIn(src);
const rooms = groupBy(files, file => roomOf(pathOf(file)) ?? 'none');

const mayImport = ({ rooms: allowed, packages = [] }: Rule, room: string, { target, path }: Import): boolean =>
  path === undefined
    ? packages.some(prefix => prefix === '*' || target.startsWith(prefix))
    : roomOf(path) === room || allowed.some(may => allows(may, path));

describe('layers', () => {
  it('have a rule for every file of src', () => {
    assert.deepEqual(rooms.get('none') ?? [], []);
  });

  for (const [room, rule] of Object.entries(rules)) {
    it(`let ${room} import only what it may`, () => {
      const strays = (rooms.get(room) ?? []).flatMap(file =>
        importsOf(file)
          .filter(one => !mayImport(rule, room, one))
          .map(({ target }) => `${relative(src, file)} imports ${target}`),
      );
      assert.deepEqual(strays, []);
    });
  }

  it('have rules only for existing rooms', () => {
    assert.deepEqual(
      Object.keys(rules).filter(room => !rooms.has(room)),
      [],
    );
  });

  it('change sync resources only inside one transaction: that code never awaits', () => {
    const awaiting = (rooms.get('sync/resources') ?? []).filter(file =>
      /\b(await|async)\b/.test(withoutComments(readFileSync(file, 'utf8'))),
    );
    assert.deepEqual(awaiting, []);
  });

  it('take the time from one clock below the views', () => {
    const asking = files
      .filter(file => /\bDate\.now\(\)|\bnew Date\(\)/.test(withoutComments(readFileSync(file, 'utf8'))))
      .map(file => relative(src, file));
    assert.deepEqual(
      asking.filter(file => /^(core|process|store|engine|sync)\//.test(file)),
      ['core/time/clock.ts'],
    );
  });

  it('pass all services only to what composes views and commands', () => {
    const composing = [
      'app/registerRest.ts',
      'app/registerSync.ts',
      'commands/registerCommands.ts',
      'views/registerViews.ts',
    ];
    const takers = files.filter(file => /: Services\b/.test(withoutComments(readFileSync(file, 'utf8'))));
    assert.deepEqual(takers.map(file => relative(src, file)).sort(), composing);
  });

  it('have no file of fewer than 25 lines that only one other file needs', () => {
    const all = [...files, ...filesIn(resolve('media'))];
    const importers = new Map<string, number>();
    for (const file of [...all, ...filesIn(resolve('test'))])
      for (const { target } of importsOf(file)) {
        const imported = `${normalize(join(dirname(file), target))}.ts`;
        if (target.startsWith('.')) importers.set(imported, (importers.get(imported) ?? 0) + 1);
      }
    const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
    // Files for the two flavors stay side by side, though each has one importer: the build takes one of them. So do a door,
    // for which the build of the extension takes another one, and the list of what is behind it.
    const isStandIn = (file: string) =>
      /\.offline\.ts$|\/(door|later)\.ts$/.test(file) || existsSync(file.replace(/\.ts$/, '.offline.ts'));
    assert.deepEqual(
      all
        .filter(file => lines(file) < 25 && importers.get(file) === 1 && !isStandIn(file))
        .map(
          file =>
            `${relative('.', file)}: ${lines(file)} lines; move them to where they are used, or to a file beside it`,
        ),
      [],
    );
  });

  it('have no folder of more than 25 files', () => {
    const sizes = groupBy([...files, ...filesIn(resolve('media'))], file => relative('.', dirname(file)));
    assert.deepEqual(
      [...sizes].filter(([, { length }]) => length > 25).map(([folder, { length }]) => `${folder}: ${length}`),
      [],
    );
  });

  it('ask every question through ui/dialogs, which returns the focus', () => {
    const asking = /\bwindow\.(?:showQuickPick|showInputBox|createQuickPick|createInputBox)\b/;
    assert.deepEqual(
      files.filter(file => asking.test(readFileSync(file, 'utf8'))).map(file => relative('.', file)),
      [join('src', 'ui', 'dialogs.ts')],
    );
  });

  const named = (file: string) => relative('.', file);
  const ownImports = [...files, ...filesIn(resolve('media'))].map(file => ({
    file: named(file),
    imported: importsOf(file)
      .filter(({ target }) => target.startsWith('.'))
      .map(({ target }) => `${named(normalize(join(dirname(file), target)))}.ts`),
  }));

  it('have no file that imports one that imports it back, directly or through others, including types', () => {
    assert.deepEqual(circles(new Map(ownImports.map(({ file, imported }) => [file, imported]))), []);
  });

  it('have no folder that imports one that imports it back, except what composes both, or their base', () => {
    const holds = (folder: string, other: string) => isIn(other, folder) || isIn(folder, other);
    const edges = ownImports.flatMap(({ file, imported }) =>
      imported.map(other => ({ from: dirname(file), to: dirname(other) })).filter(({ from, to }) => !holds(from, to)),
    );
    const graph = groupBy(edges, ({ from }) => from);
    assert.deepEqual(circles(new Map([...graph].map(([from, to]) => [from, to.map(edge => edge.to)]))), []);
  });
});

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

/** Each circle as the files on its way; found by walking on from every file, none of them twice. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) {
      for (const next of graph.get(file) ?? []) walk(next, [...way, file]);
      done.add(file);
    }
  };
  for (const file of graph.keys()) walk(file, []);
  return found;
}
