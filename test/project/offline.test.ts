import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundlesFor } from '../../scripts/l10n/faults';
import { manifestOf, syncWords, usedWords, wordFiles } from '../../scripts/manifest';
import { doorsForAgents, loosePages, speakingToAgents, unscanned, waysOut } from '../../scripts/package/waysOut';
import { isFullOnly } from '../../src/contributions/manifest';
import { agentsAmong, networkAmong, notHarmless, offlineBundles } from '../support/offline/build';
import { hasStrace, networkCalls, watchSession } from '../support/offline/trace';
import { sameNames } from '../support/sameNames';
import { foreignSyncWords } from '../support/syncWords';

/** Literals of a script that people could read: several words, no SQL. One is sql.js's own, about a file. */
const sentencesOf = ({ text }: { text: string }): string[] =>
  // From each quote on to the next: a quote inside a regular expression would hide what follows it otherwise.
  [...text.matchAll(/"(?=((?:[^"\\\n]|\\.)*)")|`(?=((?:[^`\\$]|\\.)*)`)/g)]
    .map(([, quoted, template]) => quoted ?? template ?? '')
    .filter(literal => /^[A-Z{“][^;=]*\w \w[^;=]*$/.test(literal) && !/^[A-Z]{3,} /.test(literal));

describe('the offline flavor', () => {
  let bundles: Awaited<ReturnType<typeof offlineBundles>>;
  before(async () => {
    bundles = await offlineBundles();
  });

  it('is built from no file that connects to servers', () => {
    assert.ok(bundles.inputs.includes('src/app/main.ts') && bundles.inputs.includes('src/store/sql/rowWriter.ts'));
    assert.deepEqual(networkAmong(bundles.inputs), []);
  });

  it('A63 loads only modules that cannot reach a network', () => {
    assert.ok(bundles.imports.includes('node:fs'));
    assert.deepEqual(notHarmless(bundles.imports), []);
  });

  it('has no access to a network in its text', () => {
    assert.ok(bundles.scripts.length >= 4);
    assert.deepEqual(
      bundles.scripts.flatMap(script => waysOut(script)),
      [],
    );
  });

  it('has no interface for agents, neither in its code nor in its manifest', () => {
    assert.deepEqual(agentsAmong(bundles.inputs), []);
    assert.deepEqual(speakingToAgents(bundles.scripts), []);
    assert.deepEqual(doorsForAgents([], manifestOf('offline')), []);
    // They would be found.
    const inner = ['src/mcp/agent.ts', 'src/agents/rules.ts', 'src/engine/flavor/claims.ts'];
    assert.deepEqual(agentsAmong([...inner, 'src/engine/engine.ts']), inner);
    assert.deepEqual(speakingToAgents([{ name: 'x.js', text: 'case "tools/call":' }]), ['x.js: tools/call']);
    const manifest = { bin: {}, contributes: { mcpServerDefinitionProviders: [] } };
    const names = ['cli', 'protocol', 'main'].map(name => `extension/dist/${name}.cjs`);
    assert.equal(doorsForAgents(names, manifest).length, 4);
  });

  it('contains none of the commands, settings and views that need a server', () => {
    const named = bundles.scripts.flatMap(({ text }) => [...text.matchAll(/dueline\.[\w.]+/g)].map(([id]) => id));
    assert.ok(named.includes('dueline.quickAdd'));
    assert.deepEqual(named.filter(isFullOnly), []);
  });

  it('does not mention servers, accounts and sync', () => {
    const sentences = bundles.scripts.flatMap(sentencesOf);
    assert.ok(sentences.includes('Select the default list for new tasks'));
    assert.deepEqual(
      sentences.filter(sentence => syncWords.test(sentence)),
      [],
    );
  });

  it('does not mention them in other languages', () => {
    const words = bundlesFor(bundles.inputs);
    assert.equal(Object.keys(words).length, 5);
    for (const [name, bundle] of Object.entries(words)) {
      const texts = Object.entries(bundle).flat();
      assert.ok(texts.length > (name.includes('en-gb') ? 0 : 1000), name);
      assert.deepEqual(
        texts.filter(text => foreignSyncWords.test(text) || syncWords.test(text)),
        [],
        name,
      );
    }
  });

  it('writes pages that allow no connection', () => {
    const pages = bundles.scripts.filter(({ text }) => text.includes('Content-Security-Policy'));
    assert.deepEqual(
      pages.map(({ name }) => name),
      ['later.cjs'],
    );
    assert.deepEqual(pages.flatMap(loosePages), []);
  });

  it('A63 opens no socket in a session under strace', function () {
    if (!hasStrace()) return this.skip();
    const { output, calls } = watchSession(resolve('dist/engine-offline.cjs'));
    assert.match(output, /^1\d\d operations$/);
    assert.deepEqual(calls, []);
  });

  it('has a loader of SQLite that cannot fetch the binary, as it would in a browser', () => {
    const ways = /\bfetch\(|new XMLHttpRequest|WebAssembly\.instantiateStreaming/;
    assert.match(readFileSync('node_modules/sql.js/dist/sql-wasm.js', 'utf8'), ways);
    const { text } = bundles.scripts.find(({ name }) => name === 'sqlite.cjs')!;
    assert.doesNotMatch(text, ways);
  });
});

describe('the check of the offline flavor', () => {
  const ways = (text: string) => waysOut({ name: 'some.js', text }).length;

  for (const text of [
    'require("node:https")',
    "require('net')",
    'await import("undici")',
    'require(name)',
    'createRequire(__filename)("x")',
    'fetch("https://x")',
    'globalThis.fetch(x)',
    'new XMLHttpRequest',
    'new WebSocket(u)',
    'new EventSource(u)',
    'navigator.sendBeacon(u)',
    'new RTCPeerConnection()',
    'process.getBuiltinModule("net")',
    'process.binding("tcp_wrap")',
    'eval("1")',
    'eval(a)\n{}',
    'if(eval(a)){}',
    'new Function("return 1")',
    'const F = Function; new F("return 1")',
    'return Function',
    'return Function}',
    '()=>Function',
    'x ?? Function',
    'const {Function: F} = globalThis',
    'const {Function} = globalThis',
    'Function(x)',
    'Function.call(null, x)',
    'Function.apply(null, [x])',
    '(0,eval)(x)',
    'const e = eval',
    'require("child_process")',
    'const r=require;r("net")',
    'load(require)',
    '(0,require)("net")',
    'module.require("net")',
    'process.mainModule.require("net")',
    'module.constructor._load("net")',
  ])
    it(`finds ${text}`, () => assert.ok(ways(text) > 0));

  for (const text of [
    'require("node:fs")',
    'let prefetch = 1; x.fetching()',
    'this.require(x)',
    'Function.prototype[Symbol.hasInstance]',
    'value instanceof Function',
    'value instanceof Function && x',
    'function isFunction(x){}',
    'case "Function":',
    'function require(){}',
    'class A{eval(a,b){}}',
  ])
    it(`accepts ${text}`, () => assert.equal(ways(text), 0));

  it('finds files of a package that could run but are no scripts', () => {
    const names = ['extension/package.json', 'extension/dist/main.cjs', 'extension/dist/sql-wasm.wasm'];
    const more = ['extension.vsixmanifest', '[Content_Types].xml', 'extension/LICENSE', 'extension/README.md'];
    const whole = [...names, ...more];
    assert.deepEqual(unscanned(whole, { main: './dist/extension.js' }), []);
    assert.deepEqual(unscanned([...whole, 'extension/dist/a.node'], {}), ['extension/dist/a.node']);
    assert.equal(unscanned(whole, { main: './dist/main' }).length, 1);
    assert.equal(unscanned(whole, { main: './a.js', browser: './page.txt' }).length, 1);
    assert.equal(unscanned(whole, { main: './a.js', extensionPack: ['some.other'] }).length, 1);
  });

  it('finds an unrestricted page', () => {
    assert.equal(loosePages({ name: 'x', text: '<!DOCTYPE html>' }).length > 0, true);
  });

  it('finds a socket among the system calls, and ignores a query about standard input', () => {
    const log = '7 socket(AF_INET, SOCK_STREAM, 0) = 3\n7 getsockname(0, 0x7f, [16]) = -1 ENOTSOCK\n';
    assert.deepEqual(networkCalls(log), ['7 socket(AF_INET, SOCK_STREAM, 0) = 3']);
  });
});

describe('the offline manifest', () => {
  const full = manifestOf('full');
  const offline = manifestOf('offline');

  it('has an id of its own', () => {
    assert.equal(`${offline.publisher}.${offline.name}`, 'dueline.dueline-offline');
    assert.equal(offline.version, full.version);
    assert.notEqual(offline.displayName, full.displayName);
  });

  it('contains nothing that only the full flavor has', () => {
    const named = [...JSON.stringify(offline).matchAll(/dueline\.[\w.]+/g)].map(([id]) => id);
    assert.deepEqual(named.filter(isFullOnly), []);
    assert.ok([...JSON.stringify(full).matchAll(/dueline\.[\w.]+/g)].some(([id]) => isFullOnly(id)));
  });

  it('does not mention sync, in any language', () => {
    const texts = { 'package.json': offline, ...wordFiles(offline) };
    for (const [name, text] of Object.entries(texts)) assert.doesNotMatch(JSON.stringify(text), syncWords, name);
  });

  it('keeps everything else', () => {
    const commands = (manifest: typeof full): string[] =>
      manifest.contributes.commands.map(({ command }: { command: string }) => command);
    assert.deepEqual(
      commands(offline),
      commands(full).filter(id => !isFullOnly(id)),
    );
    assert.deepEqual(offline.contributes.views, full.contributes.views);
    assert.deepEqual(offline.contributes.keybindings, full.contributes.keybindings);
  });

  it('has exactly the texts that it uses', () => {
    const words = wordFiles(offline)['package.nls.json']!;
    sameNames(Object.keys(words), usedWords(offline));
  });
});
