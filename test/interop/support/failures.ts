import { inspect } from 'node:util';

/** Says why a test failed as soon as it has: a run of many seeds may be cut off before mocha tells it in the end. */
export function tellFailuresAtOnce(): void {
  afterEach(function () {
    const { err, title } = this.currentTest ?? {};
    if (err) process.stderr.write(`\n${title}\n${inspect(err)}\n\n`);
  });
}
