import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frameOf } from '../../../src/core/ical/components';
import {
  escapeText,
  foldLine,
  formatLine,
  newlineOf,
  paramOf,
  parseLine,
  readLines,
  unescapeText,
  withCrlf,
  withValue,
} from '../../../src/core/lines/contentLines';
import { cleanLine, cleanText, splitList } from '../../../src/core/lines/text';

const brief = (source: string) => readLines(source).map(line => [line.name, line.value]);

describe('content lines', () => {
  it('are unfolded at space and tab, with CRLF, LF, CR and CR CR LF as line ends', () => {
    for (const newline of ['\r\n', '\n', '\r', '\r\r\n']) {
      const source = ['SUMMARY:Ab', ' c', '\t d', 'URL:x'].join(newline);
      assert.deepEqual(brief(source), [
        ['SUMMARY', 'Abc d'],
        ['URL', 'x'],
      ]);
    }
  });

  it('skip a byte order mark and blank lines, and know their ranges and numbers', () => {
    const source = '\ufeffA:1\r\n\r\nB:2\r\n 3\r\nC:4';
    const lines = readLines(source);
    assert.deepEqual(
      lines.map(line => [source.slice(line.from, line.to), line.number]),
      [
        ['A:1\r\n', 1],
        ['B:2\r\n 3\r\n', 3],
        ['C:4', 5],
      ],
    );
  });

  it('keep a lone CR inside a value if LF ends lines', () => {
    assert.deepEqual(brief('A:x\ry\nB:1'), [
      ['A', 'x\ry'],
      ['B', '1'],
    ]);
  });

  it('set an invalid line aside, and only that one', () => {
    assert.deepEqual(
      brief('A:1\n: x\nno colon\nBAD;P="x:1\nÄ:1\nB:2').map(([name]) => name),
      ['A', '', '', 'BAD', '', 'B'],
    );
  });

  it('read parameters with quotes, lists, carets and no value', () => {
    const line = parseLine('ATTENDEE;CN="Doe; J:r ^\'Bob^\' ^^ ^n";member="a,b","c";RSVP=;X-FLAG;x-low=1:mailto:a@b');
    assert.equal(line.name, 'ATTENDEE');
    assert.equal(line.value, 'mailto:a@b');
    assert.equal(paramOf(line, 'CN'), 'Doe; J:r "Bob" ^ \n');
    assert.deepEqual(line.jCal?.[1].member, ['a,b', 'c']);
    assert.equal(paramOf(line, 'MEMBER'), 'a,b,c');
    assert.equal(paramOf(line, 'RSVP'), '');
    assert.equal(paramOf(line, 'X-FLAG'), '');
    assert.equal(paramOf(line, 'X-LOW'), '1');
    assert.equal(paramOf(line, 'ABSENT'), undefined);
  });

  it('read an unclosed quote as a character', () => {
    const line = parseLine('X;CN="open:value');
    assert.equal(line.value, 'value');
    assert.equal(paramOf(line, 'CN'), 'open');
  });

  it('read an address of a zone without quotes, and keep it as it was written', () => {
    for (const tzid of ['tzone://Microsoft/Utc', '"tzone://Microsoft/Utc"'])
      for (const head of [`DUE;TZID=${tzid}`, `due;x-a="b:c";X-FLAG;tzid=${tzid};VALUE=DATE-TIME`]) {
        const line = parseLine(`${head}:20260401T100000`);
        assert.deepEqual([line.head, line.value], [head, '20260401T100000']);
        assert.equal(paramOf(line, 'TZID'), 'tzone://Microsoft/Utc');
        assert.equal(withValue(line, '20260402T100000'), `${head}:20260402T100000`);
      }
    assert.equal(parseLine('COMMENT;LANGUAGE=en://x').value, '//x');
  });

  it('keep their text if ical.js refuses the parameters', () => {
    const line = parseLine('SUMMARY;=x:value');
    assert.deepEqual(
      { name: line.name, value: line.value, jCal: line.jCal },
      { name: 'SUMMARY', value: 'value', jCal: undefined },
    );
    assert.equal(withValue(line, 'other'), 'SUMMARY:other');
  });

  it('change their value and keep the other parameters as they were', () => {
    const line = parseLine('dtStart;x-a="b;c";TZID=Europe/Berlin;Value=DATE-TIME:20250101T000000');
    assert.equal(
      withValue(line, '20250102', ['TZID', 'VALUE'], [['VALUE', 'DATE']]),
      'dtStart;x-a="b;c";VALUE=DATE:20250102',
    );
    const odd = 'dtStart;TZID=a;x-a=b;x-a="c","d";X-FLAG;;tzid="Europe/Berlin';
    assert.equal(withValue(parseLine(`${odd}:x`), '20250102', ['TZID']), 'dtStart;x-a=b;x-a="c","d";X-FLAG;:20250102');
  });

  it('encode parameters so that nothing can escape from them', () => {
    assert.equal(formatLine('X', 'v', [['CN', 'a"b\r\nc^d;e']]), `X;CN="a^'b^nc^^d;e":v`);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), value => {
        const line = readLines(`${formatLine('X', 'v', [['P', value]])}\r\n`)[0]!;
        assert.equal(line.value, 'v');
        assert.equal(paramOf(line, 'P'), value.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f]/g, ''));
      }),
    );
  });

  it('are folded at 75 octets and never inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.constantFrom('\r\n', '\n'), (value, newline) => {
        const text = `X:${cleanLine(value)}`;
        const folded = foldLine(text, newline);
        for (const line of folded.split(newline)) {
          assert.ok(Buffer.byteLength(line) <= 75);
          assert.equal(Buffer.from(line).toString(), line);
        }
        assert.deepEqual(
          readLines(folded).map(line => line.text),
          [text],
        );
      }),
    );
  });

  it('of a megabyte are read and folded', () => {
    const text = `ATTACH:${'A'.repeat(1_000_000)}`;
    const lines = readLines(foldLine(text, '\r\n') + foldLine('B:1', '\r\n'));
    assert.equal(lines[0]!.text, text);
    assert.equal(lines[1]!.value, '1');
  });

  it('know their line end, and are sent with CRLF', () => {
    assert.equal(newlineOf('A:1\nB:2\r\n'), '\n');
    assert.equal(newlineOf('A:1\r\n'), '\r\n');
    assert.equal(newlineOf('A:1\rB:2'), '\r');
    assert.equal(newlineOf(''), '\r\n');
    assert.equal(withCrlf('A:1\nB:2\r\nC:3\r\r\nD'), 'A:1\r\nB:2\r\nC:3\r\nD');
    // Such a run would keep everything waiting for an hour if each of it were tried as a beginning.
    const endless = `A:${'\r'.repeat(1_000_000)}b`;
    assert.equal(withCrlf(endless), endless);
  });
});

