import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FolderWatch } from '../../../src/sync/folder/folderWatch';
import { AFolder } from '../support/folders';
import { todoText } from '../support/texts';

describe('the watch on folders', () => {
  it('goes on in a folder that was deleted and made again', async () => {
    const folder = new AFolder();
    let news = 0;
    const heard = async () => {
      for (let waited = 0; waited < 3_000 && news === 0; waited += 20) await wait(20);
      assert.ok(news > 0);
      await wait(400);
      news = 0;
    };
    const watch = new FolderWatch<string>(() => news++);
    const folders = new Map([[`${folder.url}errands/`, 'errands']]);
    try {
      folder.addList('errands');
      watch.watch(folders);
      folder.put('errands/bread.ics', todoText('bread'));
      await heard();
      rmSync(join(folder.path, 'errands'), { recursive: true });
      await heard();
      watch.watch(folders);
      folder.addList('errands');
      watch.watch(folders);
      await heard();
      folder.put('errands/milk.ics', todoText('milk'));
      await heard();
    } finally {
      watch.dispose();
      await folder.stop();
    }
  });
});
