import assert from 'node:assert/strict';
import { branchName, isBranchName, withTrailer } from '../../../src/core/code/gitText';

describe('names of branches', () => {
  const template = ['$', '{slug}-$', '{id}'].join('');
  const name = (title: string, by = template) => branchName(by, title, 'dl-k3f9');

  it('consist of the title and the short ID', () => {
    assert.equal(name('Fix race!'), 'fix-race-dl-k3f9');
    assert.equal(name('Übergröße: Ärger, día'), 'ubergroße-arger-dia-dl-k3f9');
    assert.equal(name('修复 竞争'), '修复-竞争-dl-k3f9');
    assert.equal(name('???'), 'dl-k3f9');
    assert.equal(name('Fix', `fix/${template}`), 'fix/fix-dl-k3f9');
    assert.equal(name('Fix', 'work/'), 'work/dl-k3f9');
    assert.equal(name('Fix', ''), 'dl-k3f9');
  });

  it('may begin with the issue of the task, and are whole without one', () => {
    const withIssue = `\${issue}-${template}`;
    assert.equal(branchName(withIssue, 'Fix', 'dl-k3f9', 'SHOP-7'), 'SHOP-7-fix-dl-k3f9');
    assert.equal(branchName(withIssue, 'Fix', 'dl-k3f9'), 'fix-dl-k3f9');
    assert.equal(branchName(`ann/\${issue}/${template}`, 'Fix', 'dl-k3f9', '12'), 'ann/12/fix-dl-k3f9');
    assert.equal(branchName(`ann/\${issue}/${template}`, 'Fix', 'dl-k3f9'), 'ann/fix-dl-k3f9');
    assert.equal(branchName(`\${issue}/${template}`, 'Fix', 'dl-k3f9'), 'fix-dl-k3f9');
  });

  it('are short and valid for git, whatever the title', () => {
    for (const title of ['word '.repeat(50), 'x'.repeat(300), '😀'.repeat(99), '..', 'a..b', '@{', '-', '~^:?*[\\']) {
      assert.ok(isBranchName(name(title)), name(title));
      assert.ok(name(title).length < 60, name(title));
    }
  });

  it('are refused if git would refuse them', () => {
    for (const bad of [
      '',
      '@',
      '-a',
      '/a',
      'a/',
      'a//b',
      'a..b',
      'a.',
      '.a',
      'a/.b',
      'a.lock',
      'a b',
      'a~b',
      'a:b',
      'a\\b',
      'a@{b',
      'a\u007f',
    ])
      assert.ok(!isBranchName(bad), bad);
    for (const good of ['a', 'a/b', 'a.b', 'a@b', 'ä', 'feature/a-1']) assert.ok(isBranchName(good), good);
  });
});

describe('the trailer of a commit message', () => {
  const trailer = 'Task: dl-k3f9';
  const results = {
    '': `\n\n${trailer}`,
    'Fix race': `Fix race\n\n${trailer}`,
    'Fix: race\n': `Fix: race\n\n${trailer}`,
    'Fix race\n\nBecause.': `Fix race\n\nBecause.\n\n${trailer}`,
    'Fix race\n\nSigned-off-by: A <a@b.c>\n': `Fix race\n\nSigned-off-by: A <a@b.c>\n${trailer}`,
    'Fix race\n\nTask: dl-k3f9': `Fix race\n\n${trailer}`,
  };
  for (const [message, result] of Object.entries(results))
    it(`is the last paragraph, or joins the trailers there: ${JSON.stringify(message)}`, () => {
      assert.equal(withTrailer(message, trailer), result);
    });
});
