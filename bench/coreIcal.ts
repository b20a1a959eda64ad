import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { rowWith } from '../src/core/ical/contentGroups';
import { readResource } from '../src/core/ical/readResource';
import { writeResource } from '../src/core/ical/writeResource';
import { median, type Report } from './reference/figure';

const fixtures = 'test/core/fixtures/ical';
const rounds = 15;
const copies = 150;

/** VTODO texts to rows, and an edit written back, each against what ical.js's parser alone takes for the same texts. */
export async function run(report: Report): Promise<void> {
  const texts = readdirSync(fixtures)
    .filter(name => name.endsWith('.ics'))
    .map(name => readFileSync(join(fixtures, name), 'utf8').replaceAll('\n', '\r\n'))
    .flatMap(text => Array.from({ length: copies }, (_, at) => text.replaceAll('SUMMARY:', `SUMMARY:${at} `)));
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);

  const parts = {
    reference: () => texts.map(text => ICAL.parse(text)),
    read: () => texts.map(text => readResource(text)),
    write: () =>
      texts.map(text => {
        const { master, overrides } = readResource(text);
        return writeResource({ master: rowWith(master!, { title: 'Edited' }), overrides }, text, 0);
      }),
  };
  const times: Record<keyof typeof parts, number[]> = { reference: [], read: [], write: [] };
  for (let round = 0; round < rounds; round++) {
    for (const part of ['reference', 'read', 'write'] as const) {
      const start = performance.now();
      parts[part]();
      times[part].push(performance.now() - start);
    }
  }
  const reference = median(times.reference);
  const detail = (ms: number) =>
    `${texts.length} files, ${Math.round(bytes / 1024)} KiB: ${ms.toFixed(0)} ms, ical.js parse ${reference.toFixed(0)} ms`;
  const [read, write] = [median(times.read), median(times.write)];
  report({ name: 'VTODO parse and map', ratio: read / reference, goal: 1.5, detail: detail(read) });
  report({ name: 'VTODO read, title edited, written', ratio: write / reference, goal: 4, detail: detail(write) });
}
