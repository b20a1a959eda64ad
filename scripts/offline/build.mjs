// The offline flavor's bundles, built in memory: their texts, and the files that went into them.
import { builtinModules, createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { harmlessModules } from '../build/plugins.cjs';
import { root } from '../paths.mjs';
import { ownLoads } from './text.mjs';

const { hostBundles, sharedBundles } = createRequire(join(root, 'package.json'))('./esbuild.js');

/**
 * @returns {Promise<{scripts: import('./text.mjs').Script[], inputs: string[], imports: string[]}>} `imports`: what the
 *   bundles load at run time
 */
export async function offlineBundles() {
  const options = [...hostBundles('offline'), ...sharedBundles()];
  const built = await Promise.all(
    options.map(one => build({ ...one, write: false, metafile: true, sourcemap: false, minify: true })),
  );
  const outputs = built.flatMap(({ metafile }) => Object.values(metafile?.outputs ?? {}));
  return {
    scripts: built
      .flatMap(({ outputFiles }) => outputFiles ?? [])
      .map(({ path, text }) => ({ name: basename(path), text })),
    inputs: [...new Set(outputs.flatMap(({ inputs }) => Object.keys(inputs)))].sort(),
    imports: [...new Set(outputs.flatMap(({ imports }) => imports.map(({ path }) => path)))].sort(),
  };
}

/** Packages and folders that talk to servers. */
const networkInputs =
  /^src\/sync\/|^src\/commands\/(sync|accounts)\/|^src\/app\/full\.ts$|node_modules\/(tsdav|undici|node-fetch|cross-fetch|ws|axios|got|xml-js|sax)\//;

/** @param {readonly string[]} inputs */
export const networkAmong = inputs => inputs.filter(file => networkInputs.test(file));

/** @param {readonly string[]} imports */
export const notHarmless = imports =>
  imports.filter(path => {
    const name = path.replace(/^node:/, '');
    return builtinModules.includes(name) ? !harmlessModules.includes(name) : !ownLoads.includes(name);
  });
