import assert from 'node:assert/strict';
import { addedLines } from '../../../src/core/code/unifiedDiff';

const read = (diff: string) =>
  Object.fromEntries(
    [...addedLines(diff)].map(([path, lines]) => [path, lines.map(({ line, text }) => `${line} ${text}`)]),
  );

describe('added lines of a diff', () => {
  it('are listed by file, with their numbers after the change', () => {
    const diff = `diff --git a/src/one.ts b/src/one.ts
index 1..2 100644
--- a/src/one.ts
+++ b/src/one.ts
@@ -1,4 +1,5 @@ class A
 same
-old
+new
+++ looks like a header
 same

@@ -20 +21,2 @@
-last
+last
+more
\\ No newline at end of file
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/new file.ts b/new file.ts
new file mode 100644
--- /dev/null
+++ b/new file.ts\t
@@ -0,0 +1,2 @@
+one
+two
`;
    assert.deepEqual(read(diff), {
      'src/one.ts': ['1 new', '2 ++ looks like a header', '20 last', '21 more'],
      'new file.ts': ['0 one', '1 two'],
    });
  });

  it('are read with CRLF, unusual names, renames, binary files, and any prefix of git', () => {
    const diff = [
      'diff --git "a/\\303\\274 \\"x\\".ts" "b/\\303\\274 \\"x\\".ts"',
      '--- "a/\\303\\274 \\"x\\".ts"',
      '+++ "b/\\303\\274 \\"x\\".ts"',
      '@@ -1 +1 @@',
      '-a\r',
      '+b\r',
      'diff --git a/old.ts b/renamed.ts',
      'similarity index 100%',
      'rename from old.ts',
      'rename to renamed.ts',
      'diff --git a/x.png b/x.png',
      'Binary files a/x.png and b/x.png differ',
      'diff --git i/c.ts w/c.ts',
      '--- i/c.ts',
      '+++ w/c.ts',
      '@@ -0,0 +1 @@',
      '+c',
      'diff --git b/d.ts b/d.ts',
      '--- b/d.ts',
      '+++ b/d.ts',
      '@@ -1,0 +2 @@',
      '+d',
    ].join('\n');
    assert.deepEqual(read(diff), { 'ü "x".ts': ['0 b'], 'c.ts': ['0 c'], 'b/d.ts': ['1 d'] });
  });

  it('are found in a file whose name is as long as the diff', () => {
    const name = 'a'.repeat(500_000);
    const names = [name, `"${name}"`, `${name}${'\t'.repeat(500_000)}\r.`];
    for (const each of names)
      assert.deepEqual(read(`--- /dev/null\n+++ ${each}\n@@ -0,0 +1 @@\n+b`), { [name]: ['0 b'] });
  });

  it('are none in a text that is no diff', () => {
    for (const text of ['', 'nothing', '+++ b/x', '@@ -1 +1 @@\n+x'])
      assert.deepEqual(Object.values(read(text)).flat(), []);
  });
});
