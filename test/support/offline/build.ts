// The offline flavor's bundles, built in memory: their texts, and the files that went into them.
import { builtinModules, createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { harmlessModules } from '../../../scripts/build/plugins.cjs';
import { isOwnLoad, type Script } from '../../../scripts/package/waysOut';
import { root } from '../../../scripts/paths';

const { cliBundle, hostBundles, sharedBundles } = createRequire(join(root, 'package.json'))('./esbuild.js');

interface Bundles {
  readonly scripts: Script[];
  readonly inputs: string[];
  /** Modules that the bundles load at run time. */
  readonly imports: string[];
}

export async function offlineBundles(): Promise<Bundles> {
  const built: Bundles[] = await Promise.all([...hostBundles('offline'), ...sharedBundles()].map(bundlesOf));
  return {
    scripts: built.flatMap(({ scripts }) => scripts),
    inputs: sorted(built.flatMap(({ inputs }) => inputs)),
    imports: sorted(built.flatMap(({ imports }) => imports)),
  };
}

/** The command line's bundle, in the same way. */
export const cliBundles = (): Promise<Bundles> => bundlesOf(cliBundle());

async function bundlesOf(options: BuildOptions): Promise<Bundles> {
  const how = { write: false, metafile: true, sourcemap: false, minify: true } as const;
  const { metafile, outputFiles } = await build({ ...options, ...how });
  const outputs = Object.values(metafile.outputs);
  return {
    scripts: outputFiles.map(({ path, text }) => ({ name: basename(path), text })),
    inputs: outputs.flatMap(({ inputs }) => Object.keys(inputs)),
    imports: outputs.flatMap(({ imports }) => imports.flatMap(({ path, external }) => (external ? path : []))),
  };
}

const sorted = (names: string[]) => [...new Set(names)].sort();

/** Packages and folders that talk to servers. */
const networkInputs =
  /^src\/sync\/|^src\/commands\/(sync|accounts)\/|^src\/app\/(full|laterFlavor|registerSync)\.ts$|node_modules\/(tsdav|undici|node-fetch|cross-fetch|ws|axios|got|xml-js|sax)\//;

export const networkAmong = (inputs: readonly string[]) => inputs.filter(file => networkInputs.test(file));

/** The inputs through which programs act for the user: a model behind one of them is a way to a network. */
const agentInputs =
  /^src\/(agents|mcp|cli|programs)\/|^src\/engine\/flavor\/claims\.ts$|node_modules\/@modelcontextprotocol\//;

export const agentsAmong = (inputs: readonly string[]) => inputs.filter(file => agentInputs.test(file));

export const notHarmless = (imports: readonly string[]) =>
  imports.filter(path => {
    const name = path.replace(/^node:/, '');
    return builtinModules.includes(name) ? !harmlessModules.includes(name) : !isOwnLoad(name);
  });
