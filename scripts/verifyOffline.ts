// Proves that the offline flavor cannot reach a network: `npm run verify:offline [-- some.vsix ...]`. Without a package
// the tests of this source's bundles do; with one, every script inside it is searched.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackage } from './package/check';
import { doorsForAgents, isScript, loosePages, speakingToAgents, unscanned, waysOut } from './package/waysOut';
import { needPrograms, node } from './system';

let good = true;
const { positionals: packages } = parseArgs({ allowPositionals: true });
if (packages.length > 0) for (const file of packages) checkPackage(file);
else checkSource();
console.log(good ? 'No way to a network.' : 'There is a way to a network.');
process.exit(good ? 0 : 1);

function checkSource() {
  needPrograms('strace'); // the session that it watches would be left out
  const test = 'test/project/offline.test';
  const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--timeout', '60000', '--grep', 'the offline'];
  for (const args of [['esbuild.js'], ['esbuild.js', '--tests', `${test}.ts`], [...mocha, `out/${test}.js`]])
    good &&= node(...args);
}

function checkPackage(file: string) {
  const zip = readPackage(file);
  const textOf = (name: string) => new TextDecoder().decode(zip.get(name));
  const manifest = JSON.parse(textOf('extension/package.json'));
  check(`${basename(file)} holds nothing else that could run`, unscanned([...zip.keys()], manifest));
  check(`${basename(file)} has no door for agents`, doorsForAgents([...zip.keys()], manifest));
  const scripts = [...zip.keys()].filter(isScript).map(name => ({ name, text: textOf(name) }));
  check(`${basename(file)} holds scripts`, scripts.length > 0 ? [] : ['none found']);
  for (const script of scripts) {
    const found = waysOut(script).map(({ location, fault }) => `${location}: ${fault}`);
    check(`${script.name} (${Math.round(script.text.length / 1024)} KB) has no way out`, found);
  }
  check('no script speaks the protocol of agents', speakingToAgents(scripts));
  const pages = scripts.filter(({ text }) => text.includes('Content-Security-Policy'));
  const loose = pages.length > 0 ? pages.flatMap(loosePages).map(({ fault }) => fault) : ['no script that writes them'];
  check('the pages’ policy allows no connection', loose);
}

function check(claim: string, against: readonly string[]) {
  console.log(`  ${against.length === 0 ? 'ok  ' : 'FAIL'} ${claim}`);
  for (const finding of against) console.log(`       ${finding}`);
  good &&= against.length === 0;
}
