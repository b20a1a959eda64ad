import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const { hostBundles } = createRequire(join(resolve('.'), 'package.json'))('./esbuild.js');

for (const flavor of ['full', 'offline'])
  describe(`the scripts of the ${flavor} extension`, () => {
    let scripts: Map<string, Metafile['outputs'][string]>;
    let texts: string[];
    before(async () => {
      const [, bundle] = hostBundles(flavor) as [unknown, BuildOptions];
      const { metafile, outputFiles } = await build({ ...bundle, sourcemap: false, metafile: true });
      texts = outputFiles!.map(({ text }) => text);
      scripts = new Map(Object.entries(metafile!.outputs).map(([path, output]) => [basename(path), output]));
    });
    const filesOf = (name: string) => Object.keys(scripts.get(name)!.inputs);

    it('contain each file once', () => {
      assert.deepEqual([...scripts.keys()].sort(), ['later.cjs', 'main.cjs', 'shared.cjs']);
      const all = [...scripts.keys()].flatMap(filesOf);
      assert.deepEqual(
        all.filter((file, at) => all.indexOf(file) !== at),
        [],
      );
    });

    it('share the editor’s interface, without a copy of it in each file', () => {
      assert.ok(texts.some(text => text.includes('require("vscode")')));
      for (const text of texts) assert.doesNotMatch(text, /[\w$]\(require\("vscode"\)/);
    });

    it('keep lazily loaded code out of what starts', () => {
      assert.ok(filesOf('main.cjs').includes('src/app/main.ts'));
      for (const file of ['src/app/registerRest.ts', 'src/commands/registerCommands.ts', 'src/core/lines/icalLines.ts'])
        assert.ok(filesOf('later.cjs').includes(file), file);
    });

    it('load everything lazy from the one script to which all lazy imports lead', async () => {
      const given = scripts.get('later.cjs')!.exports;
      const rooms = ['query/parse/regex', 'core/lines/icalLines', 'engine/later/later', 'store/later'];
      const more = ['views/tree/dragAndDrop', ...(flavor === 'full' ? ['sync/later'] : [])];
      for (const room of [...rooms, ...more]) {
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
