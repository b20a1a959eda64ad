import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { isDuelineError } from '../../../src/core/kernel/errors';
import { crc32 } from '../../../src/store/journal/crc32';
import { diskFiles } from '../../../src/store/journal/files';
import { encodeLine } from '../../../src/store/journal/record';
import { aHistory, bytesIn, dump, firstJournal, namesIn, rename, Scratch } from '../support/store';

const isStorage = (error: unknown) => isDuelineError(error, 'storage');

describe('a store that can only be read', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());
  const written = () => aHistory(scratch);

  it('shows the tasks of a newer schema, and changes nothing', async () => {
    const { folder, states, journal } = await written();
    const lines = readFileSync(journal, 'utf8').trim().split(/\n+/);
    const head = { ...JSON.parse(lines[0]!.slice(9)), schema: 3 };
    const body = JSON.stringify(head);
    writeFileSync(journal, [`${crc32(new TextEncoder().encode(body))} ${body}`, ...lines.slice(1), ''].join('\n'));
    const store = await scratch.store(folder);
    assert.equal(dump(store), states.at(-1));
    assert.match(store.readOnlyReason?.text ?? '', /newer version/);
    const before = bytesIn(journal);
    await assert.rejects(rename(store, 'x'), (error: unknown) => isDuelineError(error, 'readOnly'));
    assert.deepEqual(bytesIn(journal), before);
  });

  it('refuses an unknown journal format, and becomes read-only when one appears', async () => {
    const { folder, journal } = await written();
    const running = await scratch.store(folder);
    const newKind = {
      k: 'novelty',
      s: 5,
      p: JSON.parse(readFileSync(journal, 'utf8').trim().split('\n').at(-1)!.slice(9)).i,
      i: 'n',
      w: 'w',
      t: 0,
    };
    writeFileSync(journal, encodeLine(newKind as never), { flag: 'a' });
    await running.refresh();
    assert.match(running.readOnlyReason?.text ?? '', /newer version/);
    await assert.rejects(scratch.store(folder), isStorage);
  });

  it('refuses a journal that requires a newer reader, and does not change it', async () => {
    const { folder, journal } = await written();
    const lines = readFileSync(journal, 'utf8').trim().split(/\n+/);
    const head = { ...JSON.parse(lines[0]!.slice(9)), minReader: 2, format: 2 };
    writeFileSync(journal, `${new TextDecoder().decode(encodeLine(head))}${lines.slice(2).join('\n')}\n`);
    const before = bytesIn(journal);
    await assert.rejects(scratch.store(folder), /written by a newer version/);
    assert.deepEqual(bytesIn(journal), before);
  });

  it('opens read-only if nothing can be written', async () => {
    const { folder, states } = await written();
    const denied = () => {
      throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
    };
    const files = {
      ...diskFiles,
      makeFolder: () => {},
      claim: denied,
      openJournal: (path: string, mode: 'append' | 'create' | 'fresh' | 'read') =>
        mode === 'read' ? diskFiles.openJournal(path, mode) : denied(),
    };
    const store = await scratch.store(folder, { files });
    assert.equal(dump(store), states.at(-1));
    assert.match(store.readOnlyReason?.text ?? '', /Cannot write to the folder/);
    await assert.rejects(rename(store, 'x'), (error: unknown) => isDuelineError(error, 'readOnly'));
  });

  it('follows other windows into the next journal', async () => {
    const { folder } = await written();
    const awake = await scratch.store(folder, { compactAt: 2_000 });
    const files = {
      ...diskFiles,
      openJournal: (path: string, mode: 'append' | 'create' | 'fresh' | 'read') => {
        if (mode !== 'read') throw Object.assign(new Error('not yours'), { code: 'EACCES' });
        return diskFiles.openJournal(path, mode);
      },
    };
    const reading = await scratch.store(folder, { files });
    for (let round = 0; namesIn(folder, /^j-/).includes(firstJournal) && round < 200; round++) {
      await rename(awake, `title ${round}`);
      await reading.refresh();
    }
    await rename(awake, 'last');
    await reading.refresh();
    assert.equal(reading.task(1)!.title, 'last');
    assert.match(reading.readOnlyReason?.text ?? '', /Cannot write to the folder/);
  });

  it('shows its tasks and changes nothing while the disk fails', async () => {
    const { folder } = await written();
    let isBroken = false;
    const files = {
      ...diskFiles,
      watch: () => ({ dispose() {} }),
      openJournal: (...[path, mode]: Parameters<typeof diskFiles.openJournal>) => {
        const file = diskFiles.openJournal(path, mode);
        return {
          ...file,
          read: (from: number, length: number) => {
            if (isBroken) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
            return file.read(from, length);
          },
        };
      },
    };
    const store = await scratch.store(folder, { files });
    await rename(await scratch.store(folder), 'elsewhere');
    isBroken = true;
    await store.refresh();
    assert.match(store.readOnlyReason?.text ?? '', /The rest of the task store cannot be read: EIO/);
    assert.equal(store.task(1)!.title, '3');
    await assert.rejects(rename(store, 'x'), { kind: 'readOnly' });
    isBroken = false;
    await rename(store, 'here again');
    assert.equal(store.readOnlyReason, undefined);
    assert.equal(store.task(1)!.title, 'here again');
    assert.equal((await scratch.store(folder)).task(1)!.title, 'here again');
  });
});
