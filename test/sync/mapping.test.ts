import assert from 'node:assert/strict';
import { Status } from '../../src/core/model';
import { linesOf } from './texts';
import { aWorld } from './world';

describe('what an edit changes in the server’s text', () => {
  const world = aWorld();
  /** A task of these lines, on a device. */
  const task = async (...lines: string[]) => {
    world.put('t', ...lines);
    const device = await world.device();
    return { device, engine: device.engine, id: device.byUid('t')!.id, row: () => device.byUid('t')! };
  };
  const lines = () => linesOf(world.list.get('t.ics'));
  const line = (name: string) => lines().filter(one => new RegExp(`^${name}[;:]`).test(one));

  for (const timeZone of ['America/Los_Angeles', 'Pacific/Auckland']) {
    it(`A41 an all-day date stays that date in ${timeZone}`, async () => {
      world.put('t', 'SUMMARY:Taxes', 'DUE;VALUE=DATE:20250309');
      const clock = { timeZone, now: () => Date.UTC(2025, 2, 9, timeZone.startsWith('A') ? 20 : 2) };
      const device = await world.device({ clock });
      const today = device.engine.widget('today').groups.find(({ key }) => key === 'today');
      assert.deepEqual(
        today?.items.map(({ task }) => task.uid),
        ['t'],
      );
      await device.engine.updateTask(device.byUid('t')!.id, { due: Date.UTC(2025, 2, 10) });
      await device.sync();
      assert.deepEqual(line('DUE'), ['DUE;VALUE=DATE:20250310']);
    });
  }

  it('A43 a timed task that becomes all-day loses its zone', async () => {
    const { device, engine, id } = await task('SUMMARY:T', 'DUE;TZID=Europe/Berlin:20250203T090000');
    await engine.updateTask(id, { due: Date.UTC(2025, 1, 3), isAllDay: true, timezone: null });
    await device.sync();
    assert.deepEqual(line('DUE'), ['DUE;VALUE=DATE:20250203']);
  });

  it('A44 a due date takes the place of a duration', async () => {
    const { device, engine, id } = await task('SUMMARY:T', 'DTSTART:20250203T090000Z', 'DURATION:PT1H');
    await engine.updateTask(id, { due: Date.UTC(2025, 1, 3, 12) });
    await device.sync();
    assert.deepEqual([line('DUE'), line('DURATION')], [['DUE:20250203T120000Z'], []]);
  });

  it('A45 every other line keeps its bytes, a large attachment among them', async () => {
    const kept = [
      `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUJD'.repeat(75_000)}`,
      'GEO:48.20;16.37',
      'COMMENT:One',
      'COMMENT;LANGUAGE=de:Zwei',
      'X-Mixed-Case;X-A="b:c":v\\,w',
      'DESCRIPTION;ALTREP="cid:1":Text',
    ];
    const { device, engine, id } = await task('SUMMARY;LANGUAGE=de:T', ...kept);
    await engine.updateTask(id, { title: 'Neu' });
    await device.sync();
    for (const one of kept) assert.ok(lines().includes(one), one.slice(0, 60));
    assert.deepEqual(line('SUMMARY'), ['SUMMARY;LANGUAGE=de:Neu']);
  });

  it('A47 no value can bring in a line', async () => {
    const { device, engine, id } = await task('SUMMARY:T');
    await engine.updateTask(id, { title: 'a\r\nX-EVIL:1', tags: ['b\r\nX-EVIL:2'] });
    await engine.updateTask(id, { url: 'https://example.com/\r\nX-EVIL:3' }).catch(() => undefined);
    await device.sync();
    assert.deepEqual(line('X-EVIL'), []);
  });

  it('A49 a priority of 3 and a colour of one’s own survive an edit of something else', async () => {
    const { device, engine, id, row } = await task('SUMMARY:T', 'PRIORITY:3', 'COLOR:papayawhip');
    await engine.updateTask(id, { title: 'Neu', priority: row().priority, color: row().color });
    await device.sync();
    assert.deepEqual([line('PRIORITY'), line('COLOR')], [['PRIORITY:3'], ['COLOR:papayawhip']]);
  });

  it('A50 reopening takes every sign of completion away', async () => {
    const { device, engine, id, row } = await task(
      'SUMMARY:T',
      'STATUS:COMPLETED',
      'PERCENT-COMPLETE:100',
      'COMPLETED:20250101T090000Z',
    );
    await engine.reopenTask(id);
    await device.sync();
    assert.deepEqual([line('COMPLETED'), line('STATUS')], [[], ['STATUS:NEEDS-ACTION']]);
    assert.ok(!lines().includes('PERCENT-COMPLETE:100'));
    assert.equal(row().status, Status.needsAction);
  });
});
