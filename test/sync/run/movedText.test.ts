import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Devices } from '../support/devices';
import { AFolder } from '../support/folders';
import { AServer } from '../support/server';
import { problem } from '../support/serverLists';
import { calendar, linesOf, todo, todoText } from '../support/texts';

const zone = [
  'BEGIN:VTIMEZONE',
  'TZID:Ours',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0130',
  'TZOFFSETTO:+0130',
  'END:STANDARD',
  'END:VTIMEZONE',
];
const alarm = [
  'BEGIN:VALARM',
  'UID:alarm',
  'ACTION:AUDIO',
  'TRIGGER;RELATED=END:-PT5M',
  'ATTACH;VALUE=URI:Basso',
  'REPEAT:3',
  'DURATION:PT5M',
  'ACKNOWLEDGED:20261120T080000Z',
  'END:VALARM',
];
const text = calendar(zone, todo('t', 'SUMMARY;LANGUAGE=de:Brot', 'DUE;TZID=Ours:20261121T080000', ...alarm));

describe('the text of a task that moves to another list', () => {
  const devices = new Devices();
  let server: AServer;
  let folder: AFolder;
  beforeEach(async () => {
    server = await AServer.start();
    folder = new AFolder();
    server.addList('one').put('t.ics', text);
    server.addList('two');
    folder.addList('filed');
    folder.put('filed/other.ics', todoText('other', 'SUMMARY:Other'));
  });
  afterEach(async () => {
    await devices.close();
    await server.stop();
    await folder.stop();
  });

  const open = async () => {
    const engine = await devices.open(server);
    await engine.addAccount({ serverUrl: folder.url, username: '', password: '' });
    await engine.sync();
    const move = async (from: string, to: string) => {
      const lists = [from, to].map(name => devices.list(engine, name));
      await engine.moveTask(lists[0]!.byUid('t')!.id, { listId: lists[1]!.id });
      for (let round = 0; round < 2; round++)
        for (const { error } of (await engine.sync()).accounts) assert.equal(error, null);
      return lists[1]!;
    };
    return { engine, move };
  };
  const onServer = (name: string) =>
    [...server.lists.values()].find(list => list.name === name)!.items.get(`/home/${name}/t.ics`)?.text;
  const inFolder = () => {
    const name = readdirSync(join(folder.path, 'filed')).find(file => file !== 'other.ics' && file.endsWith('.ics'));
    return name && readFileSync(join(folder.path, 'filed', name), 'utf8');
  };

  it('keeps every line to another list of the server, into a folder and back', async () => {
    const { move } = await open();
    await move('one', 'two');
    assert.deepEqual([onServer('one'), linesOf(onServer('two')!)], [undefined, linesOf(text)]);
    await move('two', 'filed');
    assert.deepEqual([onServer('two'), linesOf(inFolder()!)], [undefined, linesOf(text)]);
    await move('filed', 'one');
    assert.deepEqual([inFolder(), linesOf(onServer('one')!)], [undefined, linesOf(text)]);
  });

  it('keeps its lines with an edit, when the old copy must be removed first and the text is fetched', async () => {
    server.hook = ({ method, path }) =>
      method === 'PUT' && path.startsWith('/home/two/') && onServer('one') !== undefined
        ? problem(409, 'c:no-uid-conflict')
        : undefined;
    const { engine, move } = await open();
    const sidecar = await devices.storeOf(engine).sidecar();
    for (const [key] of sidecar.entries('bases')) await sidecar.put('bases', [[key, undefined]]);
    const list = devices.list(engine, 'one');
    await engine.updateTask(list.byUid('t')!.id, { priority: 5 });
    await move('one', 'two');
    const ours = /^(PRIORITY|DTSTAMP|LAST-MODIFIED|SEQUENCE|PRODID)/;
    const isOld = (line: string) => !ours.test(line);
    assert.deepEqual(linesOf(onServer('two')!).filter(isOld), linesOf(text).filter(isOld));
    assert.match(onServer('two')!, /PRIORITY:5/);
  });

  it('does not name a parent that the task has left', async () => {
    server.lists.get('/home/one/')!.put('c.ics', todoText('c', 'SUMMARY:Child', 'RELATED-TO:t'));
    const { engine } = await open();
    await engine.moveTask(devices.list(engine, 'one').byUid('c')!.id, { listId: devices.list(engine, 'two').id });
    await engine.sync();
    const child = server.lists.get('/home/two/')!.get('c.ics');
    assert.doesNotMatch(child, /RELATED-TO/);
  });
});
