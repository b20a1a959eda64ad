import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { commentsOf } from '../../../src/core/code/comments';
import { languageOf } from '../../../src/core/code/languages';
import { isGenerated, type Todo, todosOf } from '../../../src/core/code/todos';

const folder = 'test/core/fixtures/todos';
const all = (text: string, language: string, words?: readonly string[]): Todo[] =>
  [...todosOf(text, language, words)].filter(found => found !== undefined);
/** `.txt` keeps the compiler away. */
const plainName = (name: string) =>
  name.replace(/\.txt$/, (ending, at) => (name.slice(0, at).includes('.') ? '' : ending));
const textsIn = (text: string, language = 'typescript') => all(text, language).map(({ text }) => text);

describe('todos in comments', () => {
  for (const name of readdirSync(folder)) {
    it(`are found in ${name}, and none in its strings`, () => {
      const text = readFileSync(join(folder, name), 'utf8');
      const language = languageOf(plainName(name));
      assert.ok(language, 'its language is known');
      const expected = [...text.matchAll(/TODO: (real \d+)/g)].map(match => match[1]);
      assert.ok(expected.length > 0);
      const found = all(text, language).map(todo => /^\w+ \d+/.exec(todo.text)?.[0] ?? todo.text);
      assert.deepEqual(found, expected);
      assert.equal(all(text.replaceAll('\n', '\r\n'), language).length, expected.length);
    });
  }

  it('are known in 60 languages', () => {
    assert.ok(new Set(readdirSync(folder).map(name => languageOf(plainName(name)))).size >= 60);
  });

  it('have a position, an assignee and a task', () => {
    const text = 'a();\r\n  b(); // TODO(ana): call *back*\n/* FIXME(dl-k3f9) */ /* HACK */';
    assert.deepEqual(
      all(text, 'typescript').map(({ comment, ...todo }) => [todo, text.slice(comment.from, comment.to)]),
      [
        [{ line: 1, character: 10, word: 'TODO', owner: 'ana', text: 'call *back*' }, '// TODO(ana): call *back*'],
        [{ line: 2, character: 3, word: 'FIXME', taskId: 'dl-k3f9', text: '' }, '/* FIXME(dl-k3f9) */'],
        [{ line: 2, character: 24, word: 'HACK', text: '' }, '/* HACK */'],
      ],
    );
  });

  it('start a comment or one of its lines, or have a colon', () => {
    const text = '// not a BUG of ours\n// see BUG: this one\n/**\n * XXX that one\n * @TODO and this\n */';
    assert.deepEqual(textsIn(text), ['this one', 'that one', 'and this']);
    assert.deepEqual(textsIn('// TODOS\n// TODO_LIST\n// MYTODO: x\n// todo: y\n// PRE-TODO: z'), []);
  });

  it('include the further lines of their comment, to the end of the first sentence', () => {
    const whole = (text: string, language = 'typescript') => {
      const [todo, ...others] = all(text, language);
      assert.deepEqual(others, []);
      const { comment, notes } = todo!;
      return { text: todo!.text, notes, comment: text.slice(comment.from, comment.to) };
    };
    const ripgrep = [
      '// TODO: In the next semver breaking release, we should drop this pool and',
      '// expose an opaque type that wraps PatternSet. Then callers can provide',
      '// `PatternSet` directly, e.g. Foo.',
    ].join('\n');
    assert.deepEqual(whole(`    ${ripgrep.replaceAll('\n', '\n    ')}\n    let a = 1; // b\n`, 'rust'), {
      text: 'In the next semver breaking release, we should drop this pool and expose an opaque type that wraps PatternSet.',
      notes:
        'In the next semver breaking release, we should drop this pool and\nexpose an opaque type that wraps PatternSet. Then callers can provide\n`PatternSet` directly, e.g. Foo.',
      comment: ripgrep.replaceAll('\n', '\n    '),
    });
    assert.deepEqual(whole('/**\n * Calls.\n * TODO(ana):\n *   ask it, then\n *   wait\n *\n * Or not.\n */'), {
      text: 'ask it, then wait',
      notes: undefined,
      comment: '/**\n * Calls.\n * TODO(ana):\n *   ask it, then\n *   wait\n *\n * Or not.\n */',
    });
    assert.equal(whole('a() # TODO: ask\n    # and wait\n', 'python').text, 'ask and wait');
    assert.equal(whole('a() # TODO: ask\n# and wait\n', 'python').text, 'ask');
    assert.equal(whole('/* TODO: one\n   two */').text, 'one two');
  });

  it('end before other text: a new sentence, a directive for a program, another todo, code', () => {
    for (const below of [
      '// Returns it.',
      '// call(it);',
      '// if (x) {',
      '//   call(it)',
      '// let a = 1',
      '// import os',
      '//',
      '// eslint-disable-next-line no-x',
      '// @ts-expect-error',
      '//go:embed x',
      'a(); // and that',
      '  // and that',
      '\n// and that',
    ])
      assert.deepEqual(textsIn(`// TODO: cache this\n${below}\n`), ['cache this'], below);
    assert.deepEqual(textsIn('// TODO: one\n// TODO: two\n// and three'), ['one', 'two and three']);
    assert.deepEqual(textsIn('/**\n * TODO: twice\n * @param a\n */'), ['twice']);
  });

  it('are not found at the end of a path or an address', () => {
    assert.deepEqual(textsIn('// see docs/TODO: x\n//TODO: one\n# https://a.org/TODO: y\n'), ['one']);
    assert.deepEqual(textsIn('# see docs/TODO: x\n#TODO: one\n', 'python'), ['one']);
  });

  it('are those of the given keywords', () => {
    const text = '// NOTE: one\n// TODO: two\n// À-FAIRE: three';
    assert.deepEqual(
      all(text, 'go', ['NOTE', 'À-FAIRE', 'a|b(']).map(todo => todo.text),
      ['one', 'three'],
    );
    assert.deepEqual(all(text, 'go', []), []);
    assert.deepEqual(all(text, 'no-such-language'), []);
  });

  it('are not found in strings between the braces of a string', () => {
    const text = [
      'var a = $"{(b ? "// TODO: no" : "c")}"; // TODO: one',
      'var a = $@"{(b ? "// TODO: no" : "c")} "" // TODO: no',
      '"; // TODO: two',
      'var a = $"{{ // TODO: no }}" + $"{x}" + \'"\' + $""; // TODO: three',
      'var a = $"{f($"{g("// TODO: no")}")}"; // TODO: four',
      'var a = $"""{x} // TODO: no """; // TODO: five',
    ].join('\n');
    assert.deepEqual(textsIn(text, 'csharp'), ['one', 'two', 'three', 'four', 'five']);
  });

  it('are found between the braces of an element, not in its text', () => {
    const text = [
      'const a = <p>http://TODO: x</p>; // TODO: one',
      'return (\n  <>\n    <a href="//TODO: x" // TODO: two\n    >// TODO: text {/* TODO: three */} don\'t</a>',
      "    {b ? <i title='x'>/* TODO: text */</i> : <br/>}{/* TODO: four */}\n  </>\n); // TODO: five",
      'if (a<b && c>d) e(); // TODO: six',
      'const f = <T,>(x: T) => x; // TODO: seven\nconst g = <T extends object>(x: T) => x; // TODO: eight',
      'const h = <b>{`} // TODO: text`}</b>; // TODO: nine',
    ].join('\n');
    const expected = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    assert.deepEqual(textsIn(text, 'typescriptreact'), expected);
    assert.deepEqual(textsIn('const a = <Foo>bar; // TODO: one\nconst b = <Foo>baz; // TODO: two', 'typescript'), [
      'one',
      'two',
    ]);
  });

  it('are found after a regular expression with a quote, and a number with an apostrophe', () => {
    assert.deepEqual(textsIn('a(x => /"/.test(x)); // TODO: one'), ['one']);
    assert.deepEqual(textsIn("int a = 1'000'000; // TODO: one\nauto b = 0xff'ff; /* TODO: two */", 'cpp'), [
      'one',
      'two',
    ]);
    assert.deepEqual(textsIn("auto a = u8'\"'; char b = '/'; // TODO: one", 'cpp'), ['one']);
  });

  it('are found in YAML after an apostrophe that starts no string', () => {
    const text = [
      "a: it's # TODO: one",
      "b: 'it''s # TODO: no' # TODO: two",
      'c:\n  - "x # TODO: no\n     # TODO: no" # TODO: three',
      "d: {e: 'f # TODO: no', \"g\":'h # TODO: no'} # TODO: four",
      "e: [ 'f # TODO: no', 'g # TODO: no' ] # TODO: five",
      "f: well, 'tis so # TODO: six\ng: !!str 'h # TODO: no' # TODO: seven",
    ].join('\n');
    assert.deepEqual(textsIn(text, 'yaml'), ['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
  });

  it('are skipped on lines of more than 2,000 columns', () => {
    assert.deepEqual(textsIn(`${'x'.repeat(2000)} // TODO: far\n// TODO: near`), ['near']);
  });

  it('of generated files are recognized by the head and the name of the file', () => {
    const heads = ['// Code generated by x. DO NOT EDIT.\n', '/* @generated */', '// <auto-generated />'];
    for (const text of [...heads, '# This file is automatically generated']) assert.ok(isGenerated(text), text);
    for (const path of ['a/b.min.js', 'package-lock.json', 'x.pb.go', 'y_pb2.py'])
      assert.ok(isGenerated('', path), path);
    assert.ok(!isGenerated('// TODO: generate the table\n', 'src/generator.ts'));
  });

  it('let the host run between slices of a large text', () => {
    const text = `const a = "x";\n// TODO: one\n`.repeat(20_000);
    const steps = [...todosOf(text, 'typescript')];
    assert.ok(steps.filter(step => step === undefined).length >= Math.floor(text.length / 16_100));
    assert.equal(steps.filter(step => step !== undefined).length, 20_000);
  });

  it('are found in linear time in texts built to be slow', () => {
    const parts = ['"\\', '/*', '(*', '<!--', '${`', '<a "', '<<A\n', "'", '[', '{-', '--[', '`', '```\n', 'a: |\n '];
    const languages = ['typescript', 'rust', 'ocaml', 'html', 'shellscript', 'ruby', 'lua', 'haskell', 'markdown'];
    for (const part of parts)
      for (const language of [...languages, 'yaml', 'php']) {
        const text = `// TODO: x\n${part.repeat(10_000)}`;
        const start = performance.now();
        all(text, language);
        assert.ok(performance.now() - start < 2000, `${language} ${part}`);
      }
  });

  for (const [language, part, comment] of [
    ['javascript', ' ', '// TODO: x'],
    ['javascript', '/[', '// TODO: x'],
    ['javascript', '=/[/]', '// TODO: x'],
    ['cpp', '1', '// TODO: x'],
    ['csharp', '$"{', '// TODO: x'],
    ['elixir', '~s(', '# TODO: x'],
    ['haskell', '-', '-- TODO: x'],
    ['html', '<script ', '<!-- TODO: x -->'],
    ['markdown', '\t', '<!-- TODO: x -->'],
    ['perl', 'q{', '# TODO: x'],
    ['swift', '#', '// TODO: x'],
    ['yaml', ' ', '# TODO: x'],
  ] as const)
    it(`are found in ${language} however long a line of ${JSON.stringify(part)} is`, () => {
      assert.deepEqual(textsIn(`${comment}\n${part.repeat(1_000_000 / part.length)}>\n`, language), ['x']);
    });

  it('are found in one line of a megabyte, and after many others', () => {
    for (const sign of [' ', '*', '-', '\t']) {
      assert.deepEqual(textsIn(`/* TODO ${sign.repeat(1_000_000)}x */\n// TODO y`), ['y']);
      const lines = `// ${sign.repeat(990)}x TODO ${sign.repeat(990)}y\n`.repeat(1000);
      assert.deepEqual(textsIn(`${lines}// TODO z`), ['z']);
    }
  });

  it('are found in nested languages, as deep as anyone writes them', () => {
    const deep = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);
    assert.equal(textsIn(deep('(<a>{', '/* TODO: x */}</a>)', 10), 'javascript').length, 10);
    for (const [language, open, close] of [
      ['javascript', '(<a>{', '}</a>)'],
      ['csharp', '$"{', '}"'],
      ['shellscript', 'cat <<A ', '\nA'],
    ] as const)
      assert.deepEqual(textsIn(`// TODO: x\n# TODO: x\n${deep(open, close, 20_000)}`, language), ['x']);
    const documents = Array.from({ length: 50_000 }, (_, at) => `cat <<A${at}\n`).join('');
    assert.deepEqual(textsIn(`${documents}# TODO: x`, 'shellscript'), ['x']);
  });

  it('never reach past the text, and never overlap', () => {
    const signs = [
      '"',
      "'",
      '`',
      '/*',
      '*/',
      '//',
      '#',
      '\n',
      ' ',
      '${',
      '}',
      '\\',
      'x',
      '<<E',
      'E',
      '"""',
      '--',
      '{-',
    ];
    const languages = [
      'typescript',
      'python',
      'ruby',
      'shellscript',
      'yaml',
      'rust',
      'haskell',
      'html',
      'php',
      'csharp',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...signs, '-}', '|', ':'), { maxLength: 60 }),
        fc.constantFrom(...languages),
        (parts, name) => {
          const text = parts.join('');
          let end = 0;
          for (const comment of commentsOf(text, name)) {
            if (!comment) continue;
            assert.ok(comment.from >= end && comment.to > comment.from && comment.to <= text.length);
            end = comment.to;
          }
        },
      ),
    );
  });
});
