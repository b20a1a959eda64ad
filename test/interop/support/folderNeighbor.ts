import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { AFolder } from '../../sync/support/folders';
import { linesOf } from '../../sync/support/texts';
import type { Acts } from './acts';
import { lineOf, OtherClient, type PlainList, withLine } from './neighbor';

interface TaskFile {
  /** The address of its list, as devices know it. */
  readonly list: string;
  readonly folder: string;
  readonly name: string;
  readonly uid: string;
  readonly lines: readonly string[];
}

const ending = 'END:VCALENDAR';

/** The components that are not the first task's. */
function othersIn(lines: readonly string[]): readonly (readonly string[])[] {
  const components: string[][] = [];
  for (const [at, line] of lines.entries())
    if (/^BEGIN:V(TODO|EVENT)$/.test(line))
      components.push(lines.slice(at, lines.indexOf(line.replace('BEGIN', 'END'), at) + 1));
  const uid = lineOf(components[0] ?? [], 'UID');
  return components.filter(one => lineOf(one, 'UID') !== uid);
}

const textOf = (lines: readonly string[]): string => [...lines, ''].join('\r\n');
const calendarOf = (component: readonly string[]): string =>
  textOf(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//N//EN', ...component, ending]);

/**
 * Does with the files of a folder what no server would let programs do: several components in one file, second names,
 * copies, names that are exchanged.
 */
export class FolderNeighbor {
  readonly client: OtherClient;
  /** Words that were put into files, and must be somewhere as long as nobody has given them up. */
  readonly #words = new Set<string>();
  #count = 0;

  constructor(
    private readonly folders: readonly AFolder[],
    acts: Acts,
    private readonly random: () => number,
    private readonly note: (line: string) => void,
  ) {
    const plainOf = (list: PlainList) => this.#plain(list);
    const plain = folders.map(folder => ({
      get lists() {
        return new Map([...folder.lists].map(([path, list]) => [path, plainOf(list)] as const));
      },
    }));
    this.client = new OtherClient(plain, acts, random, note);
  }

  /** Without copies and links: what is done to one of their files is not done to the task. */
  #plain(list: PlainList): PlainList {
    const own = this.#filesOf(list.path).filter((one, _, all) => this.#isOnly(one, all));
    const names = new Set(own.map(({ name }) => list.path + encodeURIComponent(name)));
    const all = new Map(list.items);
    const items = new Map([...all].filter(([path]) => names.has(path)));
    const put = (file: string, text: string) => {
      const isTaken = !file.startsWith(list.path) && all.has(list.path + encodeURIComponent(file));
      this.#forgetting(() => list.put(isTaken ? `n${++this.#count}-${file}` : file, text));
    };
    return { ...list, items, put, remove: file => this.#forgetting(() => list.remove(file)) };
  }

  /** A text that the program itself takes out of its files is not missed. */
  #forgetting(work: () => void): void {
    const before = new Set(this.lost(''));
    work();
    for (const word of this.lost('')) if (!before.has(word)) this.#words.delete(word);
  }

  #isOnly({ uid, folder, name }: TaskFile, all: readonly TaskFile[]): boolean {
    const stat = lstatSync(join(folder, name));
    return !stat.isSymbolicLink() && stat.nlink === 1 && all.filter(one => one.uid === uid).length === 1;
  }

  #filesOf(list: string): readonly TaskFile[] {
    const root = this.folders.find(({ url }) => list.startsWith(url))!;
    const folder = join(root.path, decodeURIComponent(list.slice(root.url.length)));
    return readdirSync(folder).flatMap(name => {
      const path = join(folder, name);
      if (!/^[^.].*\.ics$/.test(name) || !existsSync(path)) return [];
      const lines = linesOf(readFileSync(path, 'utf8'));
      const uid = lines.includes('BEGIN:VTODO') ? lineOf(lines, 'UID') : null;
      return uid === null ? [] : [{ list, folder, name, uid, lines }];
    });
  }

  get #files(): readonly (readonly TaskFile[])[] {
    return this.folders.flatMap(({ lists }) => [...lists.keys()].map(list => this.#filesOf(list)));
  }

  act(word: string): void {
    const lists = this.#files.filter(files => files.length > 0);
    if (lists.length === 0) return;
    const files = this.#one(lists);
    const file = this.#one(files);
    const isOnly = this.#isOnly(file, files);
    const kind = this.random();
    if (kind < 0.3) this.#exchange(file, this.#one(files));
    else if (kind < 0.4) this.#rename(file, `${word}.ics`);
    else if (kind < 0.55 && isOnly) this.#add(file, word);
    else if (kind < 0.7) this.#takeApart(file);
    else if (kind < 0.8 && isOnly) this.#link(file, `${this.random() < 0.5 ? 'a ' : 'z '}${word}.ics`);
    else if (isOnly && othersIn(file.lines).length === 0) this.#copy(file, word);
  }

  #exchange(one: TaskFile, other: TaskFile): void {
    const [path, otherPath, aside] = [one.name, other.name, '.aside'].map(name => join(one.folder, name)) as [
      string,
      string,
      string,
    ];
    // A link in its target's place would lead to itself.
    if (path === otherPath || [path, otherPath].some(at => lstatSync(at).isSymbolicLink())) return;
    renameSync(path, aside);
    renameSync(otherPath, path);
    renameSync(aside, otherPath);
    for (const { uid } of [one, other])
      this.note(`${uid} the neighbor exchanges ${one.name} and ${other.name} in ${one.list}`);
  }

  #rename({ folder, name, uid }: TaskFile, to: string): void {
    renameSync(join(folder, name), join(folder, to));
    this.note(`${uid} the neighbor renames ${name} to ${to}`);
  }

  #write({ folder, name, uid }: Pick<TaskFile, 'folder' | 'name' | 'uid'>, text: string, action: string): void {
    writeFileSync(join(folder, name), text);
    this.note(`${uid} the neighbor ${action} in ${name}`);
  }

  #keep(word: string): string {
    this.#words.add(word);
    return word;
  }

  /** Another task or an event beside the task. */
  #add(file: TaskFile, word: string): void {
    const isTask = this.random() < 0.5;
    const uid = `88888888-0000-4000-8000-${String(++this.#count).padStart(12, '0')}`;
    const own = [`UID:${uid}`, 'DTSTAMP:20261120T080000Z', `SUMMARY:${this.#keep(word)}`];
    const other = isTask
      ? ['BEGIN:VTODO', ...own, 'END:VTODO']
      : ['BEGIN:VEVENT', ...own, 'DTSTART:20261120T080000Z', 'END:VEVENT'];
    const lines = file.lines.filter(line => line !== ending);
    this.#write(
      file,
      textOf([...lines, ...other, ending]),
      `puts ${isTask ? 'a task' : 'an event'} “${word}” beside it`,
    );
  }

  #takeApart(file: TaskFile): void {
    const others = othersIn(file.lines);
    if (others.length === 0) return;
    for (const other of others) {
      const uid = lineOf(other, 'UID')!;
      const title = lineOf(other, 'SUMMARY')!;
      const isTask = other[0] === 'BEGIN:VTODO';
      if (isTask) this.client.brings(uid, title, file.list);
      // A folder with files of events is no list for a device that does not know it as one.
      const name = isTask ? `${uid}.ics` : `.${uid}.event`;
      this.#write({ ...file, uid, name }, calendarOf(other), 'takes it out of another file,');
    }
    const rest = others.reduce((text, other) => text.replace(textOf(other), ''), textOf(file.lines));
    this.#write(file, rest, 'leaves only the task');
  }

  #link({ folder, name, uid }: TaskFile, link: string): void {
    if (this.random() < 0.5) symlinkSync(name, join(folder, link));
    else linkSync(join(folder, name), join(folder, link));
    this.note(`${uid} the neighbor links ${link} to ${name}`);
  }

  #copy(file: TaskFile, word: string): void {
    const stem = file.name.replace(/\.ics$/, '');
    const name = this.#one([`${stem}.sync-conflict-${word}.ics`, `a copy ${word}.ics`, `z copy ${word}.ics`]);
    const kind = this.random();
    const text = kind < 0.3 ? textOf(file.lines) : withLine(file.lines, 'SUMMARY', this.#keep(word));
    const copy = { ...file, name, lines: linesOf(text) };
    this.#write(copy, text, 'writes a copy');
    if (kind > 0.7) this.#add(copy, `event ${word}`);
  }

  /** So that all can be sent in the end: what is in one file with a task is in files of its own, and links lead somewhere. */
  tidy(): void {
    for (const file of this.#files.flat()) this.#takeApart(file);
    for (const { path } of this.folders)
      for (const one of readdirSync(path, { recursive: true, encoding: 'utf8' }))
        if (!existsSync(join(path, one))) rmSync(join(path, one));
  }

  /** The user has decided against a text: its title is not kept. */
  abandon(title: string | null): void {
    if (title !== null) this.#words.delete(title);
  }

  /** Words that are in no file and in none of the other texts. */
  lost(texts: string): readonly string[] {
    const files = this.folders.flatMap(({ path }) =>
      readdirSync(path, { recursive: true, encoding: 'utf8' }).flatMap(one => {
        const at = join(path, one);
        return existsSync(at) && statSync(at).isFile() ? readFileSync(at, 'utf8') : [];
      }),
    );
    return [...this.#words].filter(word => ![...files, texts].some(text => text.includes(word)));
  }

  #one<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }
}
