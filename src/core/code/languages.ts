/** How a language writes comments, and what only looks like one: in the order in which they are tried. */
export interface Syntax {
  readonly pieces: readonly Piece[];
  /** All of them as one pattern, and the group of each. */
  readonly pattern: RegExp;
  readonly groups: readonly number[];
}

export interface Piece {
  /**
   * A whole comment or string; the beginning of a comment that may have others inside, of a template, of a here-document,
   * of a YAML block, of an element of JSX, of a string that has to end; or a part in another language.
   */
  readonly kind:
    | 'comment'
    | 'string'
    | 'nested'
    | 'template'
    | 'interpolated'
    | 'heredoc'
    | 'block'
    | 'jsx'
    | 'closed'
    | 'part';
  readonly source: string;
  /** For a string that has to end: the characters after its beginning. */
  readonly rest?: string;
  readonly isOnLine?: boolean;
  /** The end of a nested comment. */
  readonly close?: string;
  /** The language of an embedded part. */
  readonly language?: string;
}

const comment = (source: string): Piece => ({ kind: 'comment', source });
const string = (source: string): Piece => ({ kind: 'string', source });
const nestedComment = (source: string, close: string): Piece => ({ kind: 'nested', source, close });
/** Without its end it is none: then its beginning is a sign of something else. */
const closed = (source: string, rest: string, isOnLine = false): Piece => ({ kind: 'closed', source, rest, isOnLine });
const part = (source: string, language: string): Piece => ({ kind: 'part', source, language });

/** Up to `close`, or to the end of the text. */
const until = (open: string, close: string) => `${open}[^]*?(?:${close}|$(?![^]))`;
/** On one line, or (`isLong`) on several; `\` takes the next character along. */
const quoted = (quote: string, isLong = false) => {
  const plain = isLong ? `[^${quote}\\\\]*` : `[^${quote}\\\\\\n]*`;
  return `${quote}${plain}(?:\\\\[^]${plain})*${quote}?`;
};
/** A quote that closes is written twice inside. */
const doubledQuoteString = (quote: string) => `${quote}[^${quote}]*(?:${quote}${quote}[^${quote}]*)*${quote}?`;

const before = '(?:^|=>|[=(,:[!&|?{};+*%~^-]|\\b(?:return|case|typeof|in|of|and|or|not|if|unless|when))[ \\t]*';

/**
 * `source`, which begins with `sign`, after `preceding`. The sign is matched first: otherwise the text behind every
 * character of a long line would be searched again and again.
 */
const behind = (preceding: string, sign: string, source = sign) => `(?=${sign})(?<=${preceding})${source}`;

/**
 * The positions at which a value of YAML begins: elsewhere an apostrophe is only that. After a comma, which is in
 * sentences too, the string ends on its line.
 */
const yaml = (quote: string) =>
  `(?=${quote})(?:(?<=^[ \\t]*|(?:^|[ \\t])[:?-][ \\t]+|:[ \\t]+|["']:|[[{][ \\t]*|[!&]\\S+[ \\t]+)${quote === '"' ? quoted(quote, true) : doubledQuoteString(quote)}|(?<=,[ \\t]*)${quote}[^${quote}\\n]*${quote})`;

