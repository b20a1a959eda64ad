import assert from 'node:assert/strict';
import type { Answer } from '../support/server';
import { multistatus, withProps } from '../support/serverLists';
import { aWorld } from '../support/world';

describe('an incomplete response', () => {
  const world = aWorld();
  const isReport = ({ body }: { body: string }) => body.includes('sync-collection');
  /** A task that is put on the server arrives although this happens to the next change report, and only to that. */
  const arrives = async (answer: (next: () => Answer) => Answer) => {
    for (const uid of ['a', 'b', 'c']) world.put(uid, `SUMMARY:${uid}`);
    const device = await world.device();
    world.put('a', 'SUMMARY:Changed');
    world.put('d', 'SUMMARY:New');
    let isDone = false;
    world.server.hook = (request, next) => {
      if (isDone || !isReport(request)) return undefined;
      isDone = true;
      return answer(next);
    };
    await device.sync();
    world.server.hook = undefined;
    await device.sync();
    assert.equal(device.byUid('a')?.title, 'Changed');
    assert.equal(device.byUid('d')?.title, 'New');
    assert.equal(device.rows().length, 4);
  };

  it('is not accepted as a change report without a token', () => arrives(() => multistatus()));

  it('leads to a listing if a change report holds back members', () =>
    arrives(next => ({ ...next(), body: next().body?.replaceAll('HTTP/1.1 200', 'HTTP/1.1 403') })));

  it('leads to a listing if a change report fails for one member', () =>
    arrives(next => {
      const body = next().body ?? '';
      return {
        ...next(),
        body: body.replace(/<D:propstat>.*?<\/D:propstat>/s, '<D:status>HTTP/1.1 500 No</D:status>'),
      };
    }));

  it('makes the next sync fetch what was missing', async () => {
    const device = await world.device();
    for (const uid of ['a', 'b']) world.put(uid, `SUMMARY:${uid}`);
    world.server.hook = ({ method, body }) =>
      method === 'GET' || body.includes('calendar-multiget') ? { status: 403 } : undefined;
    await world.report(device.engine);
    assert.deepEqual(device.rows(), []);
    world.server.hook = undefined;
    await device.sync();
    assert.equal(device.rows().length, 2);
    world.server.forget();
    await device.sync();
    assert.deepEqual(world.server.sent('REPORT'), []);
  });

  it('that was cut in the text of a task leaves the task as it is, here and there', async () => {
    world.put('a', 'SUMMARY:a', 'DESCRIPTION:Two words');
    const device = await world.device();
    world.put('a', 'SUMMARY:a', 'DESCRIPTION:Three whole words');
    world.server.hook = ({ method, body }, next) => {
      if (body.includes('calendar-multiget')) return { status: 501 };
      return method === 'GET' ? { ...next(), body: next().body!.replace(/whole words.*/s, '') } : undefined;
    };
    const { rowErrors } = await world.report(device.engine);
    assert.equal(rowErrors.length, 1);
    assert.equal(device.byUid('a')!.description, 'Two words');
    world.server.hook = undefined;
    await device.engine.updateTask(device.byUid('a')!.id, { title: 'b' });
    await device.sync();
    assert.match(world.list.get('a.ics'), /^SUMMARY:b\r\n.*^DESCRIPTION:Three whole words\r/ms);
  });

  for (const hasReports of [true, false])
    it(`is read without a response that has no address, ${hasReports ? 'of a report' : 'of a listing'}`, async () => {
      world.list.hasReports = hasReports;
      world.put('a', 'SUMMARY:Known');
      const log: string[] = [];
      const device = await world.device({ log: (_level, text) => void log.push(text) });
      world.put('b', 'SUMMARY:New');
      const strange = ['http://', '//', '%zz', 'http://[', 'mailto:anna@example.org'];
      world.server.hook = ({ method }, next) => {
        if (method !== 'REPORT' && method !== 'PROPFIND') return undefined;
        const answer = next();
        const odd = strange.map(href => withProps(href, '<D:getetag>"odd"</D:getetag>')).join('');
        return { ...answer, body: answer.body?.replace('<D:response>', `${odd}<D:response>`) };
      };
      await device.engine.sync();
      world.server.hook = undefined;
      assert.deepEqual(
        device
          .rows()
          .map(({ uid }) => uid)
          .toSorted(),
        ['a', 'b'],
      );
      assert.ok(
        log.some(line => /responses have no address/.test(line)),
        log.join('\n'),
      );
      await device.sync();
      assert.equal(device.rows().length, 2);
    });
});
