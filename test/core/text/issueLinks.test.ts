import assert from 'node:assert/strict';
import { countOfTasks, isIssueList, issueName, linesOfLinks, linkOfLine } from '../../../src/core/text/issueLinks';

describe('links to issues', () => {
  it('are named by their address, for each tracker', () => {
    for (const [url, name] of [
      ['https://github.com/o/r/issues/12', 'o/r#12'],
      ['https://github.com/o/r/pull/7?x=1#issuecomment-1', 'o/r#7'],
      ['https://gitlab.com/a/b/c/-/issues/3', 'a/b/c#3'],
      ['https://gitlab.com/a/b/-/merge_requests/4/', 'a/b#4'],
      ['https://team.atlassian.net/browse/APP-31', 'APP-31'],
      ['https://github.com/o/r/issues', undefined],
      ['https://github.com/o/r/issues/new', undefined],
      ['https://example.org/', undefined],
    ] as const)
      assert.equal(issueName(url), name, url);
  });

  it('are read from lines that contain nothing else', () => {
    assert.deepEqual(linkOfLine('[Fix \\[it\\]](https://github.com/o/r/issues/12)'), {
      title: 'Fix [it]',
      url: 'https://github.com/o/r/issues/12',
    });
    assert.deepEqual(linkOfLine('https://github.com/o/r/issues/12'), {
      title: 'o/r#12',
      url: 'https://github.com/o/r/issues/12',
    });
    assert.equal(linkOfLine('https://example.org/a')!.title, 'example.org/a');
    for (const line of ['See https://example.org', '[x](file:///etc/passwd)', '[x](command:y)', '[ ] https', ''])
      assert.equal(linkOfLine(line), undefined, line);
  });

  it('are written as one line per address, with the longest name', () => {
    const url = 'https://github.com/o/r/issues/12';
    const links = [
      { title: ' Fix\n [it] ', url },
      { title: '#12', url },
      { title: 'Other', url: `${url}3` },
      { title: 'Fix', url: `${url}/` },
    ];
    const lines = linesOfLinks(links).split('\n');
    assert.deepEqual(
      lines.map(line => linkOfLine(line)),
      [
        { title: 'Fix [it]', url },
        { title: 'Other', url: `${url}3` },
      ],
    );
  });

  it('become one task if they have one address', () => {
    const url = 'https://github.com/o/r/issues/12';
    const lines = [url, `${url}/`, `[Fix](${url})`, `${url}3`, 'Call Bob', 'Call Bob'].map(text => ({ text }));
    assert.equal(countOfTasks(lines), 4);
    assert.equal(countOfTasks([{ text: url }, { text: url, own: { rejected: [[0, 1]] } }]), 2);
  });

  it('form a list if each line begins with one of them', () => {
    const issues = [12, 13].map(number => ({
      title: `Issue ${number}`,
      url: `https://github.com/o/r/issues/${number}`,
    }));
    const names = issues.map(({ url }) => ({ title: issueName(url)!.replace('o/r', ''), url }));
    assert.ok(isIssueList('Issue 12\n3\n#12 opened by anna\nIssue 13 by anna', issues));
    assert.ok(!isIssueList('Issue 12\nCall Bob\nIssue 13', issues));
    assert.ok(!isIssueList('Compare Issue 12 with Issue 13', issues));
    assert.ok(!isIssueList('#12 and\n#13 before Friday', names));
  });
});
