/** A line that a change adds. */
interface AddedLine {
  /** In the file after the change, from 0. */
  readonly line: number;
  readonly text: string;
}

/**
 * The added lines of a unified diff, by the path of the file after the change; a file that is removed, renamed or binary
 * adds none. Hunks are read by their counts, so that an added `++ x` is not taken for the name of a file.
 */
export function addedLines(diff: string): ReadonlyMap<string, readonly AddedLine[]> {
  const files = new Map<string, AddedLine[]>();
  let older = '';
  let added: AddedLine[] | undefined;
  let [line, left, leftBefore] = [0, 0, 0];
  for (const raw of diff.split('\n')) {
    if (left > 0 || leftBefore > 0) {
      const sign = raw[0];
      if (sign === '+') added?.push({ line, text: raw.slice(1).replace(/\r$/, '') });
      if (sign === '+' || sign === ' ' || raw === '' || raw === '\r') [line, left] = [line + 1, left - 1];
      if (sign === '-' || sign === ' ' || raw === '' || raw === '\r') leftBefore--;
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(raw);
    if (hunk) {
      [leftBefore, left] = [Number(hunk[1] ?? 1), Number(hunk[3] ?? 1)];
      line = Math.max(0, Number(hunk[2]) - 1);
    } else if (raw.startsWith('diff ')) [older, added] = ['', undefined];
    else if (raw.startsWith('--- ')) older = nameIn(raw);
    else if (raw.startsWith('+++ ')) {
      const path = withoutPrefix(nameIn(raw), older);
      added = path === undefined ? undefined : (files.get(path) ?? []);
      if (path !== undefined) files.set(path, added!);
    }
  }
  return files;
}

/** The path after the mark: quoted as in C if it has unusual characters, otherwise up to a tab and the time. */
function nameIn(raw: string): string {
  const name = raw.slice(4).replace(/\r$/, '');
  if (!name.startsWith('"')) return name.split('\t', 1)[0]!;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  for (const [part, octal, sign] of name.slice(1).matchAll(/\\(?:([0-7]{3})|(.))|[^"\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else for (const byte of encoder.encode(sign === undefined ? part : (signs[sign] ?? sign))) bytes.push(byte);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** `a/` and `b/`, or what git's settings have in their place (`i/`, `w/`): two different single letters. */
function withoutPrefix(newer: string, older: string): string | undefined {
  if (newer === '/dev/null') return undefined;
  const [, prefix] = /^([a-z])\//.exec(newer) ?? [];
  if (prefix === undefined) return newer;
  const [, other] = /^([a-z])\//.exec(older) ?? [];
  const isPrefix = older === '/dev/null' ? prefix === 'b' || prefix === 'w' : other !== undefined && other !== prefix;
  return isPrefix ? newer.slice(2) : newer;
}
