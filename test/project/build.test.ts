import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const { hostBundles } = createRequire(join(resolve('.'), 'package.json'))('./esbuild.js');

for (const flavor of ['full', 'offline'])
  describe(`the scripts of the ${flavor} extension`, () => {
    let scripts: Map<string, Metafile['outputs'][string]>;
    let texts: Map<string, string>;
    before(async () => {
      const [, bundle] = hostBundles(flavor) as [unknown, BuildOptions];
      const { metafile, outputFiles } = await build({ ...bundle, sourcemap: false, minify: true, metafile: true });
      texts = new Map(outputFiles!.map(({ path, text }) => [basename(path), text]));
      scripts = new Map(Object.entries(metafile!.outputs).map(([path, output]) => [basename(path), output]));
    });
    const filesOf = (name: string) => Object.keys(scripts.get(name)!.inputs);

    it('contain each file once', () => {
      const named = [...scripts.keys()].filter(name => !name.startsWith('chunk-'));
      assert.deepEqual(named.sort(), ['later.cjs', 'main.cjs', 'rows.cjs']);
      const all = [...scripts.keys()].flatMap(filesOf);
      assert.deepEqual(
        all.filter((file, at) => all.indexOf(file) !== at),
        [],
      );
    });

    it('share the editor’s interface, without a copy of it in each file', () => {
      assert.ok([...texts.values()].some(text => text.includes('require("vscode")')));
      for (const text of texts.values()) assert.doesNotMatch(text, /[\w$]\(require\("vscode"\)/);
    });

    it('keep lazily loaded code out of what starts', () => {
      assert.ok(filesOf('main.cjs').includes('src/app/main.ts'));
      for (const file of ['src/app/registerRest.ts', 'src/commands/registerCommands.ts', 'src/core/lines/icalLines.ts'])
        assert.ok(filesOf('later.cjs').includes(file), file);
    });

    /** A script with those that it imports, and they import. */
    function withImports(name: string, found = new Set<string>()): ReadonlySet<string> {
      found.add(name);
      for (const { path, external } of scripts.get(name)!.imports)
        if (!external && !found.has(basename(path))) withImports(basename(path), found);
      return found;
    }

    it('show lists without the code that only rows of tasks need', () => {
      const ofRows =
        /^src\/(query\/(eval|parse)|core\/code\/anchors|views\/tree\/(filtersTree|taskItem)|engine\/queries)/;
      const find = (name: string) => [...withImports(name)].flatMap(filesOf).filter(file => ofRows.test(file));
      assert.deepEqual(find('main.cjs'), []);
      assert.ok(find('rows.cjs').length > 30);
    });

    it('are at most 200 KB until lists are shown', () => {
      const size = [...withImports('main.cjs')].reduce((sum, name) => sum + Buffer.byteLength(texts.get(name)!), 0);
      assert.ok(size < 200 * 1024, `${size} bytes`);
    });

    it('load everything lazy from the two scripts to which all lazy imports lead', async () => {
      const ofRows = ['engine/rows/rows', 'views/tree/rows', 'views/tree/filtersTree'];
      const rooms = ['core/lines/icalLines', 'engine/later/later', 'store/later'];
      const more = ['views/tree/dragAndDrop', ...(flavor === 'full' ? ['sync/later'] : [])];
      for (const room of [...ofRows, ...rooms, ...more]) {
        const given = scripts.get(ofRows.includes(room) ? 'rows.cjs' : 'later.cjs')!.exports;
        const { metafile } = await build({
          entryPoints: [`src/${room}.ts`],
          bundle: true,
          packages: 'external',
          format: 'esm',
          write: false,
          metafile: true,
          platform: 'node',
        });
        const [output] = Object.values(metafile!.outputs);
        assert.deepEqual(
          output!.exports.filter(name => !given.includes(name)),
          [],
          room,
        );
      }
    });
  });
