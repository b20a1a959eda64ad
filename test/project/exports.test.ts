import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const folders = ['src', 'media', 'test', 'bench', 'scripts'];
const texts = new Map(
  folders
    .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
    .filter(name => /\.(ts|mjs|cjs)$/.test(name))
    .map(name => [name, readFileSync(name, 'utf8')] as const),
);

/**
 * Files that something outside needs: the editor, a program that uses the interface, the build that puts one flavor's
 * file in the place of another's, or the benchmark, which takes its parts by their names.
 */
const isEntry = (file: string) =>
  ['src/extension.ts', 'src/door.ts', 'src/api.ts', 'test/host/index.ts'].includes(file) ||
  /\.offline\.ts$|^src\/engine\/flavor\/|^src\/app\/(full|offline)\.ts$|^bench\/\w+\.ts$/.test(file);

/** The names that a file declares and exports; `export {…} from` hands on what another file exports. */
const exportsOf = (text: string): string[] =>
  [...text.matchAll(/^export\s+(?:async\s+|abstract\s+)*(?:function\*?|const|let|class|interface|type)\s+(\w+)/gm)].map(
    match => match[1]!,
  );

/**
 * The names that `import … from` takes out of a file: of one that gets a name, those that the text reads of it; `*`
 * stands for all.
 */
function namesIn(clause: string, text: string): string[] {
  const whole = /^\* as (\w+)$/.exec(clause)?.[1];
  if (whole) return [...text.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g'))].map(member => member[1]!);
  const braces = /\{([^}]*)\}/.exec(clause)?.[1];
  const bare = (name: string) => name.trim().replace(/^type\s+/, '');
  return braces?.split(',').map(name => bare(name).split(/\s+as\s+/)[0]!) ?? ['*'];
}

/** `file name` of everything that is imported; `file *` if a file is imported as a whole. */
function imported(): Set<string> {
  const found = new Set<string>();
  for (const [file, text] of texts) {
    const sources = (spec: string) => {
      const path = normalize(join(dirname(file), spec));
      return [path, `${path}.ts`].find(name => texts.has(name));
    };
    for (const match of text.matchAll(/(?:import|export)\s+(?:type\s+)?([^;'"]*?)\s*from\s*'(\.[^']+)'/g)) {
      const source = sources(match[2]!);
      if (!source) continue;
      for (const name of namesIn(match[1]!, text)) found.add(`${source} ${name}`);
    }
    for (const match of text.matchAll(/\b(?:import|require)\('(\.[^']+)'\)/g)) found.add(`${sources(match[1]!)} *`);
  }
  return found;
}

describe('exports', () => {
  it('are each imported somewhere', () => {
    const used = imported();
    const idle = [...texts]
      .filter(([file]) => !isEntry(file))
      .flatMap(([file, text]) => exportsOf(text).map(name => `${file} ${name}`))
      .filter(name => !used.has(name) && !used.has(`${name.split(' ')[0]} *`));
    assert.deepEqual(idle, [], `Import these where they are used, or do not export them: ${idle.join(', ')}`);
  });

  it('are found by this test', () => {
    assert.ok(existsSync('src/core/time/dates.ts') && imported().has('src/core/time/dates.ts wallOf'));
  });
});