/** The words of the table below. */
const pieces: Readonly<Record<string, Piece>> = {
  '//': comment('//.*'),
  '#': comment('#.*'),
  // At the beginning of a word: `${name#prefix}`, `url#fragment` and colors are none.
  '.#': comment('(?<![^\\s;|&(){}])#.*'),
  // Not `#[Attribute]`.
  'php#': comment('#(?!\\[).*'),
  '^#': comment(behind('^[ \\t]*', '#', '#.*')),
  '^;': comment(behind('^[ \\t]*', ';', ';.*')),
  '^"': comment(behind('^[ \\t]*', '"', '".*')),
  $: comment('(?<![$&\\\\?])#.*'),
  ';': comment('(?<![\\\\?]);.*'),
  '%': comment('(?<![\\\\$])%.*'),
  '!': comment('!.*'),
  '--': comment('--.*'),
  '--.': comment('(?<!-)--+(?![!#$%&*+./<=>?@\\\\^|~:-]).*'),
  "'": comment("'.*"),
  rem: comment(behind('^[ \\t]*@?', '[rR:]', '(?:[rR][eE][mM]\\b|::).*')),
  '*>': comment('\\*>.*'),
  '/**/': comment(until('/\\*', '\\*/')),
  '<!--': comment(until('<!--', '-->')),
  '--[[': comment('--\\[(=*)\\[[^]*?(?:\\]\\1\\]|$(?![^]))'),
  '#[[': comment('#\\[(=*)\\[[^]*?(?:\\]\\1\\]|$(?![^]))'),
  '%{': comment(until(behind('^[ \\t]*', '%', '%\\{[ \\t]*$'), '^[ \\t]*%\\}')),
  '<#': comment(until('<#', '#>')),
  '###': comment(until('###(?!#)', '###')),
  '{}': comment(until('\\{', '\\}')),
  '{#': comment(until('\\{#', '#\\}')),
  '{{!': comment(until('\\{\\{~?!', '\\}\\}')),
  '@*': comment(until('@\\*', '\\*@')),
  '=begin': comment(until('^=begin\\b', '^=end\\b')),
  '/*/*': nestedComment('/\\*', '*/'),
  '/+': nestedComment('/\\+', '+/'),
  '{-': nestedComment('\\{-', '-}'),
  '(*': nestedComment('\\(\\*(?!\\))', '*)'),
  '#|': nestedComment('#\\|', '|#'),
  '#=': nestedComment('#=', '=#'),
  '#[': nestedComment('#\\[', ']#'),

  '""': string(quoted('"')),
  "''": string(quoted("'")),
  '"…"': string(quoted('"', true)),
  "'…'": string(quoted("'", true)),
  '"""': string(until('"""', '"""')),
  "'''": string(until("'''", "'''")),
  '"2': string(doubledQuoteString('"')),
  "'2": string(doubledQuoteString("'")),
  '@"': string(`@${doubledQuoteString('"')}`),
  '`': string('`[^`]*`?'),
  // Not the one between the digits of a number.
  "c'": string(`(?=')(?<!\\b\\d[\\w']{0,60})${quoted("'")}`),
  'y"': string(yaml('"')),
  "y'": string(yaml("'")),
  // One character, in languages in which a quote alone is part of a name, a lifetime or an operator.
  "'c'": string("'(?:\\\\[^'\\n]*|[^'\\\\\\n])'"),
  "x'": string("(?<![\\w)\\]}'.])'[^'\\n]*'?"),
  'R"': string('\\bR"([^\\s()\\\\]{0,16})\\([^]*?(?:\\)\\1"|$(?![^]))'),
  'r#': string('\\bb?r(#+)"[^]*?(?:"\\1|$(?![^]))'),
  '#"': string('(?<!#)(#+)"[^]*?(?:"\\1|$(?![^]))'),
  '[[': string('\\[(=*)\\[[^]*?(?:\\]\\1\\]|$(?![^]))'),
  '{|': string('\\{(\\w*)\\|[^]*?(?:\\|\\1\\}|$(?![^]))'),
  $$: string('\\$(\\w*)\\$[^]*?(?:\\$\\1\\$|$(?![^]))'),
  '@@': string('@(["\'])[ \\t]*\\r?\\n[^]*?(?:^[ \\t]*\\1@|$(?![^]))'),
  '`"': string('"[^"`]*(?:(?:`[^]|"")[^"`]*)*"?'),
  "2'": string(until("''", "''(?![$'\\\\])")),
  '\\\\': string('\\\\\\\\.*'),
  're/': closed(
    behind(before, '/', '/(?![*/])'),
    '[^\\\\/[\\n]*(?:(?:\\\\.|\\[[^\\]\\\\\\n]*(?:\\\\.[^\\]\\\\\\n]*)*\\])[^\\\\/[\\n]*)*/[a-z]*',
    true,
  ),
  '%q': closed('%[qQwWiIr]?(?=[([{<|])', '\\([^)]*\\)|\\[[^\\]]*\\]|\\{[^}]*\\}|<[^>]*>|\\|[^|]*\\|'),
  q: closed('\\bq[qwrx]?[ \\t]*(?=[([{<|/])', '\\([^)]*\\)|\\[[^\\]]*\\]|\\{[^}]*\\}|<[^>]*>|/[^/\\n]*/|\\|[^|]*\\|'),
  '=pod': string(until('^=(?:pod|head\\d|over|item|begin|for|encoding)\\b', '^=cut\\b')),
  '~s': closed('~[a-zA-Z](?=["([{/])', '"""[^]*?"""|\\([^)]*\\)|\\[[^\\]]*\\]|\\{[^}]*\\}|/[^/\\n]*/|"[^"\\n]*"'),
  'url(': string('\\burl\\([^)\\n]*\\)?'),
  cdata: string(until('<!\\[CDATA\\[', '\\]\\]>')),
  tag: string('</?[a-zA-Z][^<>"\']*(?:"[^"]*"[^<>"\']*|\'[^\']*\'[^<>"\']*)*>?'),
  fence: string('(?=[`~])(?<=^[ \\t]*)(`{3,}|~{3,})[^\\n]*\\n[^]*?(?:^[ \\t]*\\1|$(?![^]))|`[^`\\n]*`'),
  verb: string('\\\\verb\\*?(\\W)[^\\n]{0,2000}?\\1'),

  '${': { kind: 'template', source: '`' },
  '$"': { kind: 'interpolated', source: '(?:\\$@?|@\\$)"(?!"")' },
  jsx: { kind: 'jsx', source: behind(before, '<', '<(?:[A-Za-z][\\w.:-]*(?=[\\s/>])|(?=>))') },
  '<<': { kind: 'heredoc', source: '(?<!<)<<[-~]?(?:"\\w+"|\'\\w+\'|[A-Za-z_]\\w*)' },
  '<<<': { kind: 'heredoc', source: '<<<[ \\t]*(?:"\\w+"|\'\\w+\'|[A-Za-z_]\\w*)' },
  '|': { kind: 'block', source: '(?=[|>])(?<=[:-][ \\t]+)[|>][-+\\d]*[ \\t]*(?=(?: #.*)?\\r?$)' },

  script: part('<script\\b(?:[^<>"\']|"[^"]*"|\'[^\']*\')*>[^]*?(?:</script|$(?![^]))', 'typescript'),
  style: part('<style\\b(?:[^<>"\']|"[^"]*"|\'[^\']*\')*>[^]*?(?:</style|$(?![^]))', 'scss'),
  '<?': part('<\\?(?:php|=)[^]*?(?:\\?>|$(?![^]))', 'php-code'),
};

