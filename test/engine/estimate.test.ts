import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { rowsOfTemplate, templateOf } from '../../src/core/exchange/template';
import { wholeTemplates } from '../../src/core/exchange/wholeTemplates';
import { settableOf, textOf } from '../../src/core/fields/values';
import { parseDay } from '../../src/core/time/dates';
import { inEnglish } from '../../src/query/help/describe';
import { engines } from './support/engine';

describe('the estimate of a task', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let inbox: number;
  const of = (id: number) => textOf(engine.task(id)!, 'estimate');
  const found = (query: string) => engine.query(query).map(({ task }) => task.title);

  beforeEach(async () => {
    engine = await lab.open();
    inbox = engine.defaultListId();
  });

  it('can be set, changed, cleared and restored by undo', async () => {
    const id = await engine.quickAdd('Write ~1h30');
    assert.equal(engine.task(id)!.unknownProperties, '["ESTIMATED-DURATION:PT1H30M"]');
    const change = (estimate: string | null) => engine.apply([{ type: 'update', id, patch: { estimate } }]);
    await change('45');
    assert.equal(of(id), '45m');
    await change(null);
    assert.equal(of(id), null);
    await engine.undo();
    assert.equal(of(id), '45m');
    for (const wrong of ['soon', '-30m', 'P100W']) await assert.rejects(change(wrong), /estimate/, wrong);
    assert.equal(of(id), '45m');
  });

  it('can be filtered by and sorted by', async () => {
    for (const line of ['half ~30m', 'whole ~2h', 'none', 'short ~5m']) await engine.quickAdd(line);
    await engine.importTasks(
      'ics',
      [
        ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VTODO', 'UID:odd', 'SUMMARY:odd', 'ESTIMATED-DURATION:-PT30M'],
        ...['END:VTODO', 'END:VCALENDAR', ''],
      ].join('\r\n'),
      inbox,
    );
    assert.deepEqual(found('est:<30m').sort(), ['short']);
    assert.deepEqual(found('est:<=30m sort:est'), ['short', 'half']);
    assert.deepEqual(found('est:>30m'), ['whole']);
    assert.deepEqual(found('est:5m..1h sort:-est'), ['half', 'short']);
    assert.deepEqual(found('has:est sort:est'), ['short', 'half', 'whole']);
    assert.deepEqual(found('no:est sort:title'), ['none', 'odd']);
    assert.deepEqual(found('sort:est,title'), ['short', 'half', 'whole', 'none', 'odd']);
    assert.deepEqual(
      engine.lines('sort:est limit:2').map(({ task }) => task.title),
      ['short', 'half'],
    );
    assert.throws(() => engine.query('est:soon'), /30m/);
    const words = engine.explain('est:<=1h', inEnglish).lines.map(line => line.words);
    assert.ok(words.includes('est is 1h or less'), String(words));
  });

  it('is kept by files, templates and copies', async () => {
    const id = await engine.quickAdd('Write ~1h30');
    const other = await engine.createList({ name: 'Other' });
    await engine.importTasks('csv', engine.exportTasks('csv'), other);
    assert.deepEqual(
      engine.rows(other).map(row => textOf(row, 'estimate')),
      ['1h30m'],
    );
    await engine.importTasks('csv', 'title,estimate\nRead,90\nSleep,long\n', other);
    assert.deepEqual(
      engine.rows(other).map(row => [row.title, textOf(row, 'estimate')]),
      [
        ['Write', '1h30m'],
        ['Read', '1h30m'],
        ['Sleep', null],
      ],
    );
    const template = wholeTemplates([templateOf('Report', engine.task(id)!, () => [], 'UTC')])[0]!;
    assert.equal(template.estimate, '1h30m');
    assert.equal(rowsOfTemplate(template, parseDay('2026-11-29')!, 'UTC')[0]!.input.estimate, '1h30m');
    assert.equal(of(await engine.createTask(inbox, settableOf(engine.task(id)!))), '1h30m');
  });
});
