// Starts a script, which is TypeScript: `node scripts/run.mjs docs` bundles scripts/docs.ts and loads it.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** @param {string} name */
export async function run(name) {
  // Several may start at a time, and each may end itself.
  const outfile = resolve(`out/scripts/${name.replace('/', '-')}-${process.pid}.mjs`);
  process.once('exit', () => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [`scripts/${name}.ts`],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    // For what is CommonJS in it.
    banner: { js: `import { createRequire as from } from 'node:module'; const require = from(import.meta.url);` },
  });
  await import(pathToFileURL(outfile).href);
}

if (process.argv[1]?.endsWith('run.mjs')) await run(String(process.argv.splice(2, 1)));
