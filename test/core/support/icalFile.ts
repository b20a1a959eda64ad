import assert from 'node:assert/strict';
import { type Columns, rowWith } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import { writeResource } from '../../../src/core/ical/writeResource';
import { readLines } from '../../../src/core/lines/contentLines';

export const now = Date.UTC(2026, 0, 2, 3, 4, 5);
export const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
export const todo = (...lines: string[]) => [
  'BEGIN:VTODO',
  'UID:u1',
  'DTSTAMP:20250101T000000Z',
  ...lines,
  'END:VTODO',
];
export const file = (...lines: string[]) => calendar(...todo(...lines));

/** The text after an edit of the master's columns. */
export function edit(base: string, columns: Columns): string {
  const read = readResource(base);
  return writeResource({ ...read, master: rowWith(read.master!, columns) }, base, now);
}

const bookkeeping = /^(PRODID|DTSTAMP|LAST-MODIFIED|SEQUENCE):/;

/** Lines that went and lines that came, without the ones that each write renews. */
export function difference(base: string, written: string): { gone: string[]; new: string[] } {
  const texts = (source: string) =>
    readLines(source)
      .map(line => source.slice(line.from, line.to).trimEnd())
      .filter(line => !bookkeeping.test(line));
  const [before, after] = [texts(base), texts(written)];
  return { gone: before.filter(line => !after.includes(line)), new: after.filter(line => !before.includes(line)) };
}

/** A case of rule W: these lines, edited so, lose those and gain these. */
export function rule(name: string, lines: string[], columns: Columns, gone: string[], added: string[]): void {
  it(name, () => {
    const base = file(...lines);
    const written = edit(base, columns);
    assert.deepEqual(difference(base, written), { gone, new: added });
    assert.deepEqual(difference(base.replaceAll('\r\n', '\n'), edit(base.replaceAll('\r\n', '\n'), columns)), {
      gone,
      new: added,
    });
  });
}
