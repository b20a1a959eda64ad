import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf, removeOldEditors } from '../../scripts/vscode/install';

describe('the editors that tests run in', () => {
  it('stay as long as the configuration is theirs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-editors-'));
    try {
      const isUnderWay = `${folderOf('oldest')}-Ab12Cd`;
      const staying = [folderOf('newest'), folderOf('oldest'), isUnderWay, 'node24', 'start-data'];
      const old = ['server-1.80.0-12345678', folderOf('newest').replace(/\w+$/, '00000000')];
      for (const name of [...staying, ...old]) {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'file'), '');
      }
      await removeOldEditors(folder);
      assert.deepEqual(readdirSync(folder).sort(), staying.sort());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
