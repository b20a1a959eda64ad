import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../paths.mjs';

/**
 * @typedef {{line: number, column: number}} Place
 * @typedef {{start: Place, end: Place}} Span
 * @typedef {object} FileCoverage Istanbul's, as far as it is read here
 * @property {Record<string, Span>} statementMap a line each
 * @property {Record<string, number>} s
 * @property {Record<string, {locations: Span[]}>} branchMap
 * @property {Record<string, number[]>} b
 * @property {Record<string, {name: string, loc: Span}>} fnMap
 * @property {Record<string, number>} f
 *
 * @typedef {{covered: number, total: number}} Share
 * @typedef {{file: string, lines: Share, branches: Share, unreached: string[]}} Reached `unreached`: a line of text for
 * each branch that no test took and each function that none called
 */

/**
 * @param {string} folder with `coverage-final.json`
 * @returns {Reached[]} a row for each source file
 */
export function readCoverage(folder) {
  const files = /** @type {Record<string, FileCoverage>} */ (
    JSON.parse(readFileSync(join(folder, 'coverage-final.json'), 'utf8'))
  );
  return Object.entries(files).map(([path, coverage]) => reachedIn(path, coverage));
}

/** @param {string} path @param {FileCoverage} coverage @returns {Reached} */
function reachedIn(path, { s, branchMap, b, fnMap, f }) {
  const text = readFileSync(path, 'utf8').split('\n');
  const taken = Object.entries(branchMap)
    .flatMap(([key, { locations }]) => locations.map((span, at) => ({ span, count: b[key]?.[at] ?? 0 })))
    .filter(({ span }) => !isOnlyClosing(textOf(text, span)));
  // V8 reports no branches of a function that is never called: it counts as one. The first line has the getters that
  // the bundler makes of the exports.
  const neverCalled = Object.entries(fnMap)
    .filter(([key, { loc }]) => f[key] === 0 && loc.start.line > 1)
    .map(([, { loc }]) => ({ span: loc, count: 0 }));
  const branches = [...taken, ...neverCalled];
  const lines = Object.values(s);
  return {
    file: relative(root, path),
    lines: { covered: lines.filter(count => count > 0).length, total: lines.length },
    branches: { covered: branches.filter(({ count }) => count > 0).length, total: branches.length },
    unreached: branches.filter(({ count }) => count === 0).map(({ span }) => describe(text, span)),
  };
}

/** @param {string[]} text @param {Span} span */
function textOf(text, { start, end }) {
  const lines = text.slice(start.line - 1, end.line);
  if (start.line === end.line) return (lines[0] ?? '').slice(start.column, end.column);
  return [(lines[0] ?? '').slice(start.column), ...lines.slice(1, -1), (lines.at(-1) ?? '').slice(0, end.column)].join(
    '\n',
  );
}

/**
 * V8 also counts what follows a `return` or `throw`, which is a closing brace and no branch of the program.
 * @param {string} text
 */
const isOnlyClosing = text => /^[\s{})\];,]*$/.test(text);

/** @param {string[]} text @param {Span} span */
function describe(text, span) {
  const [first = '', ...more] = textOf(text, span).trim().split('\n');
  const line = (text[span.start.line - 1] ?? '').trim();
  return `${span.start.line}: ${first}${more.length > 0 ? ` … (${more.length + 1} lines)` : ''}   in   ${line}`;
}

/**
 * @param {readonly Reached[]} files
 * @param {'lines' | 'branches'} what
 * @returns {Share}
 */
export const sum = (files, what) => ({
  covered: files.reduce((total, file) => total + file[what].covered, 0),
  total: files.reduce((total, file) => total + file[what].total, 0),
});

/** @param {Share} share @returns {number} between 0 and 100 */
export const percent = ({ covered, total }) => (total === 0 ? 100 : (100 * covered) / total);
