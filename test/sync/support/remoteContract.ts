import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type {
  Etag,
  Href,
  RemoteAccount,
  RemoteCollection,
  RemoteItem,
  RemoteList,
} from '../../../src/sync/remote/remote';
import { pick } from '../../support/pick';
import { refusal } from './memoryRemote';
import { calendar, linesOf, todoText } from './texts';

const blue = 0xff2563eb | 0;
const green = 0xff16a34a | 0;

/** For lists that are made without an account's ledger. */
export const unnoted = async (): Promise<void> => undefined;

/** The promises of any server that sync relies on: the same tests for the remote in memory and for real ones. */
export function remoteContract(open: () => Promise<RemoteAccount>): void {
  let account: RemoteAccount;
  let list: RemoteList;
  let tasks: RemoteCollection;
  const made: string[] = [];

  const makeList = async (name: string, color = blue) => {
    const href = await account.createList({ name, color }, unnoted);
    made.push(href);
    const there = await account.list(href);
    assert.ok(there, 'the list that was just made is there');
    return there;
  };
  const put = (name: string, ...lines: string[]) =>
    tasks.put(tasks.member(`${name}.ics`), todoText(name, ...lines), 'absent');
  const etags = async () =>
    new Map((await tasks.listing(false)).members.map(({ href, etag }) => [href, etag] as const));
  const etagOf = async (name: string) => {
    const etag = (await etags()).get(tasks.member(`${name}.ics`));
    assert.ok(etag, `${name} is listed`);
    return etag;
  };

  before(async () => {
    account = await open();
  });
  const remove = async (href: Href) => {
    // A listing may come from the last read of the list, so a run of sync reads it first.
    await account.list(href);
    const members = await account
      .collection({ href })
      .listing(false)
      .then(
        ({ members: there }) => there,
        () => [],
      );
    await account.deleteList(href, new Map(members.map(member => [member.href, member.etag])), new Set());
  };
  beforeEach(async () => {
    list = await makeList('Dueline’s tests');
    tasks = account.collection(list);
  });
  // One by one: a server can refuse a UID that another list has.
  afterEach(async () => {
    for (const href of made.splice(0)) await remove(href);
  });

  describe('lists', () => {
    for (const name of ['2024', '1.50', 'true', '1e3', 'Grüße 🌿, "you"', 'a  b']) {
      it(`keeps the name ${JSON.stringify(name)}`, async () => {
        const there = await makeList(name, green);
        assert.equal(there.name, name);
        assert.equal(there.color, green);
        assert.equal(there.isReadOnly, false);
        assert.deepEqual(
          (await account.lists()).filter(({ href }) => href === there.href).map(one => one.name),
          [name],
        );
      });
    }

    it('renames, recolors and deletes', async () => {
      assert.deepEqual(await account.updateList(list.href, { name: 'Renamed', color: green }), []);
      const there = await account.list(list.href);
      assert.equal(there?.name, 'Renamed');
      assert.equal(there?.color, green);
      await remove(list.href);
      assert.equal(await account.list(list.href), undefined);
      assert.ok((await account.lists()).every(({ href }) => href !== list.href));
      await remove(list.href);
    });

    it('refuses to write into a list that is gone', async () => {
      await remove(list.href);
      assert.match(await refusal(put('late')), /^(gone|noParent|unsupported|rejected|conflict)$/);
    });

    it('shows by ctag or token that something changed, and nothing otherwise', async () => {
      const tags = async () => {
        // A folder has no tag while a file in it is from this moment.
        await wait(100);
        const there = await account.list(list.href);
        return [there?.ctag, there?.syncToken].filter(tag => tag != null);
      };
      await put('one');
      const before = await tags();
      assert.deepEqual(await tags(), before);
      await put('two');
      const after = await tags();
      if (before.length > 0 && after.length > 0) assert.notDeepEqual(after, before);
    });

    it('counts its requests', async () => {
      const before = account.requests;
      await account.list(list.href);
      assert.equal(account.requests, before + 1);
    });
  });

  describe('tasks', () => {
    it('knows that an empty list is empty', async () => {
      assert.deepEqual(await tasks.listing(false), { members: [], isComplete: true });
      assert.deepEqual(await tasks.listing(true), { members: [], isComplete: true });
      assert.deepEqual(await tasks.fetch([]), { items: [], gone: [] });
    });

    it('returns what was put, with the same meaning, under the ETag that it lists', async () => {
      const words = `Grüße 🌿 an alle\\, die ${'sehr lange '.repeat(20)}warten\\; Zeile\\nZeile`;
      const etag = await put('words', `SUMMARY:${words}`, 'X-OWN;X-P=1:kept');
      const href = tasks.member('words.ics');
      const { items, gone } = await tasks.fetch([href]);
      assert.deepEqual(gone, []);
      assert.deepEqual(
        items.map(item => item.href),
        [href],
      );
      assert.equal(items[0]!.etag, await etagOf('words'));
      if (etag !== null) assert.equal(etag, items[0]!.etag);
      const lines = linesOf(items[0]!.text);
      assert.ok(lines.includes(`SUMMARY:${words}`), items[0]!.text);
      assert.ok(lines.includes('X-OWN;X-P=1:kept'), items[0]!.text);
    });

    it('lists members of any name, and no events', async () => {
      const names = ['a.ics', 'without-an-end', 'with@sign.ics', 'Grün und blau.ics', `${'n'.repeat(150)}.ics`];
      const etagsOfPut = new Map<Href, Etag | null>();
      const write = async (href: Href, text: string) => etagsOfPut.set(href, await tasks.put(href, text, 'absent'));
      for (const [at, name] of names.entries()) await write(tasks.member(name), todoText(`u${at}`));
      const event = calendar(
        ['BEGIN:VEVENT', 'UID:event', 'DTSTAMP:20261120T080000Z', 'DTSTART:20261120T080000Z'],
        ['SUMMARY:Not a task', 'END:VEVENT'],
      );
      // Some servers refuse it in a list of tasks.
      await write(tasks.member('event.ics'), event).catch(() => undefined);
      const hrefs = names.map(name => tasks.member(name)).toSorted();
      const { items, gone, withheld = [] } = await tasks.fetch(hrefs);
      assert.deepEqual(gone, []);
      const fetched = items.map(({ href }) => href).toSorted();
      // Xandikos does not treat a name without an extension as a calendar's: it neither lists nor returns it.
      assert.deepEqual(
        withheld.map(({ href }) => href),
        fetched.length === hrefs.length ? [] : [tasks.member('without-an-end')],
      );
      assert.deepEqual([...(await etags()).keys()].toSorted(), fetched);
      // A list is not deleted with anything in it that is not a task.
      for (const [href, etag] of etagsOfPut)
        if (etag !== null && !fetched.includes(href)) await tasks.remove(href, etag);
    });

    it('returns every task with its text: those of the listing, as they are fetched', async () => {
      for (const name of ['one', 'two', 'three']) await put(name, `SUMMARY:${name}; & <${name}>`);
      const { items, members, isComplete } = await tasks.everyItem();
      assert.equal(isComplete, true);
      assert.deepEqual(new Map(members.map(({ href, etag }) => [href, etag])), await etags());
      const byHref = (all: readonly RemoteItem[]) => new Map(all.map(item => [item.href, item]));
      const fetched = await tasks.fetch(members.map(({ href }) => href));
      assert.deepEqual(byHref(items), byHref(fetched.items));
      assert.equal(items.length, 3);
    });

    it('creates only missing resources', async () => {
      await put('one', 'SUMMARY:First');
      assert.equal(await refusal(put('one', 'SUMMARY:Second')), 'conflict');
      const { items } = await tasks.fetch([tasks.member('one.ics')]);
      assert.ok(items[0]!.text.includes('SUMMARY:First'));
    });

    it('changes and deletes only unchanged resources', async () => {
      await put('one', 'SUMMARY:First');
      const href = tasks.member('one.ics');
      const first = await etagOf('one');
      await tasks.put(href, todoText('one', 'SUMMARY:Second'), first);
      const second = await etagOf('one');
      assert.notEqual(second, first);
      assert.equal(await refusal(tasks.put(href, todoText('one', 'SUMMARY:Third'), first)), 'conflict');
      assert.equal(await refusal(tasks.remove(href, first)), 'conflict');
      assert.ok((await tasks.fetch([href])).items[0]!.text.includes('SUMMARY:Second'));
      await tasks.remove(href, second);
      assert.deepEqual((await tasks.fetch([href])).gone, [href]);
      assert.match(await refusal(tasks.remove(href, second)), /^(gone|conflict)$/);
      assert.match(await refusal(tasks.put(href, todoText('one', 'SUMMARY:Third'), second)), /^(gone|conflict)$/);
    });

    it('separates missing resources from the fetched ones', async () => {
      await put('one');
      await put('two');
      const hrefs = ['one.ics', 'never.ics', 'two.ics'].map(name => tasks.member(name));
      const { items, gone } = await tasks.fetch(hrefs);
      assert.deepEqual(items.map(({ href }) => href).toSorted(), [hrefs[0], hrefs[2]].toSorted());
      assert.deepEqual(gone, [hrefs[1]]);
    });

    it('finds a task by its UID alone', async () => {
      await put('one');
      await put('one-more');
      await put('two');
      const hrefs = (await tasks.findUid('one')).map(({ href }) => href);
      assert.ok(hrefs.includes(tasks.member('one.ics')));
      assert.ok(!hrefs.includes(tasks.member('two.ics')));
      assert.deepEqual(await tasks.findUid('none'), []);
    });

    it('reports that a UID is taken, or accepts it twice', async () => {
      await put('one');
      const again = tasks.put(tasks.member('other.ics'), todoText('one'), 'absent');
      assert.match(
        await again.then(
          () => 'taken twice',
          () => refusal(again),
        ),
        /^(uidTaken|taken twice)$/,
      );
    });

    it('returns changes since a token: new, edited and deleted resources', async function () {
      if (!list.canReportChanges) this.skip();
      await put('stays');
      await put('edited');
      await put('deleted');
      const all = await tasks.changes(null);
      assert.deepEqual(all.changed.map(({ href }) => href).toSorted(), [...(await etags()).keys()].toSorted());
      assert.equal(all.more, false);
      assert.ok(all.token);
      await put('new');
      await tasks.put(tasks.member('edited.ics'), todoText('edited', 'SUMMARY:Edited'), await etagOf('edited'));
      await tasks.remove(tasks.member('deleted.ics'), await etagOf('deleted'));
      const since = await tasks.changes(all.token);
      const withTexts = await tasks.changes(all.token, true);
      for (const key of ['changed', 'gone', 'more'] as const) assert.deepEqual(withTexts[key], since[key]);
      const fetched = await tasks.fetch(since.changed.map(({ href }) => href));
      for (const item of withTexts.items ?? [])
        assert.deepEqual(
          item,
          fetched.items.find(({ href }) => href === item.href),
        );
      assert.deepEqual(
        new Map(since.changed.map(({ href, etag }) => [href, etag])),
        new Map([...(await etags())].filter(([href]) => !href.endsWith('/stays.ics'))),
      );
      assert.deepEqual(since.gone, [tasks.member('deleted.ics')]);
      const nothing = await tasks.changes(since.token!);
      assert.deepEqual(pick(nothing, 'changed', 'gone'), { changed: [], gone: [] });
    });

    it('refuses an unknown token, or returns everything', async function () {
      if (!list.canReportChanges) this.skip();
      await put('one');
      const answer = tasks.changes('http://example.com/no-such-token');
      const outcome = await answer.then(
        ({ changed }) => changed.map(({ href }) => href).join(),
        () => refusal(answer),
      );
      assert.match(outcome, /^(badToken|server|rejected|.*\/one\.ics)$/);
    });
  });
}
