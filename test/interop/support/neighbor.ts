import { linesOf } from '../../sync/support/texts';
import type { Acts } from './acts';

const actor = 'neighbor';

/** A list as a program on its server, or on its folder, sees it. */
export interface PlainList {
  /** The path that devices know. */
  readonly path: string;
  readonly name: string;
  /** By path. */
  readonly items: Iterable<readonly [string, { readonly text: string }]>;
  put(file: string, text: string): void;
  remove(file: string): void;
}

interface Resource {
  readonly list: PlainList;
  readonly path: string;
  readonly uid: string;
  readonly lines: readonly string[];
}

export const lineOf = (lines: readonly string[], name: string): string | null =>
  lines.find(line => line.startsWith(`${name}:`))?.slice(name.length + 1) ?? null;

export const parentOf = (lines: readonly string[]): string | null =>
  lines
    .find(line => /^RELATED-TO[;:]/.test(line))
    ?.split(':')
    .at(-1) ?? null;

/** With a line at the head of the first VTODO, in the place of one of that name. */
export function withLine(lines: readonly string[], name: string, value: string | null): string {
  const begin = lines.indexOf('BEGIN:VTODO') + 1;
  const end = lines.indexOf('END:VTODO');
  const own = lines.slice(begin, end).filter(line => !line.startsWith(`${name}:`) && !line.startsWith(`${name};`));
  const line = value === null ? [] : [`${name}:${value}`];
  return [...lines.slice(0, begin), ...line, ...own, ...lines.slice(end), ''].join('\r\n');
}

/** Another program on the servers: what it does is there at once, and it sees what is there. */
export class OtherClient {
  #count = 0;

  constructor(
    private readonly servers: readonly { readonly lists: ReadonlyMap<string, PlainList> }[],
    private readonly acts: Acts,
    private readonly random: () => number,
    private readonly note: (line: string) => void,
  ) {}

  /** `isNear`: only in these lists. */
  act(title: string, isNear: (list: PlainList) => boolean = () => true): void {
    const server = this.#one(this.servers);
    // No program takes a hidden folder for a list, such as one that a deletion has put aside.
    const lists = [...server.lists.values()].filter(list => !list.name.startsWith('.') && isNear(list));
    const resources = lists.flatMap(list => this.#resourcesOf(list));
    if (lists.length === 0) return;
    const list = this.#one(lists);
    const kind = this.random();
    const one = resources.length > 0 ? this.#one(resources) : undefined;
    if (!one || kind < 0.2) this.#create(list, title);
    else if (kind < 0.45) this.#write(one, 'SUMMARY', title);
    else if (kind < 0.6) this.#delete(one);
    else if (kind < 0.8) this.#move(one, list);
    else
      this.#putUnder(
        one,
        this.#one([...resources.filter(other => other.list === one.list && other !== one), undefined]),
      );
  }

  #resourcesOf(list: PlainList): Resource[] {
    return [...list.items].flatMap(([path, { text }]) => {
      const lines = linesOf(text);
      const uid = lineOf(lines, 'UID');
      return uid === null ? [] : [{ list, path, uid, lines }];
    });
  }

  #create(list: PlainList, title: string): void {
    const uid = `99999999-0000-4000-8000-${String(++this.#count).padStart(12, '0')}`;
    const todo = ['BEGIN:VTODO', `UID:${uid}`, 'DTSTAMP:20261120T080000Z', `SUMMARY:${title}`, 'END:VTODO'];
    list.put(
      `${uid}.ics`,
      ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//N//EN', ...todo, 'END:VCALENDAR', ''].join('\r\n'),
    );
    this.brings(uid, title, list.path);
    this.note(`${uid} the neighbor creates “${title}” in ${list.name}`);
  }

  /** A task that is there from now on. */
  brings(uid: string, title: string, place: string): void {
    this.acts.makes(uid, actor, place);
    this.acts.writes(uid, actor, 'title', undefined, title, place);
    this.acts.writes(uid, actor, 'place', undefined, place, place);
    this.acts.writes(uid, actor, 'parent', undefined, null, place);
  }

  #write({ list, path, uid, lines }: Resource, name: 'SUMMARY', title: string): void {
    list.put(path, withLine(lines, name, title));
    this.acts.writes(uid, actor, 'title', lineOf(lines, name), title, list.path);
    this.note(`${uid} the neighbor writes “${title}” for “${lineOf(lines, name)}”`);
  }

  #delete({ list, path, uid, lines }: Resource): void {
    list.remove(path);
    this.acts.deletes(uid, actor, lineOf(lines, 'SUMMARY'));
    this.note(`${uid} the neighbor deletes “${lineOf(lines, 'SUMMARY')}”`);
  }

  #move({ list, path, uid, lines }: Resource, to: PlainList): void {
    if (this.#resourcesOf(to).some(other => other.uid === uid)) return;
    to.put(`${uid}.ics`, withLine(lines, 'RELATED-TO', null));
    list.remove(path);
    this.acts.writes(uid, actor, 'place', list.path, to.path, list.path);
    this.acts.writes(uid, actor, 'parent', parentOf(lines), null, list.path);
    this.note(`${uid} the neighbor moves “${lineOf(lines, 'SUMMARY')}” from ${list.name} to ${to.name}`);
  }

  #putUnder({ list, path, uid, lines }: Resource, parent: Resource | undefined): void {
    const [before, after] = [parentOf(lines), parent?.uid ?? null];
    list.put(path, withLine(lines, 'RELATED-TO', after));
    // The old copy of a moved task may still be there, under none: nobody has taken the new one away from its parent.
    if (before !== after) this.acts.writes(uid, actor, 'parent', before, after, list.path);
    this.note(`${uid} the neighbor puts “${lineOf(lines, 'SUMMARY')}” under ${parent?.uid}`);
  }

  #one<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }
}
