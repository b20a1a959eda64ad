// Property tests draw the same cases at every run, so that a red run is about the change. `DUELINE_SEED=random` looks
// for new ones, a number repeats those of a report.
const { configureGlobal } = require('fast-check');

const wanted = process.env.DUELINE_SEED ?? '20261121';
if (wanted !== 'random') configureGlobal({ seed: Number(wanted) });