describe('text values', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), value => {
        const clean = cleanText(value);
        assert.equal(unescapeText(escapeText(clean)), clean);
        assert.ok(!/[\r\n]/.test(escapeText(clean)));
      }),
    );
  });

  it('keep a backslash that escapes nothing', () => {
    assert.equal(unescapeText('C:\\temp\\, \\N \\"q\\" \\'), 'C:\\temp, \n "q" \\');
  });

  it('lose control characters and broken surrogates', () => {
    assert.equal(cleanText('a\0b\r\nc\rd\te\x1bf\ud800g😀'), 'ab\nc\nd\tef\ufffdg😀');
    assert.equal(cleanLine('a\r\nb'), 'ab');
  });

  it('are split into lists at unescaped commas', () => {
    assert.deepEqual(splitList('a\\,b,c\\\\,d,'), ['a\\,b', 'c\\\\', 'd', '']);
  });
});

describe('components', () => {
  const frame = (source: string) => {
    const lines = readLines(source);
    const { roots, strays } = frameOf(lines);
    return { roots, strays: strays.map(index => lines[index]!.text) };
  };

  it('nest, and know their own lines', () => {
    const { roots } = frame('BEGIN:A\nX:1\nbegin:b\nY:2\nEND:B\nZ:3\nEND:A');
    assert.deepEqual(roots[0]?.own, [1, 5]);
    assert.deepEqual(roots[0]?.children[0]?.own, [3]);
    assert.equal(roots[0]?.children[0]?.name, 'B');
  });

  it('end with an outer one, or with the text, if their own END is missing', () => {
    const { roots, strays } = frame('BEGIN:A\nBEGIN:B\nX:1\nEND:A\nEND:A\nY:1\nBEGIN:C\nZ:1');
    assert.deepEqual(strays, ['END:A', 'Y:1']);
    assert.deepEqual(
      roots.map(({ name, closed, last }) => [name, closed, last]),
      [
        ['A', true, 3],
        ['C', false, 7],
      ],
    );
    assert.equal(roots[0]?.children[0]?.closed, false);
  });

  it('nest to any depth', () => {
    const depth = 100_000;
    assert.equal(frame('BEGIN:A\n'.repeat(depth) + 'END:A\n'.repeat(depth)).roots.length, 1);
  });
});
