// Writes what the suites' results say into the summary of a workflow's run, or onto the screen: `node scripts/summary.mjs`.
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { resultsFolder } from './paths.mjs';
import { readResults } from './results.mjs';

const names = existsSync(resultsFolder) ? readdirSync(resultsFolder).filter(name => name.endsWith('.json')) : [];
const suites = names.map(name => ({ name: basename(name, '.json'), results: readResults(join(resultsFolder, name)) }));
const rows = suites.map(({ name, results }) =>
  results
    ? `| ${name} | ${results.passed} | ${results.failed} | ${results.skipped} |`
    : `| ${name} | did not come to its end | | |`,
);
const failures = suites.flatMap(({ name, results }) =>
  (results?.failures ?? []).map(({ title, error }) => `**${name}: ${title}**\n\n\`\`\`\n${error}\n\`\`\`\n`),
);
const text = ['| Suite | Passed | Failed | Skipped |', '| --- | --- | --- | --- |', ...rows, '', ...failures].join(
  '\n',
);
const target = process.env.GITHUB_STEP_SUMMARY;
if (target) appendFileSync(target, `${text}\n`);
else console.log(text);
