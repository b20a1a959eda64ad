import { inspect } from 'node:util';

/** Prints why a test failed as soon as it has: a run of many seeds may be cut off before mocha reports it at the end. */
export function reportFailuresAtOnce(): void {
  afterEach(function () {
    const { err, title } = this.currentTest ?? {};
    if (err) process.stderr.write(`\n${title}\n${inspect(err)}\n\n`);
  });
}
