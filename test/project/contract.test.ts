import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const contract = resolve('../shared/contract/api.d.ts');

describe('the API', () => {
  it('is assignable to the contract', function () {
    if (!existsSync(contract)) return this.skip();
    const folder = resolve('out/contract');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'check.ts'),
      `import type * as contract from ${JSON.stringify(contract.replace(/\.d\.ts$/, ''))};
       import type { openEngine } from '../../src/engine';
       import type { DuelineError } from '../../src/core/kernel/errors';
       import type * as ours from '../../src/api';
       export const engine: typeof contract.openEngine = null! as typeof openEngine;
       export const api: contract.DuelineApi = null! as ours.DuelineApi;
       export const error: contract.DuelineError = null! as DuelineError;
       export const options: ours.EngineOptions = null! as contract.EngineOptions;
       export const input: ours.TaskInput = null! as contract.TaskInput;
       export const change: ours.TaskChange = null! as contract.TaskChange;`,
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: { paths: { '#flavor': ['../../src/engine/flavor/full.ts'] }, lib: ['ES2024', 'DOM'] },
        include: ['check.ts'],
        exclude: [],
      }),
    );
    const run = spawnSync('npx', ['tsc', '-p', folder], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stdout);
    rmSync(folder, { recursive: true });
  });
});
