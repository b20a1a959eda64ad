import assert from 'node:assert/strict';
import { Status } from '../../../src/core/kernel/model';
import { calendar, linesOf, todo } from '../support/texts';
import { aWorld } from '../support/world';

describe('the effect of an edit on the server’s text', () => {
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

  for (const [zone, due] of [
    ['a TZID with its VTIMEZONE', 'DUE;TZID=Office:20250709T100000'],
    ['an unknown TZID', 'DUE;TZID=Nowhere:20250709T100000'],
    ['a Windows name', 'DUE;TZID=W. Europe Standard Time:20250709T100000'],
  ] as const)
    it(`A42 ${zone} keeps its bytes on the server when the title is edited`, async () => {
      const offset = (name: string) =>
        [`BEGIN:${name}`, 'DTSTART:19700101T000000'].concat(['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0200', `END:${name}`]);
      const zone = ['BEGIN:VTIMEZONE', 'TZID:Office', ...offset('STANDARD'), 'END:VTIMEZONE'];
      const text = calendar(zone, todo('t', 'SUMMARY:T', due));
      world.list.put('t.ics', text);
      const device = await world.device();
      assert.notEqual(device.byUid('t')!.due, null);
      await device.engine.updateTask(device.byUid('t')!.id, { title: 'Neu' });
      await device.sync();
      const written = new Set(lines());
      const missing = linesOf(text).filter(one => !written.has(one) && !/^(SUMMARY|DTSTAMP|PRODID)\b/.test(one));
      assert.deepEqual({ missing, SUMMARY: line('SUMMARY') }, { missing: [], SUMMARY: ['SUMMARY:Neu'] });
    });

  it('A43 a timed task that becomes all-day loses its zone', async () => {
    const { device, engine, id } = await task('SUMMARY:T', 'DUE;TZID=Europe/Berlin:20250203T090000');
    await engine.updateTask(id, { due: Date.UTC(2025, 1, 3), isAllDay: true, timezone: null });
    await device.sync();
    assert.deepEqual(line('DUE'), ['DUE;VALUE=DATE:20250203']);
  });

  it('A44 a due date replaces a duration', async () => {
    const { device, engine, id } = await task('SUMMARY:T', 'DTSTART:20250203T090000Z', 'DURATION:PT1H');
    await engine.updateTask(id, { due: Date.UTC(2025, 1, 3, 12) });
    await device.sync();
    assert.deepEqual({ DUE: line('DUE'), DURATION: line('DURATION') }, { DUE: ['DUE:20250203T120000Z'], DURATION: [] });
  });

  it('A45 every other line keeps its bytes, including a large attachment', async () => {
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

  it('A46 tags with commas and semicolons on two lines are the same set on the server and on another device', async () => {
    const { device, engine, id, row } = await task('SUMMARY:T', 'CATEGORIES:a\\,b,x', 'CATEGORIES:c\\;d');
    assert.deepEqual(row().tags, ['a,b', 'x', 'c;d']);
    await engine.updateTask(id, { title: 'Neu' });
    await device.sync();
    assert.deepEqual(line('CATEGORIES'), ['CATEGORIES:a\\,b,x', 'CATEGORIES:c\\;d']);
    await engine.updateTask(id, { tags: [...row().tags, 'e,f;g'] });
    await device.sync();
    const other = await world.device();
    const tags = new Set(['a,b', 'x', 'c;d', 'e,f;g']);
    for (const one of [device, other]) assert.deepEqual(new Set(one.byUid('t')!.tags), tags);
  });

  it('A47 no value can inject a line', async () => {
    const { device, engine, id } = await task('SUMMARY:T');
    await engine.updateTask(id, { title: 'a\r\nX-EVIL:1', tags: ['b\r\nX-EVIL:2'] });
    await engine.updateTask(id, { url: 'https://example.com/\r\nX-EVIL:3' }).catch(() => undefined);
    await device.sync();
    assert.deepEqual(line('X-EVIL'), []);
  });

  it('A48 alarms of every kind stay as they are on the server, and fire when they should', async () => {
    const alarms = [
      ['ACTION:DISPLAY', 'DESCRIPTION:start', 'TRIGGER:-PT15M', 'ACKNOWLEDGED:20250101T000000Z'],
      ['ACTION:DISPLAY', 'DESCRIPTION:end', 'TRIGGER;RELATED=END:-PT5M', 'X-WR-ALARMUID:7'],
      ['ACTION:AUDIO', 'TRIGGER;VALUE=DATE-TIME:20261121T100000Z'],
      ['ACTION:DISPLAY', 'DESCRIPTION:bare', 'TRIGGER:20261121T110000Z'],
      ['ACTION:EMAIL', 'SUMMARY:mail', 'TRIGGER:-PT1M'],
      ['ACTION:NONE', 'TRIGGER;VALUE=DATE-TIME:19760401T005545Z'],
    ].flatMap(one => ['BEGIN:VALARM', ...one, 'END:VALARM']);
    const dates = ['DTSTART:20261121T120000Z', 'DUE:20261121T130000Z'];
    const { device, engine, id } = await task('SUMMARY:T', ...dates, ...alarms);
    await engine.updateTask(id, { title: 'Neu' });
    await device.sync();
    assert.ok(lines().join('\n').includes(alarms.join('\n')), lines().join('\n'));
    const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 21, hour, minute);
    const fired = engine.alarmsBetween(at(0), at(24)).map(({ fireAt }) => fireAt);
    assert.deepEqual(fired, [at(10), at(11), at(11, 45), at(12, 55)]);
  });

  it('A49 a priority of 3 and a custom color survive an edit of something else', async () => {
    const { device, engine, id, row } = await task('SUMMARY:T', 'PRIORITY:3', 'COLOR:papayawhip');
    await engine.updateTask(id, { title: 'Neu', priority: row().priority, color: row().color });
    await device.sync();
    assert.deepEqual(
      { PRIORITY: line('PRIORITY'), COLOR: line('COLOR') },
      { PRIORITY: ['PRIORITY:3'], COLOR: ['COLOR:papayawhip'] },
    );
  });

  it('A50 reopening removes every trace of completion', async () => {
    const { device, engine, id, row } = await task(
      'SUMMARY:T',
      'STATUS:COMPLETED',
      'PERCENT-COMPLETE:100',
      'COMPLETED:20250101T090000Z',
    );
    await engine.reopenTask(id);
    await device.sync();
    assert.deepEqual(
      { COMPLETED: line('COMPLETED'), STATUS: line('STATUS') },
      { COMPLETED: [], STATUS: ['STATUS:NEEDS-ACTION'] },
    );
    assert.ok(!lines().includes('PERCENT-COMPLETE:100'));
    assert.equal(row().status, Status.needsAction);
  });
});
