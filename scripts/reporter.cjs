// Mocha's spec output on the screen, and its JSON in the file that TEST_RESULTS names.
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    const output = process.env.TEST_RESULTS;
    const named = /** @type {any} */ ({ ...options, reporterOption: { output } });
    if (output) new reporters.JSON(runner, named);
  }
};
