import { cpus, totalmem, type } from 'node:os';
import { percent } from '../coverage/sums.mjs';

/**
 * @typedef {{name: string, ratio: number | null, goal?: number, detail?: string, verdict: string}} Figure
 * @typedef {{at: string, commit: string | null}} Stamp
 * @typedef {Stamp & {part: string, figures: Figure[], failure?: string}} Bench
 * @typedef {object} Reasons
 * @property {Record<string, string>} parts titles
 * @property {Record<string, {why: string, reach: string}>} missed by the name of the figure or the job
 * @property {Record<string, string>} slow by the file's name
 * @property {Record<string, string>} [soak] what was found out about a problem, by its first line
 * @property {Record<string, string>} dependencies
 * @property {{part: string, files: string[], lines: number, why: string}[]} handwritten `files`: folders too
 */

/** A file of tests that takes longer needs a reason. In seconds. */
const slowFrom = 60;

/** Branches of core, store and sync that the tests are to take, in percent. */
const coverageGoal = 95;

/**
 * @param {Record<string, any>} kept results by name
 * @param {Reasons} reasons
 * @param {Record<string, any>} manifest
 * @param {string} [before] the page as it was: what this machine has not measured stays as it says
 * @returns {{text: string, unexplained: string[]}} the page, and the missed goals that no reason is given for
 */
