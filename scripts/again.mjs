// A busy machine makes a window drop a key now and then, or takes too long to draw. What fails there runs once more,
// alone, and the run says so at its end: a fault of Dueline's own fails twice.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runJobs } from './jobs.mjs';
import { isGood, readResults, tellFailures } from './results.mjs';

/** More than one of ten mean that something is broken; running it all twice would only take long. */
const maxFailed = (/** @type {number} */ count) => Math.max(4, count / 10);

/**
 * @param {readonly (import('./jobs.mjs').Job & {results: string, mayLack?: boolean})[]} jobs that ran
 *   `results`: the file that each of them wrote; `mayLack`: it may have been left out
 * @returns {Promise<void>} once those that failed ran again; their results files say that they did
 */
export async function runFailedAgain(jobs) {
  const failed = jobs.filter(
    ({ results, mayLack }) => !(mayLack && !existsSync(results)) && !isGood(readResults(results)),
  );
  if (failed.length > maxFailed(jobs.length)) return;
  for (const { results, ...job } of failed) {
    const first = readResults(results)?.failures ?? [{ title: job.title, error: 'did not come to its end' }];
    rmSync(results, { force: true });
    await runJobs([{ ...job, title: `${job.title}, once more` }], 1);
    const outcome = isGood(readResults(results)) ? 'passed at its second try' : 'failed twice';
    console.log(`\n${job.title} ${outcome}. The first one:\n${tellFailures(first)}`);
    if (!existsSync(results)) continue;
    const again = [`${job.title} ${outcome}; at the first failed: ${first.map(({ title }) => title).join('; ')}`];
    writeFileSync(results, JSON.stringify({ ...JSON.parse(readFileSync(results, 'utf8')), again }, null, 2));
  }
}
