import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type Anchor, anchorsOf, fileLinksOf, isFromTodo, withAnchors } from '../../../src/core/code/anchors';
import {
  fingerprintAt,
  formatFingerprint,
  indexText,
  lettersIn,
  lineHash,
  parseFingerprint,
} from '../../../src/core/code/fingerprint';
import {
  branchOf,
  hashedPath,
  isHashedPath,
  normalizeRemote,
  plainPath,
  remotesOf,
  renameCandidates,
  repositoryOf,
} from '../../../src/core/code/repository';
import { foldLine, readLines } from '../../../src/core/lines/contentLines';

const row = (...lines: string[]) => ({ unknownProperties: lines.length > 0 ? JSON.stringify(lines) : null });
const hash = fc.integer({ min: 0, max: 0xfffffff });
const side = fc.array(hash, { minLength: 5, maxLength: 5 });
const fingerprint = fc.record({ line: hash, before: side, after: side }, { noNullPrototype: true });

describe('anchors', () => {
  it('take one line of the VTODO each', () => {
    const text = 'one\ntwo\n\nthree\n';
    const anchor: Anchor = {
      repo: '0123456789ab',
      path: 'src/a b.ts',
      line: 1,
      fingerprint: fingerprintAt(indexText(text), 1)!,
    };
    const [line] = JSON.parse(withAnchors(row(), { add: [anchor] })!);
    assert.match(
      line,
      /^X-DUELINE-ANCHOR;V=1;REPO=0123456789ab;PATH=src\/a b\.ts;LINE=2:(0{7}){4}[\da-f]{21}(0{7}){4}$/,
    );
    assert.equal(line.split(':')[1].length, 77);
    assert.deepEqual(anchorsOf(row(line)), [{ ...anchor, source: line }]);
  });

  it('survive folding in a file, whatever their path', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: fc.constantFrom(...'ab/ü漢😀 ;:,"^\'#=.\\n~%+') }),
        fc.nat(99_999),
        fingerprint,
        (path, line, print) => {
          const anchor = { repo: 'fedcba987654', path: plainPath(path), line, fingerprint: print };
          if (plainPath(path) === '') return;
          const raw: string[] = JSON.parse(withAnchors(row(), { add: [anchor] })!);
          const folded = raw.map(text => foldLine(text, '\r\n')).join('');
          for (const physical of folded.split('\r\n')) assert.ok(Buffer.byteLength(physical) <= 75);
          const back = readLines(folded).map(({ text }) => text);
          assert.deepEqual(anchorsOf(row(...back)), [{ ...anchor, source: back[0] }]);
        },
      ),
    );
  });

  it('mark a task as made from a comment until its location is replaced', () => {
    const anchor: Anchor = { repo: '0123456789ab', path: 'a.ts', line: 2, isTodo: true };
    const [line] = JSON.parse(withAnchors(row(), { add: [anchor] })!);
    assert.equal(line, 'X-DUELINE-ANCHOR;V=1;REPO=0123456789ab;PATH=a.ts;LINE=3;SOURCE=TODO:0');
    assert.deepEqual(anchorsOf(row(line)), [{ ...anchor, source: line }]);
    assert.ok(isFromTodo(row(line)));
    const [again] = JSON.parse(withAnchors(row(line), { replace: [{ source: line, by: anchor }] })!);
    assert.equal(again, line);
    const [bare] = JSON.parse(
      withAnchors(row(line), { replace: [{ source: line, by: { ...anchor, isTodo: false } }] })!,
    );
    assert.ok(!isFromTodo(row(bare)));
  });

  const known = 'X-DUELINE-ANCHOR;V=1;REPO=0123456789ab;PATH=a.ts;LINE=3;X-NOTE="a:b":';
  const newer = 'X-DUELINE-ANCHOR;V=2;REPO=0123456789ab;PATH=a.ts;COLUMN=4:zzz';
  const damaged = 'X-DUELINE-ANCHOR;V=1;REPO=nobody:x';
  const foreign = 'X-OTHER;V=1:x';

  it('of other versions, and damaged ones, are kept as they are but not read', () => {
    const task = row(newer, known, damaged, foreign);
    assert.deepEqual(
      anchorsOf(task).map(({ source }) => source),
      [known],
    );
    const moved = withAnchors(task, {
      replace: [{ source: known, by: { repo: '0123456789ab', path: 'b.ts', line: 8 } }],
    });
    assert.deepEqual(JSON.parse(moved!), [
      newer,
      'X-DUELINE-ANCHOR;X-NOTE="a:b";V=1;REPO=0123456789ab;PATH=b.ts;LINE=9:0',
      damaged,
      foreign,
    ]);
    assert.deepEqual(JSON.parse(withAnchors(task, { remove: [known] })!), [newer, damaged, foreign]);
  });

  it('can be several on a task, each location once', () => {
    const one = { repo: '0123456789ab', path: 'a.ts', line: 0 };
    const two = { repo: '0123456789ab', path: 'b.ts' };
    const task = { unknownProperties: withAnchors(row(), { add: [one, two, one] }) };
    assert.deepEqual(
      anchorsOf(task).map(({ source: _, ...anchor }) => anchor),
      [one, two],
    );
    assert.equal(withAnchors(task, { remove: anchorsOf(task).map(({ source }) => source) }), null);
    assert.equal(withAnchors(task, {}), task.unknownProperties);
  });

  it('are read from existing links to files', () => {
    const description = 'see [notes](file:///home/a/notes.md#L12) and https://example.com/#L3';
    assert.deepEqual(fileLinksOf({ url: 'file:///home/a/b.ts#L1', description }), [
      { source: 'file:///home/a/b.ts#L1', uri: 'file:///home/a/b.ts', line: 0 },
      { source: 'file:///home/a/notes.md#L12', uri: 'file:///home/a/notes.md', line: 11 },
    ]);
    assert.deepEqual(fileLinksOf({ url: 'vscode-remote://ssh%2Bhost/a.ts', description: null }), [
      { source: 'vscode-remote://ssh%2Bhost/a.ts', uri: 'vscode-remote://ssh%2Bhost/a.ts' },
    ]);
  });
});

