// Proves that the offline flavor cannot reach a network: `npm run verify:offline [-- some.vsix ...]`. Without a package it
// looks at this source's bundles; with one, at every script inside it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { manifestOf } from './manifest.mjs';
import { agentsAmong, networkAmong, notHarmless, offlineBundles } from './offline/build.mjs';
import { doorsForAgents, isScript, loosePages, notLookedThrough, speakingToAgents, waysOut } from './offline/text.mjs';
import { watchSession } from './offline/trace.mjs';
import { readPackage } from './package/check.mjs';
import { root } from './paths.mjs';
import { needPrograms } from './system.mjs';

let good = true;
const { positionals: packages } = parseArgs({ allowPositionals: true });
if (packages.length > 0) for (const file of packages) await lookInto(file);
else await lookAtSource();
console.log(good ? 'No way to a network.' : 'There is a way to a network.');
process.exit(good ? 0 : 1);

/** @param {string} file */
async function lookInto(file) {
  const zip = readPackage(file);
  const textOf = (/** @type {string} */ name) => new TextDecoder().decode(zip.get(name));
  const manifest = JSON.parse(textOf('extension/package.json'));
  check(`${basename(file)} holds nothing else that could run`, notLookedThrough([...zip.keys()], manifest));
  check(`${basename(file)} has no door for agents`, doorsForAgents([...zip.keys()], manifest));
  const scripts = [...zip.keys()].filter(isScript).map(name => ({ name, text: textOf(name) }));
  check(`${basename(file)} holds scripts`, scripts.length > 0 ? [] : ['none found']);
  lookAtTexts(scripts);
}

async function lookAtSource() {
  const { scripts, inputs, imports } = await offlineBundles();
  check(`none of the ${inputs.length} files in the bundles talks to servers`, networkAmong(inputs));
  check('none of them lets agents in', agentsAmong(inputs));
  check('the manifest has no door for agents', doorsForAgents([], manifestOf('offline')));
  check(`the bundles load harmless modules alone (${imports.join(', ')})`, notHarmless(imports));
  lookAtTexts(scripts);
  try {
    needPrograms('strace');
  } catch (error) {
    check('a watched session opens no socket', [error instanceof Error ? error.message : String(error)]);
    return;
  }
  const engine = join(root, 'dist/engine-offline.cjs');
  if (!existsSync(engine)) spawnSync(process.execPath, ['esbuild.js'], { cwd: root, stdio: 'inherit' });
  const { said, calls } = watchSession(engine);
  check(`a session of ${said}, watched by strace, opens no socket`, calls);
}

/** @param {import('./offline/text.mjs').Script[]} scripts */
function lookAtTexts(scripts) {
  for (const script of scripts) {
    const found = waysOut(script).map(({ where, what }) => `${where}: ${what}`);
    check(`${script.name} (${Math.round(script.text.length / 1024)} KB) has no way out`, found);
  }
  check('no script speaks the protocol of agents', speakingToAgents(scripts));
  const pages = scripts.filter(({ text }) => text.includes('Content-Security-Policy'));
  const loose = pages.length > 0 ? pages.flatMap(loosePages).map(({ what }) => what) : ['no script that writes them'];
  check('the pages’ policy allows no connection', loose);
}

/**
 * @param {string} claim
 * @param {string[]} against
 */
function check(claim, against) {
  console.log(`  ${against.length === 0 ? 'ok  ' : 'FAIL'} ${claim}`);
  for (const finding of against) console.log(`       ${finding}`);
  good &&= against.length === 0;
}
