import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readLines } from '../../src/core/lines/contentLines';
import type { RemoteAccount, RemoteCollection, RemoteItem } from '../../src/sync/remote/remote';
import { isRemote } from '../../src/sync/remote/remote';
import { pick } from '../support/pick';
import { Devices } from '../sync/support/devices';
import { unnoted } from '../sync/support/remoteContract';
import { AServer } from '../sync/support/server';
import { connectTo } from './support/chosen';
import { howToInstall, isInstalled, startRadicale } from './support/servers';

const filesBelow = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map(name => join(folder, name))
        .filter(name => /\.(ics|vcs|txt)$/i.test(name) && statSync(name).isFile())
        .toSorted()
    : [];

const files = [...filesBelow('test/core/fixtures/ical'), ...filesBelow('../shared/corpus/vtodo')];

/** The most files of the corpus with one UID. */
const maxLists = 24;

/** The lines that an edit of the title may touch: the title, and those that every write renews. */
const renewed = /^(SUMMARY|PRODID|METHOD|DTSTAMP|LAST-MODIFIED)[:;]/i;

/** The other content lines as they are, folds and all; line ends do not survive an XML answer. */
const otherLines = (text: string) =>
  readLines(text)
    .filter(line => !renewed.test(line.text))
    .map(line => text.slice(line.from, line.to).replace(/\r\n?/g, '\n'));

/** Radicale adds the definition of a zone that it met in another file. */
const withoutZones = (lines: readonly string[]) => {
  let isZone = false;
  return lines
    .filter(line => {
      if (/^BEGIN:VTIMEZONE/i.test(line)) isZone = true;
      const isKept = !isZone;
      if (/^END:VTIMEZONE/i.test(line)) isZone = false;
      return isKept;
    })
    .toSorted();
};

describe('files of other programs, put on a server, pulled, edited and pushed', () => {
  const devices = new Devices();
  after(() => devices.close());

  /** Puts each file into the first list that takes it (a UID may be taken there), LF and CRLF apart. */
  const fill = async (account: RemoteAccount) => {
    const names: Record<string, string> = {};
    let refused = 0;
    for (const [ending, newline] of [
      ['LF', '\n'],
      ['CRLF', '\r\n'],
    ] as const) {
      const lists: RemoteCollection[] = [];
      for (const [at, file] of files.entries()) {
        const text = readFileSync(file, 'utf8').replace(/\r?\n/g, newline);
        let isTaken = false;
        for (let place = 0; place < maxLists && !isTaken; place++) {
          lists[place] ??= account.collection({
            href: await account.createList({ name: `${ending} ${place}`, color: -1 }, unnoted),
          });
          const list = lists[place]!;
          try {
            const href = list.member(`file${at}.ics`);
            await list.put(href, text, 'absent');
            names[href] = `${file} with ${ending}`;
            isTaken = true;
          } catch (error) {
            if (!isRemote(error)) throw error;
            if (error.kind !== 'uidTaken') break;
          }
        }
        if (!isTaken) refused++;
      }
    }
    return { names, refused };
  };

  const textsOf = async (account: RemoteAccount) => {
    const items: RemoteItem[] = [];
    for (const list of await account.lists()) {
      const tasks = account.collection(list);
      const { members } = await tasks.listing(false);
      items.push(...(await tasks.fetch(members.map(({ href }) => href))).items);
    }
    return new Map(items.map(({ href, text }) => [href, text]));
  };

  /** Gives each resource's other lines before and after every title on it was edited. */
  const editAll = async (server: { url: string; username: string; password: string }) => {
    const account = await connectTo({ ...server, name: '', stop: async () => {} });
    const { names, refused } = await fill(account);
    const before = await textsOf(account);
    const engine = await devices.open(server);
    const first = (await engine.sync()).accounts[0]!;
    assert.equal(first.error, null);
    const rows = engine.lists().flatMap(list => engine.rows(list.id).filter(row => row.href !== null));
    await engine.apply(rows.map(({ id }) => ({ type: 'update', id, patch: { title: 'Neu: a, b; c\\d' } }) as const));
    const { error, rowErrors, conflicts } = (await engine.sync()).accounts[0]!;
    assert.equal(error, null);
    assert.equal(conflicts, 0);
    const after = await textsOf(account);
    const again = (await engine.sync()).accounts[0]!;
    assert.deepEqual(pick(again, 'error', 'pushed', 'conflicts'), { error: null, pushed: 0, conflicts: 0 });
    const edited = new Set(rows.map(({ href }) => href!));
    const failed = new Set(rowErrors.map(({ taskId }) => engine.task(taskId)?.href));
    return { names, refused, before, after, edited, failed };
  };

  it('keep every line but the title on a server that stores what it gets, including malformed ones', async () => {
    const server = await AServer.start();
    server.addList('empty');
    try {
      const { names, before, after, edited, failed } = await editAll(server);
      assert.ok(edited.size > 0);
      for (const href of edited) {
        assert.ok(failed.has(href) || after.get(href)!.includes('SUMMARY'), names[href]);
        assert.deepEqual(otherLines(after.get(href)!), otherLines(before.get(href)!), names[href]);
      }
      for (const [href, text] of before) if (!edited.has(href)) assert.equal(after.get(href), text, names[href]);
      console.log(`      ${before.size} files, ${edited.size} edited, ${failed.size} left alone`);
    } finally {
      await server.stop();
    }
  });

  it('keep every line but the title on Radicale', async () => {
    if (!isInstalled('radicale')) throw new Error(howToInstall('radicale'));
    const server = await startRadicale();
    try {
      const { names, refused, before, after, edited, failed } = await editAll(server);
      assert.ok(edited.size > 0);
      for (const href of edited) {
        if (failed.has(href)) continue;
        assert.deepEqual(
          withoutZones(otherLines(after.get(href)!)),
          withoutZones(otherLines(before.get(href)!)),
          names[href],
        );
      }
      console.log(
        `      ${before.size} files, ${refused} refused by the server, ${edited.size} edited, ${failed.size} refused after`,
      );
    } finally {
      await server.stop();
    }
  });
});
