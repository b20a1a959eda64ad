import assert from 'node:assert/strict';
import type { ExchangeFormat } from '../../src/api';
import { decodeText } from '../../src/core/exchange/encoding';
import { engines } from './support/engine';

describe('the encoding of an imported file', () => {
  const lab = engines();

  const take = async (format: ExchangeFormat, file: string | Uint8Array) => {
    const engine = await lab.open({ locale: 'de-DE' });
    const [list] = engine.lists();
    const report = await engine.importReported(format, file, list!.id);
    return { report, titles: engine.rows(list!.id).map(({ title }) => title) };
  };

  const title = 'Müller: Straße kehren – 5 €, „sofort“';
  const files: Readonly<Record<ExchangeFormat, string>> = {
    csv: `Titel;Fällig\r\n"${title}";24.12.2026\r\n`,
    ics: `BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:${title.replace(',', '\\,')}\r\nEND:VTODO\r\nEND:VCALENDAR\r\n`,
    json: '',
    todotxt: `${title}\n`,
    markdown: `- [ ] ${title}\n`,
  };
  /** The characters of Windows-1252 that ISO 8859-1 has not. */
  const own = { '€': 0x80, '„': 0x84, '“': 0x93, '–': 0x96 } as Record<string, number>;
  const windows1252 = (text: string) => Uint8Array.from([...text].map(char => own[char] ?? char.charCodeAt(0)));
  const littleEndian = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
  const bigEndian = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());

  for (const [format, text] of Object.entries(files) as [ExchangeFormat, string][]) {
    if (text === '') continue;
    for (const [name, bytes, isGuess] of [
      ['UTF-8', new TextEncoder().encode(text)],
      ['UTF-8 with a mark', new TextEncoder().encode(`\ufeff${text}`)],
      ['UTF-16 LE', littleEndian(`\ufeff${text}`)],
      ['UTF-16 BE', bigEndian(`\ufeff${text}`)],
      ['UTF-16 without a mark', littleEndian(text)],
      ['Windows-1252', windows1252(text), true],
    ] as const)
      it(`is detected: ${format} in ${name}`, async () => {
        const { report, titles } = await take(format, bytes);
        assert.deepEqual(titles, [title]);
        assert.deepEqual(
          { isGuess: report.isGuess ?? false, skipped: report.skipped },
          { isGuess: isGuess ?? false, skipped: [] },
        );
      });
  }

  it('is not guessed for pure ASCII or an empty file', () => {
    for (const text of ['', 'a', 'ab', 'BEGIN:VCALENDAR'])
      assert.deepEqual(decodeText(new TextEncoder().encode(text)), { text, isGuess: false });
  });

  it('is reported if the text was decoded with a wrong one', async () => {
    const garbled = await take('csv', new TextDecoder().decode(windows1252(files.csv)));
    assert.equal(garbled.report.skipped.length, 1);
    const zeros = await take('csv', new TextDecoder().decode(littleEndian(files.csv)));
    assert.deepEqual(
      { titles: zeros.titles, left: zeros.report.left, created: zeros.report.created },
      { titles: [], left: 1, created: 0 },
    );
    const binary = await take('csv', new Uint8Array(2000).fill(0).fill(0xff, 0, 1));
    assert.deepEqual({ titles: binary.titles, left: binary.report.left }, { titles: [], left: 1 });
  });

  it('does not matter for a replacement character that is in the file', async () => {
    const { report, titles } = await take('todotxt', new TextEncoder().encode('The sign \ufffd\n'));
    assert.deepEqual({ titles, skipped: report.skipped }, { titles: ['The sign \ufffd'], skipped: [] });
  });

  for (const [separator, name] of [
    [';', 'a semicolon'],
    ['\t', 'a tab'],
    ['|', 'a bar'],
  ] as const)
    it(`is distinguished from a first line that declares ${name} as the separator`, async () => {
      const { report, titles } = await take(
        'csv',
        `sep=${separator}\r\nTitel${separator}Priorität\r\nA, b${separator}1\r\n`,
      );
      assert.deepEqual({ titles, skipped: report.skipped }, { titles: ['A, b'], skipped: [] });
      const lost = await take('csv', `sep=${separator}\r\nTitel${separator}Priorität\r\n${separator}1\r\n`);
      assert.match(lost.report.skipped[0]!.text, /^Line 3:/);
    });
});
