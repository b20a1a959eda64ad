import assert from 'node:assert/strict';
import { calendar, todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('a task deleted here while another program puts something else at its address', () => {
  const world = aWorld();
  const event = ['BEGIN:VEVENT', 'UID:e', 'DTSTAMP:20261120T080000Z', 'DTSTART:20261124T100000Z', 'END:VEVENT'];
  for (const [occupant, text, titles] of [
    ['an event', calendar(event), []],
    ['another task', todoText('v', 'SUMMARY:V'), ['V']],
  ] as const)
    it(`is no longer waited for, and ${occupant} stays`, async () => {
      world.put('u', 'SUMMARY:U');
      const device = await world.device();
      await device.engine.deleteTask(device.rows()[0]!.id);
      world.list.put('u.ics', text);
      await world.report(device.engine);
      await device.sync();
      assert.deepEqual(device.titles(), titles);
      assert.deepEqual(world.devices.storeOf(device.engine).selectTasks('t.uid = ?', ['u']), []);
      assert.equal(world.list.get('u.ics'), text);
    });

  it('is waited for if that cannot be read', async () => {
    world.put('u', 'SUMMARY:U');
    const device = await world.device();
    await device.engine.deleteTask(device.rows()[0]!.id);
    world.list.put('u.ics', calendar(event).replace('BEGIN:VCALENDAR', ''));
    assert.equal((await world.report(device.engine)).rowErrors.length, 1);
    assert.equal(world.devices.storeOf(device.engine).selectTasks('t.uid = ?', ['u'])[0]?.isDeleted, true);
  });
});
