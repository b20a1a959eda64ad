// What a package holds, and nothing else: the one list. Paths are those inside the extension's folder.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { parse } from 'acorn';
import { minify_sync as minify } from 'terser';
import { bundlesFor, packedBundles } from '../l10n/bundles.mjs';
import { manifestOf, withShortKeys, wordFiles } from '../manifest.mjs';
import { root } from '../paths.mjs';
import { notesFor } from '../release/version.mjs';
import { noticesFor } from './packages.mjs';
import { readBytes } from './zip.mjs';

/** @typedef {import('../manifest.mjs').Flavor} Flavor */

/** Every entry of a package matches one of these. */
export const allowed = [
  /^package\.json$/,
  /^package\.nls(\.[a-z-]+)?\.json$/,
  /^l10n\/words\.json\.br$/,
  /^(README|CHANGELOG)\.md$/i,
  /^LICENSE(\.txt)?$/,
  /^THIRD-PARTY-NOTICES\.txt$/,
  /^dist\/(extension\.js|(main|later|shared|parts|command|sqlite)\.cjs)$/,
  /^dist\/[\w.]+\.worker\.cjs$/,
  /^dist\/(sql-wasm\.wasm\.br|whatsNew\.json)$/,
  /^dist\/media\/[\w.]+\.(js|css)$/,
  /^media\/.*\.(svg|png)$/,
  /^skills\/dueline\/SKILL\.md$/,
];

/** Without these it would not work; the full flavor has a command line too. */
export const needed = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'dist/extension.js',
  'dist/main.cjs',
  'dist/later.cjs',
  'dist/sqlite.cjs',
  'dist/snapshot.worker.cjs',
  'dist/sql-wasm.wasm.br',
  'dist/media/tasks.page.js',
  'dist/media/tasks.css',
  'dist/whatsNew.json',
  'media/icons/dueline.svg',
  'media/icon.png',
];

/** In bytes. */
export const largest = { full: 1_600_000, offline: 1_300_000 };

/**
 * Lays out a package's files.
 * @param {Flavor} flavor
 * @param {{built: string, inputs: Record<string, string[]>, folder: string, site?: string | undefined}} from `built`: a
 *   build's folder; `inputs`: what went into it, as esbuild.js writes it; `folder`: where the files go, emptied before;
 *   `site`: the repository's address, where it is known
 */
