// Starts a script, which is TypeScript: `node scripts/run.mjs docs` bundles scripts/docs.ts and loads it.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** @param {string} name */
export async function run(name) {
  // Several may start at a time, and each may end itself.
  const outfile = resolve(`out/scripts/${name}-${process.pid}.mjs`);
  process.once('exit', () => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [`scripts/${name}.ts`],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    // For what is CommonJS in it.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
  });
  try {
    await import(pathToFileURL(outfile).href);
  } catch (error) {
    // An error of the script's own says all in its words.
    console.error(error instanceof Error && error.name === 'Error' ? error.message : error);
    process.exit(1);
  }
}

if (process.argv[1]?.endsWith('run.mjs')) await run(String(process.argv.splice(2, 1)));