/**
 * Language ids as VS Code has them, the endings of their files, and their pieces. If pieces begin alike, the
 * longer one comes first.
 */
const table = `
c cpp cuda-cpp objective-c objective-cpp: c h cc cpp cxx hh hpp hxx ino cu m mm: // /**/ R" "" c'
csharp: cs: // /**/ """ $" @" "" ''
java: java: // /**/ """ "" ''
javascript javascriptreact typescriptreact: js jsx mjs cjs tsx: // /**/ jsx re/ "" '' \${
typescript: ts mts cts: // /**/ re/ "" '' \${
vue svelte astro html: vue svelte astro html htm xhtml: <!-- script style tag
php-code:: // /**/ <<< php# "…" '…'
php: php phtml: <!-- <? script style tag
handlebars: hbs handlebars mustache: {{! <!-- script style tag
twig jinja: twig jinja j2: {# <!-- script style tag
razor: cshtml razor: @* <!-- script style tag
xml xsl: xml xsd xsl xslt svg plist csproj xaml: <!-- cdata tag
markdown: md markdown: fence <!--
python: py pyi pyw: # """ ''' "" ''
go: go: // /**/ "" '' \`
rust: rs: // /*/* r# "…" 'c'
swift: swift: // /*/* #" """ ""
kotlin: kt kts: // /*/* """ "" 'c'
scala: scala sc sbt: // /*/* """ "" 'c'
groovy: groovy gradle: // /**/ """ ''' "" ''
dart: dart: // /*/* """ ''' "" ''
d: d: // /**/ /+ \` "…" 'c'
zig: zig: // \\\\ "" ''
solidity: sol: // /**/ "" ''
proto3 proto: proto: // /**/ "" ''
verilog systemverilog: v sv svh: // /**/ ""
glsl hlsl wgsl shaderlab: glsl vert frag hlsl wgsl shader: // /**/ ""
css: css: /**/ url( "" ''
scss less sass stylus: scss less sass styl: /**/ url( // "" ''
jsonc json5: jsonc json5: // /**/ "" ''
ruby crystal: rb rake gemspec cr: =begin << %q re/ # "…" '…' \`
perl: pl pm t: =pod << q re/ $ "…" '…'
elixir: ex exs: """ ''' ~s $ "…" 'c'
shellscript: sh bash zsh ksh: << .# "…" '2
fish: fish: .# "…" '…'
powershell: ps1 psm1 psd1: <# @@ .# \`" '2
bat: bat cmd: rem
makefile: mk: .#
dockerfile: dockerfile: << ^#
terraform hcl: tf tfvars hcl: << // /**/ # ""
yaml: yaml yml: | .# y" y'
toml: toml: """ ''' # "" ''
ini properties: ini cfg conf properties editorconfig: ^# ^;
cmake: cmake: #[[ [[ # "…"
r: r rmd: # "…" '…' \`
julia: jl: """ #= # "…" 'c'
nim: nim: """ #[ # ""
nix: nix: /**/ 2' # "…"
coffeescript: coffee: """ ''' ### # "…" '…'
graphql: graphql gql: """ # ""
tcl: tcl: .# "…"
awk: awk: re/ # ""
gherkin feature: feature: """ ^#
lua: lua: --[[ -- [[ "" ''
sql: sql ddl: -- /**/ $$ '2 "2
haskell purescript: hs purs: {- --. "" 'c'
elm: elm: {- -- """ "" 'c'
ada: adb ads: -- "2 'c'
vhdl: vhd vhdl: -- "2 'c'
ocaml: ml mli: (* {| "…" 'c'
fsharp: fs fsi fsx: (* // """ $" @" "" 'c'
pascal: pas pp dpr: // (* {} '2
clojure: clj cljs cljc edn: ; "…"
lisp scheme commonlisp elisp racket: lisp cl el scm ss rkt: #| ; "…"
erlang: erl hrl: % "…" '…'
prolog: prolog: % /**/ "…" '…'
matlab octave: mat octave: %{ % "" x'
latex tex: tex sty cls: verb %
fortran: f90 f95 f03 f08: ! "2 '2
vb: vb bas vbs: "2 '
vim: vim vimrc: ^"
asm: asm s nasm: ; // /**/ "" ''
cobol: cob cbl cpy: *> "2 '2
`;

