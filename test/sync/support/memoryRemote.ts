import { randomUUID } from 'node:crypto';
import {
  type Etag,
  type Href,
  isRemote,
  type NewRemoteList,
  type RemoteAccount,
  type RemoteBatch,
  type RemoteChanges,
  type RemoteCollection,
  RemoteError,
  type RemoteItem,
  type RemoteList,
  type RemoteListing,
  type RemoteMember,
} from '../../../src/sync/remote/remote';
import { linesOf } from './texts';

interface Item {
  readonly etag: Etag;
  readonly text: string;
}

interface List {
  name: string;
  color: number;
  readonly items: Map<Href, Item>;
  /** Hrefs in the order of their changes; a token is how many of them were seen. */
  readonly log: Href[];
}

/** A server in memory that behaves as the RFCs say; held to the same suite as real ones. */
export class MemoryServer {
  readonly lists = new Map<Href, List>();
  #versions = 0;

  connect = (): RemoteAccount => new MemoryAccount(this);

  list(href: Href): List {
    const list = this.lists.get(href);
    if (!list) throw new RemoteError('gone', 'List not found.', { status: 404 });
    return list;
  }

  write(list: List, href: Href, text: string): Etag {
    const etag = `"${++this.#versions}"`;
    list.items.set(href, { etag, text });
    list.log.push(href);
    return etag;
  }
}

class MemoryAccount implements RemoteAccount {
  requests = 0;

  constructor(private readonly server: MemoryServer) {}

  async lists(): Promise<readonly RemoteList[]> {
    this.requests++;
    return [...this.server.lists].map(([href, list]) => describe(href, list));
  }

  async list(href: Href): Promise<RemoteList | undefined> {
    this.requests++;
    const list = this.server.lists.get(href);
    return list && describe(href, list);
  }

  collection({ href }: Pick<RemoteList, 'href'>): RemoteCollection {
    return new MemoryCollection(this.server, href, () => this.requests++);
  }

  async createList({ name, color }: NewRemoteList, note: (href: Href) => Promise<void>): Promise<Href> {
    this.requests++;
    const href = `/home/${randomUUID()}/`;
    await note(href);
    this.server.lists.set(href, { name, color, items: new Map(), log: [] });
    return href;
  }

  async updateList(href: Href, { name, color }: NewRemoteList): Promise<readonly []> {
    this.requests++;
    Object.assign(this.server.list(href), { name, color });
    return [];
  }

  async deleteList(href: Href): Promise<void> {
    this.requests++;
    this.server.lists.delete(href);
  }
}

const describe = (href: Href, list: List): RemoteList => ({
  href,
  name: list.name,
  color: list.color,
  order: null,
  owner: null,
  isReadOnly: false,
  ctag: `c${list.log.length}`,
  syncToken: `t${list.log.length}`,
  isTasksOnly: true,
  canReportChanges: true,
});

class MemoryCollection implements RemoteCollection {
  constructor(
    private readonly server: MemoryServer,
    private readonly href: Href,
    private readonly count: () => void,
  ) {}

  get #list(): List {
    this.count();
    return this.server.list(this.href);
  }

  member = (name: string): Href => this.href + encodeURIComponent(name);

  async listing(): Promise<RemoteListing> {
    const members = [...this.#list.items].filter(([, { text }]) => isTask(text)).map(toMember);
    return { members, isComplete: true };
  }

  async everyItem(): Promise<RemoteListing & { items: readonly RemoteItem[] }> {
    const items = [...this.#list.items]
      .filter(([, { text }]) => isTask(text))
      .map(([href, item]) => ({ href, ...item }));
    return { members: items.map(({ href, etag }) => ({ href, etag })), isComplete: true, items };
  }

  async changes(token: string | null, withTexts = false): Promise<RemoteChanges> {
    const { items, log } = this.#list;
    const from = token === null ? 0 : Number(/^t(\d+)$/.exec(token)?.[1] ?? Number.NaN);
    if (!(from <= log.length)) throw new RemoteError('badToken', 'This token is not known.', { status: 403 });
    const hrefs = [...new Set(log.slice(from))];
    const there = hrefs.filter(href => items.has(href));
    return {
      items: withTexts ? there.map(href => ({ href, ...items.get(href)! })) : [],
      changed: there.map(href => toMember([href, items.get(href)!])),
      gone: token === null ? [] : hrefs.filter(href => !items.has(href)),
      token: `t${log.length}`,
      more: false,
    };
  }

  async fetch(hrefs: readonly Href[]): Promise<RemoteBatch> {
    if (hrefs.length === 0) return { items: [], gone: [] };
    const { items } = this.#list;
    return {
      items: hrefs.flatMap(href => (items.has(href) ? [{ href, ...items.get(href)! }] : [])),
      gone: hrefs.filter(href => !items.has(href)),
    };
  }

  async put(href: Href, text: string, expect: Etag | 'absent'): Promise<Etag | null> {
    this.count();
    const list = this.server.lists.get(this.href);
    if (!list) throw new RemoteError('noParent', 'List not found.', { status: 409 });
    if ((list.items.get(href)?.etag ?? 'absent') !== expect) throw stale();
    const taken = [...list.items].some(([other, item]) => other !== href && uidOf(item.text) === uidOf(text));
    if (taken) throw new RemoteError('uidTaken', 'The UID is taken.', { status: 409 });
    return this.server.write(list, href, text);
  }

  async remove(href: Href, expect: Etag): Promise<void> {
    const list = this.#list;
    const item = list.items.get(href);
    if (!item) throw new RemoteError('gone', 'There is no such task.', { status: 404 });
    if (item.etag !== expect) throw stale();
    list.items.delete(href);
    list.log.push(href);
  }

  async findUid(uid: string): Promise<readonly RemoteMember[]> {
    return [...this.#list.items].filter(([, { text }]) => isTask(text) && uidOf(text) === uid).map(toMember);
  }
}

const stale = () => new RemoteError('conflict', 'Someone was faster.', { status: 412 });
const isTask = (text: string) => text.includes('BEGIN:VTODO');
const uidOf = (text: string) =>
  linesOf(text)
    .find(line => line.startsWith('UID:'))
    ?.slice(4);
const toMember = ([href, { etag }]: readonly [Href, Item]): RemoteMember => ({ href, etag });

/** The kind of refusal that a promise ends in; fails if it is none. */
export async function refusal(work: Promise<unknown>): Promise<RemoteError['kind']> {
  try {
    await work;
  } catch (error) {
    if (isRemote(error)) return error.kind;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
