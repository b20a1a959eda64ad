import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { aTerminal } from './support/terminal';

describe('the npm package of the command line', function () {
  // It is built and packed.
  this.timeout(180_000);
  const terminal = aTerminal();

  it('is packed, unpacked and run on its own, with the command that it declares', function () {
    if (process.platform === 'win32') this.skip();
    const folder = terminal.folder();
    const done = (command: string, args: readonly string[], cwd = folder, input = '') => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd, input, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return stdout.trim();
    };
    const file = done(process.execPath, ['scripts/run.mjs', 'packageNpm', '--out', folder], process.cwd());
    assert.match(file, /\/dueline-\d+\.\d+\.\d+\.tgz$/);
    done('tar', ['xzf', file]);
    const unpacked = join(folder, 'package');
    assert.deepEqual(readdirSync(unpacked).sort(), [
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.txt',
      'cli.cjs',
      'ical.cjs',
      'package.json',
      'protocol.cjs',
      're2js.cjs',
      'sql-wasm.wasm',
      'sqlite.cjs',
    ]);
    const readme = readFileSync(join(unpacked, 'README.md'), 'utf8');
    assert.match(readme, /^# Command line\n/);
    // A page that is not in the package.
    assert.doesNotMatch(readme, /\]\((?!https:)|src="(?!https:)/);
    const { name, version, bin, dependencies } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
    assert.deepEqual(
      { name, bin, dependencies },
      { name: 'dueline', bin: { dueline: 'cli.cjs' }, dependencies: undefined },
    );
    const program = join(unpacked, bin.dueline);
    assert.ok(statSync(program).size > 100_000 && existsSync(program));
    assert.equal(done(process.execPath, [program, '--version']), version);
    const store = join(folder, 'store');
    mkdirSync(store);
    const dueline = (...args: string[]) => done(process.execPath, [program, '--store', store, ...args]);
    assert.match(dueline('add', 'From npm tomorrow'), /^Added/);
    assert.match(dueline('list'), /From npm/);
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const output = done(process.execPath, [program, 'mcp', '--store', store], folder, ping);
    assert.deepEqual(JSON.parse(output), { jsonrpc: '2.0', id: 1, result: {} });
  });
});
