// The outcome of a suite: by its results, and by how its program ended.
import { readFileSync } from 'node:fs';
import type { Json } from './paths';

interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: string[];
}

/** The most lines of a failure's report: a difference of two long texts says no more in thousands. */
const maxLines = 120;

/** The results in a file, as mocha's `json` reporter writes it; undefined if there are none. */
export function readResults(file: string): Results | undefined {
  try {
    const { stats, failures } = JSON.parse(readFileSync(file, 'utf8'));
    const reports = failures.map(({ fullTitle, err }: Json) => {
      const lines = `${fullTitle}\n${err?.stack ?? err?.message ?? ''}`.split('\n');
      return lines.length > maxLines ? [...lines.slice(0, maxLines), '…'].join('\n') : lines.join('\n');
    });
    return { passed: stats.passes, failed: stats.failures, skipped: stats.pending, failures: reports };
  } catch {
    return undefined;
  }
}

/**
 * Neither the exit code nor the results are enough: a killed extension host ends with 0, and a suite that hangs after its
 * last test has left good results. Undefined if the suite is good.
 * `code`: null after a signal; `mayBeEmpty`: since some tests were asked for by name, which other suites may have
 */
export function faultOf(code: number | null, results: Results | undefined, mayBeEmpty = false): string | undefined {
  if (!results) return 'did not come to its end';
  if (results.failed > 0) return `failed in ${results.failed}`;
  if (results.passed === 0 && !mayBeEmpty) return 'ran no test';
  return code === 0 ? undefined : `ended with ${code ?? 'a signal'} after its last test`;
}
