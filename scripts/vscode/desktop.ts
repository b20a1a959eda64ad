// The host suite in the desktop editor.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { cacheFolder, root } from '../paths';

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
