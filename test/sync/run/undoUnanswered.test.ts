import assert from 'node:assert/strict';
import { Devices } from '../support/devices';
import { AServer } from '../support/server';
import { todoText } from '../support/texts';

describe('an edit sent without a response, then undone', () => {
  let server: AServer;
  let devices: Devices;

  beforeEach(async () => {
    server = await AServer.start();
    devices = new Devices();
  });
  afterEach(async () => {
    await devices.close();
    await server.stop();
  });

  it('is undone on the server, too, if it arrived after all', async () => {
    const list = server.addList('plans');
    list.put('t.ics', todoText('t', 'SUMMARY:Task'));
    const engine = await devices.open(server);
    const sync = () => {
      devices.clock.time += 3_600_000;
      return engine.sync();
    };
    await sync();
    const [task] = devices.list(engine, 'plans').rows();
    await engine.updateTask(task!.id, { title: 'Renamed' });
    // From the PUT on no answer comes through.
    let isDown = false;
    server.hook = (request, next) => {
      if (request.method !== 'PUT' && !isDown) return next();
      if (!isDown) next();
      isDown = true;
      return 'cut';
    };
    await sync();
    assert.match(list.get('t.ics'), /SUMMARY:Renamed/);
    await engine.undo();
    server.hook = undefined;
    await sync();
    await sync();
    assert.deepEqual(devices.list(engine, 'plans').titles(), ['Task']);
    assert.match(list.get('t.ics'), /SUMMARY:Task/);
  });
});
