import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rowWith, sameContent } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import { writeResource } from '../../../src/core/ical/writeResource';
import { readLines } from '../../../src/core/lines/contentLines';

const filesBelow = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map(name => join(folder, name))
        .filter(name => /\.(ics|vcs|txt)$/i.test(name) && statSync(name).isFile())
    : [];

const files = [...filesBelow('test/core/fixtures/ical'), ...filesBelow('../shared/corpus/vtodo')];
const now = Date.UTC(2030, 0, 1);

/** The lines that an edit of the title may touch: the title, and those that every write renews. */
const renewed = /^(SUMMARY|PRODID|METHOD|DTSTAMP|LAST-MODIFIED)[:;]/i;

const otherLines = (text: string) =>
  readLines(text)
    .filter(line => !renewed.test(line.text))
    .map(line => text.slice(line.from, line.to));

describe('files of other programs', () => {
  for (const file of files) {
    for (const [name, newline] of [
      ['LF', '\n'],
      ['CRLF', '\r\n'],
    ] as const) {
      it(`A45 ${file} with ${name} keeps every line but the edited one`, () => {
        const text = readFileSync(file, 'utf8').replace(/\r?\n/g, newline);
        const { uid: first, otherUids } = readResource(text, { href: '/list/the-file.ics' });
        for (const uid of first === undefined ? [] : [first, ...otherUids.slice(0, 5)]) {
          const read = readResource(text, { uid });
          assert.equal(writeResource(read, text, now), text);
          const retitle = (row: (typeof read.overrides)[number]) => rowWith(row, { title: 'Neu: a, b; c\\d' });
          const edited = {
            ...(read.master ? { master: retitle(read.master) } : {}),
            overrides: read.overrides.map(retitle),
          };
          const written = writeResource(edited, text, now);
          assert.deepEqual(otherLines(written), otherLines(text));
          assert.ok(sameContent(readResource(written, { uid }), edited));
          assert.equal(writeResource(edited, written, now + 1), written);
        }
      });
    }
  }

  for (const file of files.filter(name => !name.includes('malformed'))) {
    it(`${file} means the same when it is written without its original text`, () => {
      const text = readFileSync(file, 'utf8');
      const { uid: first, otherUids } = readResource(text, { href: '/list/the-file.ics' });
      for (const uid of first === undefined ? [] : [first, ...otherUids.slice(0, 5)]) {
        const read = readResource(text, { uid });
        const again = readResource(writeResource(read, undefined, now), { uid });
        const lossy = [read.master, ...read.overrides].some(row => row && hasPrivateZone(row.fields.timezone, text));
        if (!lossy) assert.ok(sameContent(again, read));
        const unknown = ({ master, overrides }: typeof read) =>
          [master, ...overrides].map(row => JSON.parse(row?.fields.unknownProperties ?? '[]') as string[]);
        // A second line of a property that a column has, or one beside it, comes back only from the text itself.
        const sound = (rows: string[][]) =>
          rows.map(lines =>
            lines
              .filter(line => /^[\w-]+[:;]/.test(line) && !/^(STATUS|DURATION|X-[^:;]*:$)/.test(line))
              .map(line => line.replace(/^x-[^:;]+/, name => name.toUpperCase()))
              .toSorted(),
          );
        assert.deepEqual(sound(unknown(again)), sound(unknown(read)));
      }
    });
  }
});

describe('files that no sane program writes', () => {
  const many = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at));
  const todo = (...lines: string[]) => ['BEGIN:VTODO', 'UID:u', ...lines, 'END:VTODO'];
  const stamp = (at: number) => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().replace(/[-:]|\.000/g, '');
  const cases: Record<string, string[]> = {
    'thousands of overrides': [
      ...todo('DTSTART:20250101T000000Z', 'RRULE:FREQ=DAILY'),
      ...many(2000, at => todo(`RECURRENCE-ID:${stamp(at)}`).join('\n')),
    ],
    'thousands of VTODOs that are one': many(5000, () => todo('SUMMARY:a').join('\n')),
    'thousands of tags and alarms': todo(
      `CATEGORIES:${many(5000, at => `t${at}`).join(',')}`,
      ...many(1000, at => `CATEGORIES:l${at}`),
      ...many(1000, at => `BEGIN:VALARM\nTRIGGER:-PT${at}M\nEND:VALARM`),
    ),
    'a value of half a million folds': todo(`DESCRIPTION:a${'\n b'.repeat(500_000)}`),
    'endless parameters, quotes, carets and backslashes': todo(
      `X-A${';P="a,b"'.repeat(20_000)}:v`,
      `X-A;P=${'"'.repeat(100_001)}:v`,
      `X-A;P=${'^'.repeat(100_001)},,"":v`,
      `SUMMARY:${'\\'.repeat(100_001)}`,
    ),
    'components without number, deep and wide': todo(
      ...many(20_000, () => 'BEGIN:X'),
      ...many(20_000, () => 'END:X'),
      ...many(20_000, () => 'BEGIN:Y\nEND:Y'),
    ),
  };
  for (const [name, lines] of Object.entries(cases)) {
    it(`with ${name} are read, and written with an edit`, () => {
      const text = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\n');
      const read = readResource(text);
      const edited = { ...read, master: rowWith(read.master!, { title: 'Edited', tags: ['x'], alarms: [] }) };
      assert.ok(sameContent(readResource(writeResource(edited, text, now)), edited));
    });
  }
});

/** Only the file's own VTIMEZONE knows such a zone: without the file its instants go out in UTC. */
const hasPrivateZone = (timezone: string | null, text: string) =>
  timezone !== null && text.includes('BEGIN:VTIMEZONE') && /^US-Eastern$|Customized|\(UTC|^[A-Z]$/.test(timezone);
