// What a suite's results file says. The exit code of a window is not to be trusted: a killed extension host gives 0.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{passed: number, failed: number, skipped: number, failures: {title: string, error: string}[]}} Results
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