describe('fingerprints', () => {
  it('do not depend on white space or line ends', () => {
    const one = indexText('if (a) {\n  b();\n\n\n  c();\n}\n');
    const two = indexText('\ufeffif(a){\r\n\tb( );\r\n\tc();\r\n}');
    assert.deepEqual(fingerprintAt(two, 1), fingerprintAt(one, 1));
    assert.equal(one.lineCount, 7);
    assert.equal(two.lineCount, 4);
  });

  it('of a blank line are those of the next line with code', () => {
    const index = indexText('first\n\nsecond\n\n');
    assert.deepEqual(fingerprintAt(index, 1), fingerprintAt(index, 2));
    assert.deepEqual(fingerprintAt(index, 4), fingerprintAt(index, 2));
    assert.equal(fingerprintAt(indexText(' \n\t\n'), 0), undefined);
  });

  it('exist for no line of a text above 2 MB', () => {
    assert.equal(fingerprintAt(indexText(`${'x\n'.repeat(1 << 20)}y`), 0), undefined);
  });

  it('are parsed only in the form in which they are written', () => {
    fc.assert(fc.property(fingerprint, print => assert.deepEqual(parseFingerprint(formatFingerprint(print)), print)));
    for (const text of ['', 'abc', 'g'.repeat(77), '0'.repeat(78)]) assert.equal(parseFingerprint(text), undefined);
  });

  it('hash distinct lines to distinct values, never to the mark of an edge', () => {
    const hashes = new Set(Array.from({ length: 20_000 }, (_, index) => lineHash(`  call(${index});`)));
    assert.ok(hashes.size > 19_990 && !hashes.has(0));
    assert.equal(lettersIn('  });'), 0);
    assert.equal(lettersIn('naïve 漢字 x_1'), 8);
  });
});

