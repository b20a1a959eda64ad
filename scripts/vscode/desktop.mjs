// The same host suite in the desktop editor, where it can be downloaded and has a screen to appear on.
import { runTests } from '@vscode/test-electron';
import { cacheFolder, root } from '../paths.mjs';

const probeLimit = 5_000;

/**
 * @param {{entry: string, env: Record<string, string>, workspace: string, must: boolean}} options
 *   `must`: a desktop editor that is out of reach is an error, not a reason to go without
 * @returns {Promise<boolean>} false where the suite was left out
 */
export async function desktopHost({ entry, env, workspace, must }) {
  const missing = await whatIsMissing();
  if (missing) {
    if (must) throw new Error(`The desktop editor cannot run here: ${missing}.`);
    console.log(`host desktop: left out, ${missing}`);
    return false;
  }
  await runTests({
    extensionDevelopmentPath: root,
    extensionTestsPath: entry,
    extensionTestsEnv: env,
    cachePath: cacheFolder,
    launchArgs: [workspace, '--disable-workspace-trust', '--disable-gpu', '--disable-extensions'],
  }).catch(error => console.log(String(error)));
  return true;
}

/** @returns {Promise<string | undefined>} in words */
async function whatIsMissing() {
  if (process.env.DUELINE_DESKTOP === '0') return 'DUELINE_DESKTOP=0';
  const screen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!screen) return 'there is no screen (xvfb-run gives one)';
  const host = 'https://update.code.visualstudio.com/api/releases/stable';
  const answer = await fetch(host, { signal: AbortSignal.timeout(probeLimit) }).catch(() => undefined);
  return answer?.ok ? undefined : 'its download cannot be reached';
}
