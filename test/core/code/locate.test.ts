import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fingerprintAt, indexOf, indexText, quoteAt, rankOf } from '../../../src/core/code/fingerprint';
import { type LocateQuery, locate, locateAmong } from '../../../src/core/code/locate';

function wantedAt(text: string, line: number, isQuoted = false): LocateQuery {
  const index = indexText(text);
  const fingerprint = fingerprintAt(index, line);
  return { fingerprint, line, ...(isQuoted ? { quote: quoteAt(index, rankOf(index, line)) } : {}) };
}

const lines = (text: string) => text.split('\n');
const method = (name: string) =>
  `  ${name}(input: string) {\n    prepare(input);\n    const result = work(input);\n    return result;\n  }\n`;
const code = `class A {\n${['alpha', 'beta', 'gamma'].map(method).join('\n')}}\n`;

describe('the index of a document', () => {
  it('is built once for each version', () => {
    let reads = 0;
    const document = {
      version: 1,
      getText() {
        reads++;
        return code;
      },
    };
    for (let line = 0; line < 10; line++) assert.deepEqual(indexOf(document), indexText(code));
    assert.equal(reads, 1);
    document.version++;
    indexOf(document);
    assert.equal(reads, 2);
  });
});

describe('locating a line', () => {
  it('finds it after lines were added above and the file was formatted', () => {
    const now =
      `// licence\n\n${code.replaceAll('  ', '\t').replaceAll('(input: string)', '( input:string )')}`.replaceAll(
        '\n',
        '\r\n',
      );
    const line = lines(code).findIndex(text => text.includes('beta('));
    const found = locate(indexText(now), wantedAt(code, line));
    assert.deepEqual(found, { ...found, certainty: 'sure', line: line + 2 });
  });

  it('distinguishes equal lines by the lines around them', () => {
    const line = lines(code).findIndex(text => text.includes('gamma(')) + 3;
    const now = code.replace('    const result', '    log();\n    const result');
    const found = locate(indexText(now), wantedAt(code, line));
    assert.deepEqual(found, { ...found, certainty: 'sure', line: line + 1 });
  });

  it('is not sure of any line if the task’s line was removed', () => {
    const line = lines(code).findIndex(text => text.includes('beta('));
    const now = code.replace(method('beta'), '');
    assert.deepEqual(locate(indexText(now), wantedAt(code, line)), { certainty: 'stale', line, score: 0 });
    assert.notEqual(locate(indexText(now), wantedAt(code, line, true)).certainty, 'sure');
  });

  it('probably finds an edited line on the computer that has seen it, and calls it stale on another one', () => {
    const old = 'openFirst();\nopenSecond();\nconst three = compute(3);\ncloseFirst();\ncloseSecond();\n';
    const now = `\n${old.replace('compute(3)', 'compute(3, 4)')}`;
    const { certainty, line } = locate(indexText(now), wantedAt(old, 2, true));
    assert.deepEqual({ certainty, line }, { certainty: 'probable', line: 3 });
    assert.equal(locate(indexText(now), wantedAt(old, 2)).certainty, 'stale');
  });

  it('does not take a closing brace for the task’s line without its neighbors', () => {
    const old = 'function a() {\n  one();\n}\nfunction b() {\n  two();\n}\n';
    const now = 'function c() {\n  three();\n}\n';
    assert.equal(locate(indexText(now), wantedAt(old, 2, true)).certainty, 'stale');
  });

  it('does not trust an equal line with nothing equal around it', () => {
    const old = 'one\ntwo\nthree\n  return result.value;\nfour\nfive\n';
    const now = 'six\nseven\n  return result.value;\neight\n';
    assert.equal(locate(indexText(now), wantedAt(old, 3)).certainty, 'stale');
  });

  it('uses the line number if there is no fingerprint, as far as the file goes', () => {
    const index = indexText('a\nb\n');
    assert.deepEqual(locate(index, { fingerprint: undefined, line: 1 }).certainty, 'probable');
    assert.deepEqual(locate(index, { fingerprint: undefined, line: 7 }).certainty, 'stale');
  });

  it('finds nothing in an empty or too long text, and does not throw', () => {
    for (const text of ['', '\n\n', 'x'.repeat((1 << 21) + 1)])
      assert.equal(locate(indexText(text), wantedAt(code, 3)).certainty, 'stale');
  });

  it('finds a file under its new name if exactly one candidate surely has the line', () => {
    const query = wantedAt(code, 8);
    const files = [
      { file: 'other', index: indexText('nothing of it') },
      { file: 'new', index: indexText(`// moved\n${code}`) },
    ];
    assert.deepEqual(locateAmong(files, query)?.file, 'new');
    assert.deepEqual(locateAmong(files, query)?.line, 9);
    const copies = [...files, { file: 'copy', index: indexText(code) }];
    assert.equal(locateAmong(copies, query), undefined);
  });

  it('is never wrong about distinct lines while others are inserted, removed and moved around them', () => {
    const edit = fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('insert', 'remove', 'move'),
      size: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), fc.nat(59), (edits, pick) => {
        const old = Array.from({ length: 60 }, (_, index) => `  statement${index}(argument);`);
        const now = [...old];
        let fresh = 0;
        for (const { at, kind, size } of edits) {
          const from = at % (now.length + 1);
          if (kind === 'insert')
            now.splice(from, 0, ...Array.from({ length: size }, () => `  added${fresh++}(value);`));
          else {
            const part = now.splice(from, size);
            if (kind === 'move') now.splice((at * 7) % (now.length + 1), 0, ...part);
          }
        }
        const found = locate(indexText(now.join('\n')), wantedAt(old.join('\n'), pick));
        if (found.certainty !== 'stale') assert.equal(now[found.line], old[pick]);
      }),
    );
  });
});
