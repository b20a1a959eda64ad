import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fingerprintAt, indexText } from '../../../src/core/code/fingerprint';
import { LiveAnchors, type TextChange } from '../../../src/core/code/liveAnchors';

/** A text that is edited as an editor does it, with an anchor on each line that has a name. */
class Document {
  constructor(
    readonly live: LiveAnchors<string>,
    readonly file: string,
    public text: string,
    names: readonly string[],
  ) {
    const index = indexText(text);
    const places = names.map(key => {
      const line = this.lineOf(key)!;
      return { key, line, fingerprint: fingerprintAt(index, line)! };
    });
    live.open(file, places, line => this.lines[line]!);
  }

  get lines(): readonly string[] {
    return this.text.split('\n');
  }

  lineOf(word: string): number | undefined {
    const at = this.lines.findIndex(line => line.includes(word));
    return at < 0 ? undefined : at;
  }

  #offset(line: number, character: number): number {
    return this.lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
  }

  edit(
    ...changes: readonly (readonly [from: readonly [number, number], to: readonly [number, number], text: string])[]
  ) {
    const textChanges = changes.map(([from, to, text]): TextChange => {
      const change = {
        start: { line: from[0], character: from[1] },
        end: { line: to[0], character: to[1] },
        text,
      };
      this.text = this.text.slice(0, this.#offset(...from)) + text + this.text.slice(this.#offset(...to));
      return change;
    });
    return this.live.edit(this.file, textChanges, line => this.lines[line] ?? '');
  }

  get anchors(): Record<string, number> {
    return Object.fromEntries(this.live.linesOf(this.file).map(({ key, line }) => [key, line]));
  }
}

const open = (text: string, ...names: readonly string[]) =>
  new Document(new LiveAnchors<string>(), 'a.ts', text, names);

