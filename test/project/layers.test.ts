import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';

const src = resolve('src');

/** What each room may import from: rooms by name, packages by prefix. `*` stands for any. */
const rules: Record<string, { rooms: string[]; packages: string[] }> = {
  core: { rooms: ['core'], packages: ['temporal-polyfill'] },
  store: { rooms: ['core', 'store'], packages: ['sql.js', 'node:'] },
  sync: { rooms: ['core', 'store', 'sync'], packages: ['tsdav', 'saxes', 'node:'] },
  engine: { rooms: ['core', 'store', 'engine', 'api', 'flavor'], packages: ['node:'] },
  views: { rooms: ['core', 'api', 'ids', 'views'], packages: ['vscode', 'node:'] },
  commands: { rooms: ['core', 'api', 'ids', 'views', 'commands'], packages: ['vscode', 'node:'] },
  api: { rooms: ['core'], packages: [] },
  ids: { rooms: ['core', 'serverIds', 'targets'], packages: [] },
  serverIds: { rooms: ['serverIds', 'targets'], packages: [] },
  targets: { rooms: ['core'], packages: [] },
  flavor: { rooms: ['*'], packages: ['*'] },
  main: { rooms: ['*'], packages: ['*'] },
  // What the editor loads at its start has nothing in it but types.
  extension: { rooms: ['api', 'main', 'main.cjs'], packages: ['vscode'] },
};

/** The one exception: the flavor hands sync to the engine, and the engine sees it as an interface. */
const room = (path: string) =>
  relative(src, path)
    .split('/')[0]!
    .replace(/(\.offline)?\.ts$/, '');

function importsOf(file: string): { target: string; room?: string }[] {
  const text = readFileSync(file, 'utf8');
  const found = [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^;'"]*?from\s*'([^']+)'|^import\s*'([^']+)'|\b(?:import|require)\('([^']+)'\)/gm,
    ),
  ];
  return found.map(match => {
    const target = (match[1] ?? match[2] ?? match[3])!;
    if (target.startsWith('.')) return { target, room: room(normalize(join(dirname(file), target))) };
    return target.startsWith('#flavor') ? { target, room: 'flavor' } : { target };
  });
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(name => name.endsWith('.ts') && statSync(name).isFile());

const files = filesIn(src);

describe('layers', () => {
  it('every file of src stands in a room that has a rule', () => {
    assert.deepEqual(
      files.filter(file => !(room(file) in rules)),
      [],
    );
  });

  for (const [name, rule] of Object.entries(rules)) {
    it(`${name} imports only what it may`, () => {
      const strays = files
        .filter(file => room(file) === name)
        .flatMap(file => importsOf(file).map(imported => ({ file: relative(src, file), ...imported })))
        .filter(({ target, room: to }) =>
          to === undefined
            ? !rule.packages.some(prefix => prefix === '*' || target.startsWith(prefix))
            : !rule.rooms.some(may => may === '*' || may === to),
        );
      assert.deepEqual(strays, []);
    });
  }

  it('no file imports one that imports it back, be it over others or for a type', () => {
    const named = (file: string) => relative(resolve('.'), file);
    const graph = new Map(
      [...files, ...filesIn(resolve('media'))].map(file => [
        named(file),
        importsOf(file)
          .filter(({ target }) => target.startsWith('.'))
          .map(({ target }) => `${named(normalize(join(dirname(file), target)))}.ts`),
      ]),
    );
    assert.deepEqual(circles(graph), []);
  });
});

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