export function layOut(flavor, { built, inputs, folder, site }) {
  rmSync(folder, { recursive: true, force: true });
  const write = (/** @type {string} */ path, /** @type {string | Uint8Array} */ content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  /** @type {import('../manifest.mjs').Json} */
  const manifest = { ...manifestOf(flavor), ...(site && addresses(site)) };
  const spoken = withShortKeys(manifest, wordFiles(manifest));
  write('package.json', json(spoken.manifest));
  for (const [name, words] of Object.entries(spoken.files)) write(name, json(words));
  const readme = flavor === 'full' ? 'README.md' : 'docs/offline/README.md';
  write('README.md', readBytes(join(root, readme)));
  write('CHANGELOG.md', notesFor(flavor, readFileSync(join(root, 'CHANGELOG.md'), 'utf8')));
  write('LICENSE', readBytes(join(root, 'LICENSE')));
  const shipped = Object.entries(inputs).filter(([output]) => isShipped(output, flavor));
  write('THIRD-PARTY-NOTICES.txt', noticesFor(shipped.flatMap(([, files]) => files)));
  for (const [output] of shipped) {
    const name = output.slice(output.lastIndexOf('dist/') + 5);
    const script = readFileSync(join(built, name), 'utf8');
    write(
      `dist/${name.replace('offline/', '')}`,
      shorter(name.startsWith('media/') ? withoutIndents(script) : script, name !== 'sqlite.cjs'),
    );
  }
  write('dist/sql-wasm.wasm.br', brotli(readBytes(join(built, 'sql-wasm.wasm'))));
  for (const name of readdirSync(join(built, 'media')).filter(
    style => style.endsWith('.css') && isPageOf(style, flavor),
  ))
    write(`dist/media/${name}`, readBytes(join(built, 'media', name)));
  const shown = JSON.stringify(manifest);
  // A picture of a walkthrough goes with its step.
  const isShown = (/** @type {string} */ name) => !name.includes('walkthrough') || shown.includes(`media/${name}`);
  const pictures = readdirSync(join(root, 'media'), { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => /\.(svg|png)$/.test(name) && isShown(name));
  for (const name of pictures) cpSync(join(root, 'media', name), join(folder, 'media', name));
  for (const { path } of manifest.contributes.chatSkills ?? []) write(path, readBytes(join(root, path)));
  const notes = Object.entries(JSON.parse(readFileSync(join(built, 'whatsNew.json'), 'utf8')));
  write(
    'dist/whatsNew.json',
    json(Object.fromEntries(notes.map(([locale, text]) => [locale, notesFor(flavor, text)]))),
  );
  const files = shipped.flatMap(([, names]) => names).filter(name => /^(src|media)\/.*\.ts$/.test(name));
  write('l10n/words.json.br', brotli(new TextEncoder().encode(JSON.stringify(packedBundles(bundlesFor(files))))));
}

/** @param {string} site */
const addresses = site => ({
  repository: { type: 'git', url: `${site}.git` },
  bugs: { url: `${site}/issues` },
  homepage: `${site}#readme`,
});

/**
 * @param {string} output
 * @param {Flavor} flavor
 */
function isShipped(output, flavor) {
  const scripts = ['main', 'later', ...(flavor === 'full' ? ['shared', 'parts', 'command'] : [])];
  const ours = scripts.map(name => `dist/${flavor === 'full' ? '' : 'offline/'}${name}.cjs`);
  const isHost = ['dist/extension.js', 'dist/sqlite.cjs', ...ours].some(name => output.endsWith(name));
  return isHost || output.endsWith('.worker.cjs') || (/\/media\/[^/]+\.js$/.test(output) && isPageOf(output, flavor));
}

/**
 * Only what syncs has conflicts.
 * @param {string} name
 * @param {Flavor} flavor
 */
const isPageOf = (name, flavor) => flavor === 'full' || !/\bconflict\./.test(name);

/**
 * The templates of a page, which are written with indents, without these.
 * @param {string} script
 */
function withoutIndents(script) {
  /** @type {{start: number, end: number}[]} */
  const texts = [];
  const look = (/** @type {any} */ node, /** @type {boolean} */ isTagged) => {
    if (Array.isArray(node)) for (const each of node) look(each, isTagged);
    else if (node?.type === 'TemplateElement') texts.push(...(isTagged ? [node] : []));
    else if (typeof node?.type === 'string')
      for (const [name, part] of Object.entries(node))
        if (typeof part === 'object')
          look(part, node.type === 'TaggedTemplateExpression' || (name === 'quasis' && isTagged));
  };
  look(parse(script, { ecmaVersion: 'latest', sourceType: 'script' }), false);
  let lean = script;
  for (const { start, end } of texts.toSorted((a, b) => b.start - a.start))
    lean = lean.slice(0, start) + lean.slice(start, end).replace(/\n\\s+/g, '\n') + lean.slice(end);
  return lean;
}

/** Shortened before: it takes seconds. */
const cache = join(root, 'out/shortened');

/**
 * esbuild leaves names and calls that no other file can see as they are. Of sqlite.cjs only names are shortened: sql.js
 * sets `module` to undefined in a function, and terser takes that for what it always is, so that nothing would be exported.
 * @param {string} script
 * @param {boolean} isOurs
 */
function shorter(script, isOurs) {
  // Marks that turn the direction of text, and halves of characters, stay visible.
  const options = {
    toplevel: isOurs,
    ecma: /** @type {const} */ (2020),
    // What is called in several places compresses better as a call.
    compress: isOurs && { passes: 3, inline: 1 },
    format: { ascii_only: true },
  };
  const key = createHash('sha256').update(JSON.stringify(options)).update(script).digest('hex');
  const kept = join(cache, key);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const { code = script } = minify(script, options);
  mkdirSync(cache, { recursive: true });
  writeFileSync(kept, code);
  return code;
}

/** @type {Map<string, Uint8Array>} what was compressed before in this process, since that takes seconds */
const compressed = new Map();

/** @param {Uint8Array} bytes */
function brotli(bytes) {
  const key = createHash('sha256').update(bytes).digest('hex');
  const made =
    compressed.get(key) ??
    new Uint8Array(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGBLOCK]: 20 } }));
  compressed.set(key, made);
  return made;
}

/** @param {unknown} value */
const json = value => `${JSON.stringify(value)}\n`;
