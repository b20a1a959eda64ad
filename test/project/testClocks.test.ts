import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Tests get their time from the test, and wait for events. These still ask the computer's clock or wait by it, so often; a
 * file may do so less, and no other one may begin to. `Changes` and the servers' support end a wait that never comes.
 */
const known: Readonly<Record<string, number>> = {
  'test/core/code/todos.test.ts': 2,
  'test/host/commands.test.ts': 2,
  'test/host/occurrences.test.ts': 1,
  'test/host/reminders.test.ts': 5,
  'test/host/trees.test.ts': 3,
  'test/host/support/api.ts': 3,
  'test/interop/decisions.test.ts': 2,
  'test/interop/support/deepModel.ts': 3,
  'test/interop/support/faultProxy.ts': 1,
  'test/interop/support/roundTrips.ts': 1,
  'test/interop/support/servers.ts': 1,
  'test/interop/support/twoDevices.ts': 1,
  'test/interop/support/vdirsyncer.ts': 2,
  'test/page/support/widgets.ts': 2,
  'test/process/advisoryLock.test.ts': 1,
  'test/support/vscode/changes.ts': 1,
  'test/sync/syncLock.test.ts': 1,
  'test/sync/dav/caldavAnswers.test.ts': 1,
  'test/sync/folder/folderSync.test.ts': 4,
  'test/sync/folder/folderWatch.test.ts': 1,
  'test/sync/folder/vdir.test.ts': 2,
  'test/sync/support/engineProcess.ts': 1,
  'test/sync/support/serverQuirks.ts': 1,
  'test/ui/focusAfterQuestion.test.ts': 2,
  'test/ui/reminders.test.ts': 2,
  'test/ui/rows.test.ts': 1,
  'test/ui/support/wait.ts': 3,
  'test/ui/support/widgetPages.ts': 1,
  'test/views/webview/dayTimer.test.ts': 3,
};

const asksClock = /Date\.now\(\)|new Date\(\)|\bsetTimeout\(|waitForTimeout|\bsleep\(|performance\.now\(\)/g;

describe('tests', () => {
  it('do not use the computer’s clock, and wait for no time', () => {
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .map(name => `test/${name.replaceAll('\\', '/')}`)
      .filter(name => name.endsWith('.ts') && !name.endsWith('testClocks.test.ts'));
    const counts = files.map(name => [name, readFileSync(name, 'utf8').match(asksClock)?.length ?? 0] as const);
    assert.deepEqual(
      counts.filter(([name, count]) => count > (known[name] ?? 0)),
      [],
    );
  });
});
