// What a suite's results file says. The exit code of a window is not to be trusted: a killed extension host gives 0.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * @typedef {object} Results
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {{title: string, error: string}[]} failures
 *
 * @param {string} file as mocha's `json` reporter writes it
 * @returns {Results | undefined} undefined where the suite never came to its end
 */
export function readResults(file) {
  if (!existsSync(file)) return undefined;
  try {
    const { stats, failures } = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: stats.passes,
      failed: stats.failures,
      skipped: stats.pending,
      failures: failures.map((/** @type {any} */ test) => ({
        title: test.fullTitle,
        error: test.err?.stack ?? test.err?.message ?? '',
      })),
    };
  } catch {
    return undefined;
  }
}

/**
 * @param {Results | undefined} results
 * @returns {boolean} true only where tests ran and none failed
 */
export const isGood = results => results !== undefined && results.failed === 0 && results.passed > 0;

const maxLines = 120;

/** @param {Results['failures']} failures @returns {string} as they are read in a log */
export const tellFailures = failures =>
  failures.map(({ title, error }) => `${title}\n${error.split('\n').slice(0, maxLines).join('\n')}\n`).join('\n');

/**
 * Puts the results of a suite's files into one. A file without any counts as one that failed.
 * @param {{name: string, results: string}[]} files `results`: where those of the file `name` are to be
 * @param {{start: number, target: string}} suite when it began, and where its results go to
 * @returns {Results}
 */
export function joinResults(files, { start, target }) {
  const stats = { tests: 0, passes: 0, pending: 0, failures: 0 };
  const failures = [];
  const seconds = [];
  for (const { name, results } of files) {
    const read = readResults(results) ? JSON.parse(readFileSync(results, 'utf8')) : lost(name);
    for (const key of /** @type {const} */ (['tests', 'passes', 'pending', 'failures'])) stats[key] += read.stats[key];
    failures.push(...read.failures);
    seconds.push({ name, seconds: Math.round(read.stats.duration / 1000) });
  }
  const [end, duration] = [new Date(), Date.now() - start];
  const joined = { stats: { ...stats, start: new Date(start), end, duration }, failures, files: seconds };
  writeFileSync(target, JSON.stringify(joined, null, 2));
  return /** @type {Results} */ (readResults(target));
}

/** @param {string} name */
const lost = name => ({
  stats: { tests: 1, passes: 0, pending: 0, failures: 1, duration: 0 },
  failures: [{ fullTitle: name, err: { message: 'did not come to its end' } }],
});
