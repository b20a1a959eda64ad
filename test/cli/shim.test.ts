import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setupsOf } from '../../src/commands/agents/setups';
import { linkShim, shimText, writeShim } from '../../src/commands/agents/shim';

describe('the script that starts the command line', function () {
  // Each start is a process of its own.
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "dueline shim's $HOME `x` "));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = {
    runtime: process.execPath,
    isElectron: true,
    program: resolve('dist/cli.cjs'),
    platform: 'linux',
  } as const;
  const run = (path: string, args: readonly string[], env: Record<string, string> = {}) => {
    const { stdout, stderr } = spawnSync(path, args, { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
    return stdout + stderr;
  };

  it('runs it on the editor’s store, or on another one that is named', () => {
    const [store, other] = [join(folder, 'store'), join(folder, 'other')];
    for (const made of [store, other]) mkdirSync(made);
    const path = writeShim(join(folder, 'bin'), shimText({ ...start, store }));
    assert.equal(statSync(path).mode & 0o777, 0o755);
    assert.match(run(path, ['add', 'Here', '#a b']), /^Added .*Here/);
    assert.match(run(path, ['add', 'There'], { DUELINE_STORE: other }), /^Added .*There/);
    assert.match(run(path, ['list']), /^dl-\w+ {2}Here b #a\n$/);
    const link = join(folder, 'home/.local/bin/dueline');
    assert.equal(linkShim(link, path), true);
    assert.match(run(link, ['list', '--store', other]), /There/);
  });

  it('keeps the compiled program beside it, if Node.js can', async () => {
    const program = join(folder, 'cli.cjs');
    const files = ['cli.cjs', 'sqlite.cjs', 'ical.cjs', 're2js.cjs', 'sql-wasm.wasm'];
    for (const name of files) copyFileSync(resolve('dist', name), join(folder, name));
    const path = writeShim(join(folder, 'bin'), shimText({ ...start, program, store: folder }));
    assert.match(run(path, ['add', 'Here']), /^Added .*Here/);
    assert.equal(existsSync(join(folder, 'compiled')), Number(process.versions.node.split('.')[0]) >= 22);
    assert.match(run(path, ['list']), /Here/);
  });

  it('is quoted as one word in the commands that set up agents', () => {
    for (const { file, text } of setupsOf(folder, 'linux')) {
      if (file !== '') continue;
      const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${text}`], { encoding: 'utf8' });
      assert.deepEqual(stdout.trimEnd().split('\n').slice(-4), ['dueline', '--', folder, 'mcp']);
    }
    const files = setupsOf(folder, 'linux').flatMap(({ agent, file, text }) =>
      file === '' ? [] : [[agent, (Object.values(JSON.parse(text))[0] as { dueline: unknown }).dueline] as const],
    );
    const server = { command: folder, args: ['mcp'] };
    assert.deepEqual(files, [
      ['Copilot CLI', { type: 'local', tools: ['*'], ...server }],
      ['Cursor', server],
      ['Gemini CLI', server],
      ['opencode', { type: 'local', command: [folder, 'mcp'] }],
      ['Zed', server],
    ]);
    const [windows] = setupsOf('C:\\a b\\dueline.cmd', 'win32');
    assert.equal(windows!.text, 'claude mcp add --scope user dueline -- "C:\\a b\\dueline.cmd" mcp');
  });

  it('is replaced as a whole, and follows neither a link to a file nor one to a folder', () => {
    const bin = join(folder, 'bin');
    const victim = join(folder, 'victim');
    mkdirSync(bin);
    writeFileSync(victim, 'kept');
    symlinkSync(victim, join(bin, 'dueline'));
    const path = writeShim(bin, '#!/bin/sh\n');
    assert.equal(readFileSync(victim, 'utf8'), 'kept');
    assert.ok(lstatSync(path).isFile());
    writeShim(bin, '#!/bin/sh\nexit 3\n');
    assert.equal(readFileSync(path, 'utf8'), '#!/bin/sh\nexit 3\n');
    assert.deepEqual(readdirSync(bin), ['dueline']);
    symlinkSync(bin, join(folder, 'link'));
    assert.throws(() => writeShim(join(folder, 'link'), ''), /is not a folder/);
  });

  it('is linked if its path is free or has our own link, and never replaces anything else', () => {
    const link = join(folder, '.local/bin/dueline');
    const old = '/home/x/.config/VSCodium/User/globalStorage/dueline.dueline/bin/dueline';
    assert.equal(linkShim(link, old), true);
    assert.equal(linkShim(link, '/new/dueline'), true);
    assert.equal(linkShim(link, '/new/dueline'), true);
    assert.equal(readlinkSync(link), '/new/dueline');
    assert.equal(linkShim(link, '/other/dueline'), false);
    assert.equal(readlinkSync(link), '/new/dueline');
    rmSync(link);
    writeFileSync(link, 'foreign');
    assert.equal(linkShim(link, '/new/dueline'), false);
    assert.equal(readFileSync(link, 'utf8'), 'foreign');
    assert.deepEqual(readdirSync(join(folder, '.local/bin')), ['dueline']);
  });

  it('is written for Windows with that system’s quotes, percent signs and line ends', () => {
    const windows = { runtime: 'C:\\Code\\Code.exe', program: 'C:\\100%\\cli.cjs', store: 'C:\\Bjørn\\store' };
    assert.equal(
      shimText({ ...windows, isElectron: true, platform: 'win32' }),
      [
        '@echo off',
        'setlocal',
        'chcp 65001 >nul',
        'if not defined DUELINE_STORE set "DUELINE_STORE=C:\\Bjørn\\store"',
        'set "NODE_COMPILE_CACHE=C:\\100%%\\compiled"',
        'set ELECTRON_RUN_AS_NODE=1',
        '"C:\\Code\\Code.exe" "C:\\100%%\\cli.cjs" %*',
        '',
      ].join('\r\n'),
    );
    const plain = shimText({ ...start, store: '/s', isElectron: false });
    assert.doesNotMatch(plain, /ELECTRON/);
  });
});
