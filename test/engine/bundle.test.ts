import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The built engine in a process of its own, started elsewhere, as another program would use it. */
const run = (bundle: string, folder: string, code: string) =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        '--liftoff-only',
        '-e',
        `(async () => {
        const { openEngine } = require(${JSON.stringify(resolve('dist', bundle))});
        const engine = await openEngine({ folder: ${JSON.stringify(folder)} });
        const result = await (async () => { ${code} })();
        await engine.close();
        console.log(JSON.stringify(result ?? null));
      })()`,
      ],
      { cwd: tmpdir(), encoding: 'utf8' },
    ),
  );

describe('the built engine', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const [bundle, flavor] of [
    ['engine.cjs', 'full'],
    ['engine-offline.cjs', 'offline'],
  ] as const) {
    it(`${bundle} keeps tasks from one process to the next`, () => {
      run(bundle, folder, 'await engine.quickAdd("Call the bank #money");');
      const again = run(
        bundle,
        folder,
        'return { flavor: engine.flavor, tags: engine.query("call").map(o => o.task.tags) };',
      );
      assert.deepEqual(again, { flavor, tags: [['money']] });
    });
  }

  it('refuses accounts in the offline flavor, naming it', () => {
    const code = `return engine.addAccount({ serverUrl: 'https://dav.example', username: 'u', password: 'p' }).catch(error => error.kind);`;
    assert.equal(run('engine-offline.cjs', folder, code), 'unsupported');
  });
});
