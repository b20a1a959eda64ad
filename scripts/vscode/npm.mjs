import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs npm in a folder. Inside `npm run` the outer npm's idea of the project would leak into the inner one.
 * @param {string[]} args
 * @param {string} cwd
 */
export async function npm(args, cwd) {
  const env = { ...process.env };
  for (const name of Object.keys(env))
    if (/^npm_(config_local_prefix|package_|lifecycle_|command)/.test(name)) delete env[name];
  try {
    await run('npm', args, { cwd, env, timeout: 600_000, maxBuffer: 64e6 });
  } catch (error) {
    const { stderr, message } = /** @type {{stderr?: string, message: string}} */ (error);
    throw new Error(`npm ${args[0]} failed: ${stderr?.trim() || message}`);
  }
}