export function page(kept, reasons, manifest, before = '') {
  const known = new Map(before.split(/^## /m).map(text => [text.split('\n', 1)[0], `## ${text.trimEnd()}`]));
  const titleOf = (/** @type {string} */ part) => reasons.parts[part] ?? part;
  const measured = Object.keys(kept).flatMap(name => (name.startsWith('bench-') ? [name.slice(6)] : []));
  const parts = new Set([...measured, ...Object.keys(reasons.parts).filter(part => known.has(titleOf(part)))]);
  const benches = [...parts]
    .toSorted()
    .map(part => (kept[`bench-${part}`] ? benchSection(kept[`bench-${part}`], reasons) : known.get(titleOf(part))));
  /** @type {(title: string, result: any, fresh: string) => string} */
  const section = (title, result, fresh) => (result ? undefined : known.get(title)) ?? `## ${title}\n\n${fresh}`;
  const keys = section('Keys and clicks', kept.keys, keysSection(kept.keys));
  const missed = [...benches, keys].flatMap(text => [
    ...(text ?? '').matchAll(/^\| (.+?) \| .* \| \*\*missed\*\* \|/gm),
  ]);
  const names = missed.map(([, name = '']) => name);
  const audit = kept.audit ? undefined : /^`npm audit`.*$/m.exec(known.get('Dependencies') ?? '')?.[0];
  const sections = [
    '# Dueline in figures',
    introduction(),
    ...benches,
    `## Goals that are missed\n\n${missedSection(names, reasons)}`,
    keys,
    section('Chaos', kept.chaos, chaosSection(kept.chaos)),
    section('Soak', kept.soak, soakSection(kept.soak, reasons)),
    section('Tests', kept.tests, testsSection(kept.tests, reasons)),
    section('Coverage', kept.coverage, coverageSection(kept.coverage)),
    section('Packages', kept.packages, packagesSection(kept.packages)),
    `## Dependencies\n\n${audit ?? auditSection(kept.audit)}\n\n${dependenciesSection(reasons, manifest)}`,
    `## Written by hand, and why\n\n${handwrittenSection(reasons)}`,
  ];
  return { text: `${sections.join('\n\n')}\n`, unexplained: names.filter(name => !reasons.missed[name]) };
}

function introduction() {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}`;
  return [
    'Written by `npm run quality`; `npm run quality -- store coverage` measures only these again, `-- page` nothing.',
    `Times differ from machine to machine (this one: ${machine}, Node.js ${process.versions.node}), so each figure is a`,
    'ratio to a reference that was measured in the same run, unless its name says another unit.',
  ].join('\n');
}

/** @param {string[]} head @param {(string | number)[][]} rows */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

/** @param {string} at */
const timeText = at => `${at.slice(0, 16).replace('T', ' ')} UTC`;

/** @param {Stamp} stamp */
const stampText = ({ at, commit }) => `${timeText(at)}, commit ${commit ?? 'unknown'}`;

/** @param {string} command */
const notMeasured = command => `Not measured yet: \`${command}\`.`;

/** @param {Bench} bench @param {Reasons} reasons */
function benchSection(bench, reasons) {
  const rows = bench.figures.map(({ name, ratio, goal, detail, verdict }) => [
    name,
    ratio === null ? '–' : ratio.toFixed(ratio < 0.1 ? 4 : 2),
    goal === undefined ? '' : `≤ ${goal}`,
    verdict === 'MISSED' ? '**missed**' : verdict,
    detail ?? '',
  ]);
  const failure = bench.failure ? `\n\nThis part did not come to its end: ${bench.failure}` : '';
  const title = `## ${reasons.parts[bench.part] ?? bench.part}`;
  return `${title}\n\n${stampText(bench)}.\n\n${table(['Figure', 'Ratio', 'Goal', '', 'Measured'], rows)}${failure}`;
}

/** @param {string[]} names of figures @param {Reasons} reasons */
function missedSection(names, reasons) {
  if (names.length === 0) return 'None.';
  const line = (/** @type {string} */ name) => {
    const reason = reasons.missed[name];
    return reason
      ? `- **${name}**: ${reason.why} What would reach it: ${reason.reach}`
      : `- **${name}**: no reason is known yet.`;
  };
  return names.map(line).join('\n');
}

/** @param {any} keys */
function keysSection(keys) {
  if (!keys) return notMeasured('npm run quality -- keys');
  /** @type {{name: string, goal: string, measured: string, good: boolean}[]} */
  const jobs = keys.jobs;
  const rows = jobs.map(({ name, measured, goal, good }) => [name, measured, goal, good ? 'ok' : '**missed**']);
  const note = 'Events of a real window. Text that is typed counts as one, whatever its length.';
  return `${stampText(keys)}. ${note}\n\n${table(['Job', 'Measured', 'Goal', ''], rows)}`;
}

/** @param {any} chaos */
function chaosSection(chaos) {
  if (!chaos) return notMeasured('npm run chaos -- --minutes 15');
  const { minutes, seed, rounds, kills, stops, faults, acknowledged, lost, duplicated, diverged, errors, problems } =
    chaos;
  const told = problems.length === 0 ? '' : `\n\nReported meanwhile: ${problems.join('; ')}`;
  const head = [
    'Acknowledged edits',
    'Lost',
    'Duplicated',
    'Diverged',
    'Failed writers',
    'Rounds',
    'Kills',
    'Freezes',
    'Flipped bits',
  ];
  return [
    `${stampText(chaos)}, ${minutes} minutes, seed ${seed}. Up to four processes edit one store while they are killed and frozen,`,
    `journals are torn and bits flipped. Goal: none lost, duplicated or diverged, and no writer fails.\n`,
    `${table(head, [[acknowledged, lost, duplicated, diverged, errors, rounds, kills, stops, faults]])}${told}`,
  ].join('\n');
}

/** @param {string[]} texts */
const firstLines = texts => texts.map(text => text.split('\n')[0]);

/** @param {any} soak @param {Reasons} reasons */
function soakSection(soak, { soak: foundOut = {} }) {
  if (!soak) return notMeasured('npm run soak -- --minutes 30');
  const { minutes, seed, rounds, acts, created, missed, memory, problems } = soak;
  const counts = /** @type {number[]} */ (Object.values(acts));
  const sum = counts.reduce((all, count) => all + count, 0);
  const rows = memory.map((/** @type {any} */ { name, first, second, ratio, goal }) => [
    `${name}, MB`.replace(' nodes, MB', ' nodes'),
    first.toFixed(1),
    second.toFixed(1),
    ratio.toFixed(2),
    goal === undefined ? '' : `≤ ${goal}`,
    goal === undefined ? '' : ratio <= goal ? 'ok' : '**missed**',
  ]);
  const told = firstLines(problems).map(line => (foundOut[line ?? ''] ? `${line} ${foundOut[line ?? '']}` : line));
  return [
    `${stampText(soak)}, ${minutes} minutes, seed ${seed}. Two windows of one person, the command line, an agent and another`,
    'program edit the same tasks on one Radicale, by hand and by the interface; windows are reloaded meanwhile. Goal: no task',
    'lost, doubled or brought back, no title lost, no error in any log, and both windows and the server equal at the end.\n',
    `${sum} acts of ${counts.length} kinds in ${rounds} rounds, ${created} tasks made; ${missed.length} acts by hand came to no end.`,
    problems.length === 0 ? 'Nothing was wrong.\n' : `What was wrong: ${told.join('; ')}\n`,
    'Memory is what is left after a collection: medians of both halves, without the first fifth of the run. Nothing of Dueline',
    'runs in the editor’s server, and nobody can have it collect: it is shown, and has no goal. Nor has the second window, which',
    'starts over with each reload. “Rows let go” are the empty stores that the editor’s extension host keeps of every row of a',
    'tree that it has drawn, any extension’s.\n',
    table(['Memory after a collection', 'First half', 'Second half', 'Ratio', 'Goal', ''], rows),
  ].join('\n');
}

/** @param {any} tests @param {Reasons} reasons */
function testsSection(tests, { slow }) {
  if (!tests) return notMeasured('npm test');
  const rows = tests.suites.map((/** @type {any} */ { suite, passes, failures, pending, seconds, at }) => [
    suite,
    passes,
    failures,
    pending,
    seconds,
    timeText(at),
  ]);
  const counts = table(['Suite', 'Passed', 'Failed', 'Skipped', 'Seconds', 'Ended'], rows);
  /** @type {[string, number, string][]} */
  const slowest = tests.suites
    .flatMap((/** @type {any} */ { suite, files = [] }) =>
      files.map((/** @type {any} */ { name, seconds }) => [`${suite} ${name}`, seconds, slow[name] ?? '']),
    )
    .filter((/** @type {[string, number]} */ [, seconds]) => seconds >= slowFrom)
    .toSorted((/** @type {[string, number]} */ [, a], /** @type {[string, number]} */ [, b]) => b - a);
  if (slowest.length === 0) return counts;
  return `${counts}\n\n${table([`Files above ${slowFrom} seconds`, 'Seconds', 'Why'], slowest)}`;
}

/** @param {any} coverage */
function coverageSection(coverage) {
  if (!coverage) return notMeasured('npm run coverage');
  const rows = coverage.rooms.map((/** @type {any} */ { room, lines, branches }) => [
    `\`src/${room}\``,
    `${percent(lines).toFixed(1)} %`,
    `${percent(branches).toFixed(1)} % (${branches.covered} of ${branches.total})`,
    percent(branches) >= coverageGoal ? 'ok' : '**missed**',
  ]);
  const suites = coverage.suites.join(' and ');
  return `${stampText(coverage)}. What the ${suites} tests reach; goal: ${coverageGoal} % of the branches of each.\n\n${table(['Folder', 'Lines', 'Branches', ''], rows)}`;
}

/** @param {any} packages */
function packagesSection(packages) {
  if (!packages) return notMeasured('npm run package');
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(0)} KB`;
  const rows = packages.packages.map((/** @type {any} */ { name, size, files, largest: [path, bytes] }) => [
    name,
    kilobytes(size),
    files,
    `${path}, ${kilobytes(bytes)} unpacked`,
  ]);
  return `${stampText(packages)}.\n\n${table(['Package', 'Size', 'Files', 'Largest file'], rows)}`;
}

/** @param {any} audit */
function auditSection(audit) {
  if (!audit) return notMeasured('npm audit');
  if (audit.unanswered) return `\`npm audit\`: the registry in use gave no answer (${audit.unanswered}).`;
  const { total } = audit.counts;
  return `\`npm audit\`, ${stampText(audit)}: ${total === 0 ? 'nothing known' : `${total} (${audit.names.join(', ')})`}.`;
}

/** @param {Reasons} reasons @param {Record<string, any>} manifest */
function dependenciesSection(reasons, { dependencies, devDependencies }) {
  const rows = (/** @type {Record<string, string>} */ named) =>
    Object.entries(named).map(([name, version]) => [`${name} ${version}`, reasons.dependencies[name] ?? '']);
  const shipped = table(['Shipped in the package', 'Why'], rows(dependencies));
  return `${shipped}\n\n${table(['For building and testing', 'Why'], rows(devDependencies))}`;
}

/** @param {Reasons} reasons */
function handwrittenSection({ handwritten }) {
  const rows = handwritten.map(({ part, files, lines, why }) => [
    part,
    files.map(file => `\`${file}\``).join(', '),
    lines,
    why,
  ]);
  return `What a package could do, with the reason why none does.\n\n${table(['Part', 'Files', 'Lines', 'Why'], rows)}`;
}
