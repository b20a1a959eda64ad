// The host suite in the desktop editor, if it can be downloaded and has a screen to appear on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { cacheFolder, root } from '../paths';
import { hasScreen } from '../system';

export async function runOnDesktop(entry: string, env: Record<string, string>): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), 'dueline-workspace-'));
  const tests = runTests({
    extensionDevelopmentPath: [root, join(root, 'test/ui/bridge')],
    extensionTestsPath: entry,
    extensionTestsEnv: env,
    cachePath: cacheFolder,
    launchArgs: [workspace, '--disable-workspace-trust', '--disable-gpu', '--disable-extensions'],
  });
  await tests.finally(() => rmSync(workspace, { recursive: true, force: true }));
}

/** Says it in words. */
export async function whatDesktopLacks(): Promise<string | undefined> {
  if (process.env.DUELINE_DESKTOP === '0') return 'DUELINE_DESKTOP=0';
  if (!hasScreen()) return 'there is no screen (xvfb-run gives one)';
  const address = 'https://update.code.visualstudio.com/api/releases/stable';
  const answer = await fetch(address, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return answer?.ok ? undefined : 'its download cannot be reached';
}
