// The offline flavor's bundles, built in memory: their texts, and the files that went into them.
import { builtinModules, createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { harmlessModules } from '../build/plugins.cjs';
import { root } from '../paths.mjs';
import { ownLoads } from './text.mjs';

const { cliBundle, hostBundles, sharedBundles } = createRequire(join(root, 'package.json'))('./esbuild.js');

/**
 * @returns {Promise<{scripts: import('./text.mjs').Script[], inputs: string[], imports: string[]}>} `imports`: what the
 *   bundles load at run time
 */
export async function offlineBundles() {
  const built = await Promise.all([...hostBundles('offline'), ...sharedBundles()].map(looked));
  return {
    scripts: built.flatMap(({ scripts }) => scripts),
    inputs: sorted(built.flatMap(({ inputs }) => inputs)),
    imports: sorted(built.flatMap(({ imports }) => imports)),
  };
}

/** The command line's bundle, in the same way. */
export const cliBundles = () => looked(cliBundle());

/** @param {import('esbuild').BuildOptions} options */
async function looked(options) {
  const { metafile, outputFiles } = await build({
    ...options,
    write: false,
    metafile: true,
    sourcemap: false,
    minify: true,
  });
  const outputs = Object.values(metafile.outputs);
  return {
    scripts: outputFiles.map(({ path, text }) => ({ name: basename(path), text })),
    inputs: outputs.flatMap(({ inputs }) => Object.keys(inputs)),
    imports: outputs.flatMap(({ imports }) => imports.flatMap(({ path, external }) => (external ? path : []))),
  };
}

const sorted = (/** @type {string[]} */ names) => [...new Set(names)].sort();

/** Packages and folders that talk to servers. */
const networkInputs =
  /^src\/sync\/|^src\/commands\/(sync|accounts)\/|^src\/app\/(full|laterFlavor|registerSync)\.ts$|node_modules\/(tsdav|undici|node-fetch|cross-fetch|ws|axios|got|xml-js|sax)\//;

/** @param {readonly string[]} inputs */
export const networkAmong = inputs => inputs.filter(file => networkInputs.test(file));

/** What programs that act for a person come in by: a model behind one of them is a way to a network. */
const agentInputs = /^src\/(mcp|cli|headless)\/|^src\/engine\/claims\.ts$|node_modules\/@modelcontextprotocol\//;

/** @param {readonly string[]} inputs */
export const agentsAmong = inputs => inputs.filter(file => agentInputs.test(file));

/** @param {readonly string[]} imports */
export const notHarmless = imports =>
  imports.filter(path => {
    const name = path.replace(/^node:/, '');
    return builtinModules.includes(name) ? !harmlessModules.includes(name) : !ownLoads.includes(name);
  });
