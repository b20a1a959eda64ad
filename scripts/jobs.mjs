// Several programs at a time. What each of them says is kept until its end, so that no two mix.
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * @typedef {object} Job
 * @property {string} title the heading above what it says
 * @property {string[]} args of Node.js
 * @property {Record<string, string>} [env] on top of this process's own
 *
 * @param {readonly Job[]} jobs they begin in this order
 * @param {number} atATime if there is only one, what it says is seen at once
 * @returns {Promise<boolean>} once all have ended: true if each of them did so with code 0
 */
export async function runJobs(jobs, atATime) {
  const keeps = Math.min(atATime, jobs.length) > 1;
  const waiting = [...jobs];
  let good = true;
  const work = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) good = (await startJob(job, keeps).code) === 0 && good;
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return good;
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
    process.kill(process.platform === 'win32' ? group : -group, name); // Windows has no groups
  } catch {
    // it has ended
  }
}
