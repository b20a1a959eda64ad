// Several programs at a time. What each of them says is kept until its end, so that no two mix.
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';

/**
 * @typedef {object} Job
 * @property {string} title the heading above what it says
 * @property {string[]} args of Node.js
 * @property {Record<string, string>} [env] on top of this process's own
 * @property {boolean} [waits] it computes little: where several run at a time, one of these runs beside them
 *
 * @param {readonly Job[]} jobs they begin in this order
 * @param {number} atATime where there is only one, what it says is seen at once
 * @param {number} [more] of them at most, each of which begins where processors are idle
 * @param {(turn: number) => Promise<boolean>} [mayBegin] tells whether they are
 * @returns {Promise<boolean>} once all have ended: whether each of them did so with code 0
 */
export async function runJobs(jobs, atATime, more = 0, mayBegin = areIdle) {
  const keeps = Math.min(atATime, jobs.length) > 1;
  const beside = keeps ? jobs.filter(({ waits }) => waits) : [];
  const others = jobs.filter(job => !beside.includes(job));
  let good = true;
  const work = async (/** @type {Job[]} */ waiting) => {
    for (let job = waiting.shift(); job; job = waiting.shift()) good = (await startJob(job, keeps).code) === 0 && good;
  };
  /** The same, but asks before each of them. */
  const workWhileIdle = async (/** @type {number} */ turn) => {
    while (others.length > 0) if (await mayBegin(turn)) await work(others.splice(0, 1));
  };
  const first = Array.from({ length: atATime }, () => work(others));
  const rest = Array.from({ length: keeps ? more : 0 }, (_, at) => workWhileIdle(at));
  await Promise.all([work(beside), ...first, ...rest]);
  return good;
}

/** Longer than a window computes at its start, in milliseconds. */
const idleWatchMs = 10_000;

/**
 * @param {number} turn two that ask at once begin one after the other
 * @returns {Promise<boolean>} whether a fifth of the processors' time was idle
 */
async function areIdle(turn) {
  await sleep(turn * idleWatchMs);
  const before = processorTimes();
  await sleep(idleWatchMs);
  const now = processorTimes();
  return now.idle - before.idle > (now.all - before.all) / 5;
}

/** In milliseconds since the machine's start, over all processors. */
function processorTimes() {
  const times = cpus().map(({ times }) => times);
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap(time => Object.values(time))) };
}

/**
 * @param {Job} job
 * @param {boolean} keeps what it says until its end
 * @param {boolean} [detached] as a process group of its own
 * @returns {{pid: number | undefined, code: Promise<number | null>}}
 */
export function startJob({ title, args, env }, keeps, detached = false) {
  const output = keeps ? 'pipe' : 'inherit';
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['inherit', output, output];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio, detached });
  let said = '';
  const hear = (/** @type {string} */ text) => {
    if (keeps) said += text;
    else process.stdout.write(text);
  };
  hear(`\n${title}\n`);
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear);
  const code = new Promise(resolve => {
    const end = (/** @type {number | null} */ code) => {
      process.stdout.write(said);
      resolve(code);
    };
    child.on(keeps ? 'close' : 'exit', end);
    child.on('error', error => {
      hear(`${error.message}\n`);
      end(null);
    });
  });
  return { pid: child.pid, code };
}

/**
 * @param {number} group of processes; one that has ended is left in peace
 * @param {NodeJS.Signals} name
 */
export function signal(group, name) {
  try {
    process.kill(-group, name);
  } catch {
    // it has ended
  }
}
