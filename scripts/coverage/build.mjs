// Tests against sources that stay apart: every file of src is a script of its own, however many tests load it, so that
// what V8 counts in one test adds up with what it counts in the next.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { root } from '../paths.mjs';

export const builtFolder = join(root, 'out/apart');

/** @param {string} folder @returns {string[]} its TypeScript files, those of subfolders among them */
const sourcesBelow = folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map(name => join(folder, name));

/** @param {string} source @returns {string} the script built from it */
const scriptOf = source => join(builtFolder, relative(root, source)).replace(/\.ts$/, '.js');

/**
 * Leaves every import of a file of src an import of that file's own script.
 * @type {import('esbuild').Plugin}
 */
const apart = {
  name: 'apart',
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: /^[.#]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind === 'entry-point' || pluginData === apart) return undefined;
      const found = await find(path, { kind, resolveDir, importer, pluginData: apart });
      const inside = found.path.startsWith(join(root, 'src/')) && found.path.endsWith('.ts');
      return inside ? { path: scriptOf(found.path), external: true } : undefined;
    });
  },
};

/** Builds the sources that need no editor, and the unit and interop tests, into `builtFolder`. */
export async function buildApart() {
  const rooms = ['core', 'store', 'sync', 'engine', 'contributions', 'shared', 'ui', 'views', 'commands', 'app'].map(
    name => `src/${name}`,
  );
  const tests = ['core', 'store', 'sync', 'engine', 'shared', 'media', 'views', 'interop'].map(name => `test/${name}`);
  await build({
    entryPoints: [...[...rooms, ...tests].flatMap(sourcesBelow), 'src/engine.ts', 'bench/chaos/writer.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    alias: { '#flavor': resolve('src/engine/flavor/full.ts'), '#flavor/extension': resolve('src/app/full.ts') },
    plugins: [apart],
    sourcemap: 'inline',
    absWorkingDir: root,
    outbase: '.',
    outdir: builtFolder,
  });
  mkdirSync(builtFolder, { recursive: true });
  writeFileSync(join(builtFolder, 'snapshot.worker.cjs'), "require('./src/store/snapshot/snapshot.worker.js');\n");
}
