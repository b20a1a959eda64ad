import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Comment {
  readonly file: string;
  /** Without the signs of the comment, at its front and in front of its lines. */
  readonly text: string;
}

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(name => ending.test(name));

const scripts = ['src', 'media', 'scripts', 'bench', 'test'].flatMap(folder => filesIn(folder, /\.(?:ts|mjs|cjs|js)$/));
const docs = [
  ...filesIn('docs', /\.md$/).filter(name => !/whatsnew|quality/.test(name)),
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
];

/** A block, or lines of `//` below each other: `/** Why. *\/`, `// Why.`; not the slashes of `https://` or of a string. */
const comment = /(?<![\w*'"`/)\\])\/\*[\s\S]*?\*\/|(?<![:\w'"`\\])\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g;

/** A file's comments, and its text without them. */
function parted(file: string): { readonly file: string; readonly comments: readonly Comment[]; readonly code: string } {
  const comments: Comment[] = [];
  const code = readFileSync(file, 'utf8').replace(comment, found => {
    const text = found.replace(/^\/\*+|\*\/$/g, '').replace(/^[ \t]*(?:\*|\/\/)?[ \t]*/gm, '');
    comments.push({ file, text: text.trim() });
    return ' ';
  });
  return { file, comments, code };
}

const sources = [...scripts, 'esbuild.js'].map(parted);
const comments = sources.flatMap(source => source.comments);

/** Every word of the code, styles, manifest and texts: a name is one of them, or belongs to something else. */
const known = new Set(
  [
    ...sources.map(({ code }) => code),
    ...[...filesIn('media', /\.css$/), 'package.json', 'package.nls.json'].map(name => readFileSync(name, 'utf8')),
  ]
    .join('\n')
    .match(/[A-Za-z_$][\w$]*/g),
);

/** Names of CLDR, VS Code, Node.js and Playwright that the code does not use. */
const foreign = new Set([
  'weekData',
  'weekendStart',
  'minDays',
  'needsConfirmation',
  'enableCompileCache',
  'innerText',
]);

/** The parts of a name in backquotes that look like code: `namesIn`, `known.matchAll()`; any name of a `{@link …}`. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`|\{@link ([^}]+)\}/g)].flatMap(([, quoted, link]) => {
    const name = /^#?([A-Za-z_$][\w$]*(?:\.#?[A-Za-z_$][\w$]*)*)(?:\(.*\))?$/.exec((quoted ?? link!).trim())?.[1];
    if (!name || /\.(?:[cm]?[jt]s|md|json|css|html)$/.test(name)) return [];
    const parts = name.split('.').map(part => part.replace('#', ''));
    return link ? parts : parts.filter(part => /[a-z][A-Z]|[A-Z][a-z]+[A-Z]/.test(part));
  });
}

/** `it('reads a file', …`, also over two lines; of a template, all of it. */
const title = /\b(?:describe|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g;

describe('titles of tests', () => {
  const titles = sources.flatMap(({ file, code }) =>
    file.startsWith('test') ? [...code.matchAll(title)].map(([, , words]) => ({ file, words: words! })) : [],
  );

  it('are found', () => assert.ok(titles.length > 3000, `${titles.length} titles`));

  it('begin with a verb or a noun, as what they promise does', () => {
    const odd = titles.filter(({ words }) => /^(?:Of|Where|Whether|What|Who|As|Which)\b/.test(words));
    assert.deepEqual(odd, []);
  });
});

describe('comments', () => {
  it('are found', () => assert.ok(comments.length > 5000 && comments.some(({ text }) => text.startsWith('A '))));

  it('have sentences that begin with a subject or a verb, so that they need no second reading', () => {
    const sentences = comments.flatMap(({ file, text }) =>
      text
        .replace(/\s+/g, ' ')
        .split(/(?<=[.!?:;]) /)
        .map(sentence => `${file}: ${sentence.slice(0, 80)}`),
    );
    const dialect = sentences.filter(sentence => /: (?:Of|Where|Whether|What|Who|As|Which)\b/.test(sentence));
    assert.deepEqual(dialect, []);
  });

  it('and docs name only what exists in the code', () => {
    assert.deepEqual(namesIn('`oneName`, `Some.otherName(x)`, `plain`, `a.ts`, {@link plain}'), [
      'oneName',
      'otherName',
      'plain',
    ]);
    const texts = [
      ...comments,
      ...docs.map(file => ({ file, text: readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '') })),
    ];
    const stale = texts.flatMap(({ file, text }) =>
      namesIn(text).flatMap(name => (known.has(name) || foreign.has(name) ? [] : `${file}: ${name}`)),
    );
    assert.deepEqual(stale, []);
  });
});