describe('live anchors', () => {
  const code = 'const first = 1;\n  const second = 2;\n\nfunction third() {\n  return first;\n}\n';

  it('move down and up with lines that are added and removed above', () => {
    const doc = open(code, 'second', 'third');
    assert.deepEqual(doc.edit([[0, 0], [0, 0], '// one\n// two\n']), [
      { key: 'second', file: 'a.ts', line: 3 },
      { key: 'third', file: 'a.ts', line: 5 },
    ]);
    doc.edit([[0, 0], [2, 0], '']);
    assert.deepEqual(doc.anchors, { second: 1, third: 3 });
  });

  it('stay with the code if a line is broken before, in or after it', () => {
    const doc = open(code, 'second');
    doc.edit([[1, 2], [1, 2], '\n']);
    assert.deepEqual(doc.anchors, { second: 2 });
    doc.edit([[2, 14], [2, 14], '\n']);
    assert.deepEqual(doc.anchors, { second: 2 });
    doc.edit([[2, 14], [3, 0], '']);
    doc.edit([[2, 19], [2, 19], '\n']);
    assert.deepEqual(doc.anchors, { second: 2 });
    doc.edit([[1, 0], [2, 0], '']);
    assert.deepEqual(doc.anchors, { second: 1 });
  });

  it('follow a line that is joined to the previous one', () => {
    const doc = open(code, 'second');
    doc.edit([[0, 16], [1, 1], '']);
    assert.deepEqual(doc.anchors, { second: 0 });
  });

  it('stay if their line is typed over', () => {
    const doc = open(code, 'second');
    assert.deepEqual(doc.edit([[1, 2], [1, 19], 'let other = 3;']), []);
    assert.deepEqual(doc.anchors, { second: 1 });
  });

  it('disappear when their line is removed, and come back with undo', () => {
    const doc = open(code, 'second');
    assert.deepEqual(doc.edit([[1, 0], [2, 0], '']), [{ key: 'second', file: 'a.ts', line: undefined }]);
    assert.deepEqual(doc.anchors, {});
    assert.deepEqual(doc.edit([[1, 0], [1, 0], '  const second = 2;\n']), [{ key: 'second', file: 'a.ts', line: 1 }]);
  });

  it('follow cut and paste into another file, even if only the text of a line is cut', () => {
    const doc = open(code, 'second', 'third');
    const other = new Document(doc.live, 'b.ts', 'import x;\n', []);
    doc.edit([[1, 2], [1, 19], '']);
    assert.deepEqual(doc.anchors, { third: 3 });
    assert.deepEqual(other.edit([[1, 0], [1, 0], '    const second = 2;']), [{ key: 'second', file: 'b.ts', line: 1 }]);
    doc.edit([[3, 0], [6, 0], '']);
    other.edit([[0, 0], [0, 0], 'function third() {\n  return first;\n}\n']);
    assert.deepEqual(other.anchors, { second: 4, third: 0 });
  });

  it('do not move to an equal line of another file that was not cut from theirs', () => {
    const doc = open(code, 'first', 'second');
    const other = new Document(doc.live, 'b.ts', 'import x;\n', []);
    doc.edit([[1, 0], [2, 0], '']);
    doc.edit([[0, 0], [1, 0], '']);
    assert.deepEqual(other.edit([[0, 0], [0, 0], '  const second = 2;\n']), []);
    assert.deepEqual(other.anchors, {});
  });

  it('follow a line that the editor moves by removing and inserting it in one edit', () => {
    const doc = open(code, 'first', 'second');
    doc.edit([[1, 19], [1, 19], '\nconst first = 1;'], [[0, 0], [1, 0], '']);
    assert.deepEqual(doc.anchors, { second: 0, first: 1 });
  });

  it('are found in the text of a formatter that replaces the whole document', () => {
    const doc = open(code, 'first', 'second', 'third', 'return');
    const formatted = 'const first = 1\nconst second = 2\n\nfunction third()\n{\n\treturn first\n}\n';
    doc.edit([[0, 0], [6, 0], formatted]);
    assert.deepEqual(doc.anchors, { first: 0, second: 1, third: 3, return: 5 });
  });

  it('do not follow a closing brace into unrelated text that contains one', () => {
    const doc = open('class A {\n  foo() {\n    work();\n  } // end\n}\n', '}');
    doc.edit([[3, 0], [4, 0], '']);
    assert.deepEqual(doc.edit([[0, 0], [0, 0], 'function other() {\n  } // end\n']), []);
  });

  it('are on the line with their text after any edits', () => {
    const step = fc.record({
      act: fc.constantFrom('insert', 'remove', 'cut', 'break', 'type', 'join', 'swap'),
      at: fc.nat(),
      size: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), steps => {
        const names = Array.from({ length: 12 }, (_, index) => `name${String.fromCharCode(97 + index)}x`);
        const doc = open(`${names.map(name => `  call(${name}, ${name.length});`).join('\n')}\n`, ...names);
        let clip = '';
        let fresh = 0;
        for (const { act, at, size } of steps) {
          const { lines } = doc;
          const line = at % lines.length;
          const last = Math.min(lines.length - 1, line + size);
          if (act === 'insert') doc.edit([[line, 0], [line, 0], clip || `  fresh(${fresh++});\n`]);
          if (act === 'insert') clip = '';
          if (act === 'remove' || act === 'cut') {
            const text = `${lines.slice(line, last).join('\n')}\n`;
            if (act === 'cut' && last > line) clip = text;
            doc.edit([[line, 0], [last, 0], '']);
          }
          if (act === 'break') doc.edit([[line, 0], [line, 0], '\n']);
          if (act === 'type') doc.edit([[line, lines[line]!.length], [line, lines[line]!.length], ' // more']);
          if (act === 'join' && last > line) doc.edit([[line, lines[line]!.length], [line + 1, 0], ' ']);
          if (act === 'swap' && last > line)
            doc.edit(
              [[line + 1, lines[line + 1]!.length], [line + 1, lines[line + 1]!.length], `\n${lines[line]}`],
              [[line, 0], [line + 1, 0], ''],
            );
          for (const name of names) assert.equal(doc.anchors[name], doc.lineOf(name), `${name} after ${act}`);
        }
      }),
      { numRuns: 200 },
    );
  });
});
