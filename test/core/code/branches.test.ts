import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasBranches, isBranchOf, withBranch, writtenBranch } from '../../../src/core/code/branches';
import { withoutTrailer, withTrailer } from '../../../src/core/code/gitText';
import { repositoryOf } from '../../../src/core/code/repository';

const row = (...lines: string[]) => ({ unknownProperties: lines.length > 0 ? JSON.stringify(lines) : null });
const repository = repositoryOf(['git@example.org:team/app.git'], '');
const other = repositoryOf(['git@example.org:team/other.git'], '');
const kept = (branch: string, isPlain: boolean) => ({
  unknownProperties: withBranch(row('X-OTHER:1'), writtenBranch(repository, branch, isPlain)),
});

describe('branches of a task', () => {
  it('are recognized by their name in their repository, stored as a hash or in plain text', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: fc.constantFrom(...'ab/ü漢#-_.,;"\'()=%+') }),
        fc.boolean(),
        (branch, isPlain) => {
          const task = kept(branch, isPlain);
          assert.ok(hasBranches(task));
          assert.ok(isBranchOf(task, [other, repository], branch));
          assert.ok(!isBranchOf(task, [other], branch));
          assert.ok(!isBranchOf(task, [repository], `${branch}x`));
        },
      ),
    );
  });

  it('hide their name unless plain text is chosen', () => {
    const [, hashed] = JSON.parse(kept('secret-plan', false).unknownProperties);
    assert.match(hashed, new RegExp(`^X-DUELINE-BRANCH;V=1;REPO=${repository.id}:#[\\da-f]{24}$`));
    const [, plain] = JSON.parse(kept('secret-plan', true).unknownProperties);
    assert.equal(plain, `X-DUELINE-BRANCH;V=1;REPO=${repository.id}:secret-plan`);
  });

  it('are added once', () => {
    const once = kept('spike', false);
    assert.equal(withBranch(once, writtenBranch(repository, 'spike', false)), once.unknownProperties);
  });

  it('are not read from damaged lines and those of other versions', () => {
    const bad = row(
      `X-DUELINE-BRANCH;V=2;REPO=${repository.id}:spike`,
      `X-DUELINE-BRANCH;REPO=${repository.id}:spike`,
      'X-DUELINE-BRANCH;V=1;REPO=short:spike',
      'X-DUELINE-BRANCH;V=1:spike',
    );
    assert.ok(!isBranchOf(bad, [repository], 'spike'));
    assert.equal(JSON.parse(withBranch(bad, writtenBranch(repository, 'spike', true))).length, 5);
  });
});

describe('the line of a commit message', () => {
  it('is removed without changing the rest of the message', () => {
    for (const message of ['', 'Fix the race', 'Fix\n\nSigned-off-by: a'])
      assert.equal(withoutTrailer(withTrailer(message, 'Task: dl-k3f9'), 'Task: dl-k3f9'), message);
    assert.equal(withoutTrailer('Fix\n', 'Task: dl-k3f9'), 'Fix\n');
  });
});