let byName:
  | { readonly languages: ReadonlyMap<string, string>; readonly endings: ReadonlyMap<string, string> }
  | undefined;
const known = new Map<string, Syntax>();

function readTable(): NonNullable<typeof byName> {
  const languages = new Map<string, string>();
  const endings = new Map<string, string>();
  for (const row of table.trim().split('\n')) {
    const [, names, files, words] = /^([^:]*):([^:]*): (.*)$/.exec(row)!;
    for (const name of names!.split(' ')) languages.set(name, words!);
    for (const ending of files!.trim().split(' ')) if (ending !== '') endings.set(ending, names!.split(' ')[0]!);
  }
  return { languages, endings };
}

const bySpecialName: Readonly<Record<string, string>> = {
  makefile: 'makefile',
  gnumakefile: 'makefile',
  dockerfile: 'dockerfile',
  'cmakelists.txt': 'cmake',
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.vimrc': 'vim',
  '.bashrc': 'shellscript',
  '.zshrc': 'shellscript',
};

/** The language of a file whose text no editor has opened; undefined if none is known. */
export function languageOf(path: string): string | undefined {
  byName ??= readTable();
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return bySpecialName[name] ?? (name.includes('.') ? byName.endings.get(ending) : undefined);
}

export function syntaxOf(language: string): Syntax | undefined {
  byName ??= readTable();
  const words = byName.languages.get(language);
  if (words === undefined) return undefined;
  let syntax = known.get(words);
  if (!syntax) {
    syntax = syntaxWith(words.split(' ').map(name => pieces[name]!));
    known.set(words, syntax);
  }
  return syntax;
}

/** A group for each piece; the references to groups inside it are counted on. */
function syntaxWith(found: readonly Piece[]): Syntax {
  let next = 1;
  const groups = found.map(({ source }) => {
    const group = next;
    next += new RegExp(`${source}|`).exec('')!.length;
    return group;
  });
  const sources = found.map(
    ({ source }, at) => `(${source.replace(/\\([1-9])/g, (_, number) => `\\${groups[at]! + Number(number)}`)})`,
  );
  return { pieces: found, groups, pattern: new RegExp(sources.join('|'), 'gm') };
}
