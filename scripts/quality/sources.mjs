// Where the figures of the page come from: each source keeps its result as `out/quality/<name>.json`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { coverageFolder, rooms, runCovered } from '../coverage/run.mjs';
import { readCoverage, sum } from '../coverage/sums.mjs';
import { makePackage } from '../package/make.mjs';
import { resultsFolder, root } from '../paths.mjs';
import { countKeys } from './keys.mjs';

const qualityFolder = join(root, 'out/quality');

/** @param {string} name @param {object} result */
function keep(name, result) {
  mkdirSync(qualityFolder, { recursive: true });
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const stamped = { at: new Date().toISOString(), commit: stdout?.trim() || null, ...result };
  writeFileSync(join(qualityFolder, `${name}.json`), `${JSON.stringify(stamped, null, 2)}\n`);
}

/** @param {...string} args of Node.js */
const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

/** By the word that asks for it. @type {Record<string, () => Promise<void> | void>} */
export const sources = {
  bench: () => bench(),
  chaos: () => void node('out/bench/chaos/main.js', '--minutes', '15'),
  soak: () => void node('out/bench/soak/main.js', '--minutes', '30'),
  keys: async () => keep('keys', { jobs: await countKeys() }),
  coverage: async () => {
    const { suites, good } = await runCovered();
    const files = readCoverage(coverageFolder);
    const shares = rooms.map(room => {
      const own = files.filter(({ file }) => file.startsWith(`src/${room}/`));
      return { room, lines: sum(own, 'lines'), branches: sum(own, 'branches') };
    });
    keep('coverage', { suites, good, rooms: shares });
  },
  packages: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-packages-'));
    const made = [await makePackage('full', folder), await makePackage('offline', folder)];
    rmSync(folder, { recursive: true, force: true });
    const packages = made.map(({ file, size, contents }) => {
      const [largest] = [...contents].toSorted(([, a], [, b]) => b - a);
      return { name: basename(file), size, files: contents.size, largest };
    });
    keep('packages', { packages });
  },
  audit: () => {
    const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8' });
    const { metadata, vulnerabilities, message } = JSON.parse(stdout || '{}');
    if (metadata) keep('audit', { counts: metadata.vulnerabilities, names: Object.keys(vulnerabilities) });
    else keep('audit', { unanswered: String(message ?? 'no answer').replace(/ - .*/, '') });
  },
};

/** @param {string[]} parts all where none is named */
export function bench(...parts) {
  node('out/bench/main.js', ...parts);
}

/** The counts of each suite's last run; those kept before stay where a suite did not run since. */
export function keepTests() {
  if (!existsSync(resultsFolder)) return;
  const files = readdirSync(resultsFolder).filter(name => name.endsWith('.json') && name !== 'check.json');
  const fresh = files.map(name => {
    const { stats, files } = JSON.parse(readFileSync(join(resultsFolder, name), 'utf8'));
    const { passes, failures, pending, duration, end } = stats;
    const suite = name.replace('.json', '');
    return { suite, passes, failures, pending, seconds: Math.round(duration / 1000), at: end, files };
  });
  /** @type {typeof fresh} */
  const before = kept().tests?.suites ?? [];
  const others = before.filter(({ suite }) => !fresh.some(row => row.suite === suite));
  if (fresh.length > 0)
    keep('tests', { suites: [...others, ...fresh].toSorted((a, b) => (a.suite < b.suite ? -1 : 1)) });
}

/** @returns {Record<string, any>} what is kept, by name */
export function kept() {
  if (!existsSync(qualityFolder)) return {};
  const names = readdirSync(qualityFolder).filter(name => name.endsWith('.json'));
  return Object.fromEntries(
    names
      .toSorted()
      .map(name => [name.replace('.json', ''), JSON.parse(readFileSync(join(qualityFolder, name), 'utf8'))]),
  );
}
