import type { Etag, Href } from '../remote/remote';

/** A file with a second version of a task, which something that carries the folder has put beside the first. */
export interface ConflictCopy {
  readonly list: Href;
  readonly uid: string;
  readonly href: Href;
  readonly etag: Etag;
  readonly text: string;
  /** The file that it is a copy of. */
  readonly original: { readonly href: Href; readonly text: string };
}

const stemOf = (name: string) => name.replace(/\.ics$/i, '');

/**
 * By its name, the file that each copy is a copy of. All that make copies put something behind the name: Syncthing
 * `task.sync-conflict-20261120-…`, Dropbox ` (Anna’s conflicted copy …)` in any language, others ` 2`, ` (1)`, `-LAPTOP`.
 * With the same UID inside, that tells enough.
 */
export function copiesAmong(uids: ReadonlyMap<string, string | null>): ReadonlyMap<string, string> {
  const byUid = new Map<string, string[]>();
  for (const [name, uid] of uids) {
    if (!uid) continue;
    const others = byUid.get(uid);
    if (others) others.push(name);
    else byUid.set(uid, [name]);
  }
  const originals = new Map<string, string>();
  for (const names of byUid.values()) {
    if (names.length === 1) continue;
    // Sorted, what begins like a name follows it.
    const stems = names.sort().map(name => [stemOf(name), name] as const);
    stems.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    let [first, original] = stems[0]!;
    for (const [stem, name] of stems)
      if (!stem.startsWith(first)) [first, original] = [stem, name];
      else if (stem !== first) originals.set(name, original);
  }
  return originals;
}

/** Both versions of a text in which git has left the marks of a merge; undefined where it has none. */
export function splitByMarkers(text: string): { readonly ours: string; readonly theirs: string } | undefined {
  if (!/^<{7}( |\r?$)/m.test(text) || !/^={7}\r?$/m.test(text) || !/^>{7}( |\r?$)/m.test(text)) return undefined;
  const sides = { ours: '', theirs: '' };
  let side: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  for (const line of text.split(/(?<=\n)/)) {
    if (/^<{7}( |\r?$)/m.test(line)) side = 'ours';
    else if (side === 'ours' && /^\|{7}( |\r?$)/m.test(line)) side = 'base';
    else if ((side === 'ours' || side === 'base') && /^={7}\r?$/m.test(line)) side = 'theirs';
    else if (side === 'theirs' && /^>{7}( |\r?$)/m.test(line)) side = 'both';
    else {
      if (side === 'both' || side === 'ours') sides.ours += line;
      if (side === 'both' || side === 'theirs') sides.theirs += line;
    }
  }
  return sides;
}

/** Where the other version goes: named by what it holds, so that a run that was cut off makes no second one. */
export const copyNameOf = (name: string, hash: string): string =>
  `${stemOf(name)}.git-conflict-${hash.replace(/[^A-Za-z0-9]/g, '').slice(0, 8)}.ics`;
