import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rowWith, sameContent } from '../../src/core/ical/content';
import { readLines } from '../../src/core/ical/contentLines';
import { readResource } from '../../src/core/ical/readResource';
import { writeResource } from '../../src/core/ical/writeResource';

const filesBelow = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map(name => join(folder, name))
        .filter(name => /\.(ics|vcs|txt)$/i.test(name) && statSync(name).isFile())
    : [];

const files = [...filesBelow('test/core/fixtures/ical'), ...filesBelow('../shared/corpus/vtodo')];
const now = Date.UTC(2030, 0, 1);

/** What an edit of the title may touch: the title, and the lines that every write renews. */
const renewed = /^(SUMMARY|PRODID|METHOD|DTSTAMP|LAST-MODIFIED)[:;]/i;

const otherLines = (text: string) =>
  readLines(text)
    .filter(line => !renewed.test(line.text))
    .map(line => text.slice(line.from, line.to));

describe('files that programs wrote', () => {
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
    it(`${file} says the same when it is written without its text`, () => {
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

/** Only the file's own VTIMEZONE knows such a zone: without the file its instants go out in UTC. */
const hasPrivateZone = (timezone: string | null, text: string) =>
  timezone !== null && text.includes('BEGIN:VTIMEZONE') && /^US-Eastern$|Customized|\(UTC|^[A-Z]$/.test(timezone);
