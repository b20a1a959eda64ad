import type { SqlParam } from './context';

/** A SQL condition that is 0 or 1, never NULL, with its parameters in order. */
export interface Sql {
  readonly text: string;
  readonly params: readonly SqlParam[];
}

export const sql = (text: string, ...params: readonly SqlParam[]): Sql => ({ text, params });

/** Selects tasks (alias `t`) with a line that no column models and that contains `part`. */
export const linesHave = (part: string): string => `IFNULL(t.unknown_properties, '') LIKE '%${part}%'`;

export const always = sql('1');
export const never = sql('0');

export function allOf(parts: readonly Sql[]): Sql {
  if (parts.includes(never)) return never;
  return join(
    parts.filter(part => part !== always),
    ' AND ',
    always,
  );
}

export function anyOf(parts: readonly Sql[]): Sql {
  if (parts.includes(always)) return always;
  return join(
    parts.filter(part => part !== never),
    ' OR ',
    never,
  );
}

export function not(part: Sql): Sql {
  if (part === always) return never;
  if (part === never) return always;
  return { text: `NOT (${part.text})`, params: part.params };
}

function join(parts: readonly Sql[], word: string, empty: Sql): Sql {
  if (parts.length === 0) return empty;
  if (parts.length === 1) return parts[0]!;
  return {
    text: parts.map(part => `(${part.text})`).join(word),
    params: parts.flatMap(part => part.params),
  };
}

/** A set of ids as one parameter, however many there are. */
export const inSet = (column: string, ids: Iterable<number>): Sql =>
  sql(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify([...ids]));

/**
 * A condition as far as SQL can express it: every row that matches is in `upper`, and every row in `lower` matches. If
 * both are the same object, SQL expresses it exactly.
 */
export interface Bounds {
  readonly upper: Sql;
  readonly lower: Sql;
}

export const exactly = (condition: Sql): Bounds => ({ upper: condition, lower: condition });
export const atMost = (upper: Sql, lower: Sql = never): Bounds => ({ upper, lower });
export const isExact = ({ upper, lower }: Bounds): boolean => upper === lower;

export function allBounds(parts: readonly Bounds[]): Bounds {
  const upper = allOf(parts.map(part => part.upper));
  return parts.every(isExact) ? exactly(upper) : { upper, lower: allOf(parts.map(part => part.lower)) };
}

export function anyBounds(parts: readonly Bounds[]): Bounds {
  const upper = anyOf(parts.map(part => part.upper));
  return parts.every(isExact) ? exactly(upper) : { upper, lower: anyOf(parts.map(part => part.lower)) };
}

export function notBounds(part: Bounds): Bounds {
  return isExact(part) ? exactly(not(part.upper)) : { upper: not(part.lower), lower: not(part.upper) };
}