describe('repositories', () => {
  const sameName = [
    'https://github.com/Owner/Name.git',
    'https://user:token@github.com/owner/name',
    'git@github.com:owner/name.git',
    'ssh://git@github.com:22/owner/name.git/',
    'ssh://git@ssh.github.com:443/owner/name.git',
    'git://github.com/owner/name',
    'github.com:/owner/name',
  ];

  for (const url of sameName)
    it(`${url} is github.com/owner/name`, () => assert.equal(normalizeRemote(url), 'github.com/owner/name'));

  it('are the same by ssh and https even if a forge changes one of the addresses', () => {
    assert.equal(normalizeRemote('https://git.example.com/scm/team/app.git'), 'git.example.com/team/app');
    assert.equal(normalizeRemote('ssh://git@git.example.com:7999/team/app.git'), 'git.example.com/team/app');
    assert.equal(normalizeRemote('https://dev.azure.com/org/project/_git/app'), 'dev.azure.com/org/project/app');
    assert.equal(normalizeRemote('git@ssh.dev.azure.com:v3/org/project/app'), 'dev.azure.com/org/project/app');
    assert.equal(normalizeRemote('https://gitlab.com/group/sub/app.git'), 'gitlab.com/group/sub/app');
  });

  it('get no name from a path on disk', () => {
    for (const url of ['/srv/git/app.git', '../app', 'file:///srv/app.git', 'C:\\git\\app', '', 'https://host/'])
      assert.equal(normalizeRemote(url), undefined, url);
  });

  // An expression that goes back from each sign would take minutes or hours for each of these.
  for (const [parts, address, name] of [
    ['names before the host', `https://${'a@'.repeat(500_000)}host/x`, 'host/x'],
    ['names and no path', `https://${'a@'.repeat(500_000)}`, undefined],
    ['question marks', `host:x${'?'.repeat(500_000)}%0A`, 'host/x'],
    ['blanks', `host:x${' '.repeat(500_000)}y`, `host/x${' '.repeat(500_000)}y`],
  ] as const)
    it(`are read from an address with many ${parts}`, () => {
      assert.deepEqual(remotesOf(`[remote "a"]\n\turl = ${address}`), [address]);
      assert.equal(normalizeRemote(address), name);
    });

  it('are named by their first remote on a host, otherwise by their folder', () => {
    const one = repositoryOf(['/srv/mirror.git', 'git@host.org:a/b.git', 'https://host.org/c/d'], 'work');
    assert.deepEqual(one, { name: 'host.org/a/b', id: '6592ffe1c3ea' });
    assert.deepEqual(repositoryOf([], 'Work').name, 'folder:work');
  });

  it('list the remotes of git’s configuration in its order, and the branch of HEAD', () => {
    const config = `[core]\n\tbare = false\n\turl = no\n[remote "up stream"]\r\n\turl = "git@host.org:a/b.git"\r
\tfetch = +refs\n[Remote "origin"]\n  URL=https://host.org/c/d\n[branch "main"]\n\tremote = origin\n`;
    assert.deepEqual(remotesOf(config), ['git@host.org:a/b.git', 'https://host.org/c/d']);
    assert.equal(branchOf('ref: refs/heads/fix/race-dl-k3f9\n'), 'fix/race-dl-k3f9');
    assert.equal(branchOf('5b5c3a1e0c0f5c3a1e0c0f5c3a1e0c0f5c3a1e0c\n'), undefined);
  });

  it('hide paths behind a hash that cannot be computed from the path alone', () => {
    const [one, two] = [repositoryOf([], 'one'), repositoryOf([], 'two')];
    assert.equal(hashedPath(one, 'src\\a.ts'), hashedPath(one, './src/a.ts'));
    assert.notEqual(hashedPath(one, 'src/a.ts'), hashedPath(two, 'src/a.ts'));
    assert.ok(isHashedPath(hashedPath(one, 'a')) && !isHashedPath(plainPath(hashedPath(one, 'a'))));
  });

  it('list the files that a lost one may be now: files of its name, most similar folder first', () => {
    const paths = ['lib/a/index.ts', 'src/b/index.ts', 'src/a/other.ts', 'src/new/a/index.ts'];
    assert.deepEqual(renameCandidates('src/a/index.ts', paths), [
      'src/new/a/index.ts',
      'lib/a/index.ts',
      'src/b/index.ts',
    ]);
    const many = Array.from({ length: 200 }, (_, index) => `pkg${index}/index.ts`);
    assert.equal(renameCandidates('index.ts', many).length, 50);
  });
});

describe('SHA-256', () => {
  it('gives repositories and paths the same ids on every computer, because the ids are stored', () => {
    const one = repositoryOf(['git@host.org:a/b.git'], 'work');
    assert.equal(one.id, '6592ffe1c3ea');
    assert.equal(hashedPath(one, 'src/a.ts'), '#352602372dc8f9291f2653e4');
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: 'binary' }), name =>
        assert.equal(
          hashedPath({ name, id: '' }, 'a'),
          `#${createHash('sha256').update(`${name}\na`, 'utf8').digest('hex').slice(0, 24)}`,
        ),
      ),
    );
  });
});
