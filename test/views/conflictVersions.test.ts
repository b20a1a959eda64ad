import assert from 'node:assert/strict';
import { copyReason, keptMessage, versionWords } from '../../src/commands/sync/conflictVersions';
import { todoText } from '../sync/support/texts';
import { aFolderWorld } from '../sync/support/world';

describe('the text about a second file of a task', () => {
  const world = aFolderWorld();

  it('names both files, and no server', async () => {
    world.folder.addList('errands');
    world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread'));
    world.folder.put('errands/my & your.ics', todoText('bread', 'SUMMARY:Buy cake'));
    const engine = await world.devices.open(world.folder);
    await engine.sync();
    const [conflict] = engine.syncing!.conflicts();
    const texts = { ...versionWords(conflict!), reason: copyReason(conflict!), kept: keptMessage(conflict!, 'mine') };
    assert.deepEqual(JSON.parse(JSON.stringify(texts).replaceAll(/[\u2068\u2069]/g, '')), {
      sides: { mine: 'my & your.ics', server: 'bread.ics' },
      use: { mine: 'Use my & your.ics', server: 'Use bread.ics' },
      useForAll: { mine: 'Use my & your.ics for All', server: 'Use bread.ics for All' },
      reason: 'Two files have this task: bread.ics and my & your.ics',
      kept: 'Kept Buy bread as it is in my & your.ics',
    });
  });
});
