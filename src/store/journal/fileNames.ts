import { randomBytes } from 'node:crypto';

/** File names of a store's folder. Every name but the first journal's is random, so none is ever written twice. */

export const firstJournal = 'j-00000000.jsonl';

const digits = (gen: number) => String(gen).padStart(8, '0');

let pool = '';

/** 60 random bits, short in JSON. Drawn in advance: asking the system for each would be felt. */
export function randomId(): string {
  if (pool.length < 10) pool = randomBytes(3000).toString('base64url');
  const id = pool.slice(0, 10);
  pool = pool.slice(10);
  return id;
}

const randomPart = () => randomBytes(4).toString('hex');

export const journalName = (gen: number): string => `j-${digits(gen)}-${randomPart()}.jsonl`;
/** Without its ending: `.db` holds the data, `.json` describes it and makes it count. */
export const snapshotName = (gen: number): string => `s-${digits(gen)}-${randomPart()}`;

export const isJournal = (name: string): boolean => /^j-\d{8}(-[0-9a-f]+)?\.jsonl$/.test(name);
export const isSnapshotMeta = (name: string): boolean => /^s-\d{8}-[0-9a-f]+\.json$/.test(name);
export const isSnapshotData = (name: string): boolean => /^s-\d{8}-[0-9a-f]+\.db$/.test(name);

/** The generation in a name of any of these kinds. */
export const generationOf = (name: string): number => Number(name.slice(2, 10));
