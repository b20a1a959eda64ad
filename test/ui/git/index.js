// The editor's git extension needs native modules that the tests' editor is without. This one has the part of its API
// (version 1) that Dueline asks for, with the real git behind it.
const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
const vscode = require('vscode');

exports.activate = () => ({
  getAPI: () => {
    if (!vscode.workspace.getConfiguration('git').get('enabled')) throw new Error('Git model not found');
    return { repositories: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => repositoryOf(uri)) };
  },
});

/** @param {vscode.Uri} rootUri */
function repositoryOf(rootUri) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: rootUri.fsPath, encoding: 'utf8', stdio: 'pipe' });
  const change = (/** @type {string} */ path, /** @type {number} */ status) => ({
    uri: vscode.Uri.file(join(rootUri.fsPath, path)),
    status,
  });
  const lines = (/** @type {string} */ text) => text.split('\n').filter(Boolean);
  return {
    rootUri,
    inputBox: { value: '' },
    state: {
      HEAD: { name: git('branch', '--show-current').trim(), commit: git('rev-parse', 'HEAD').trim() },
      workingTreeChanges: lines(git('status', '--porcelain', '-uall')).map(line =>
        change(line.slice(3), line.startsWith('??') ? 7 : 5),
      ),
      untrackedChanges: [],
    },
    getMergeBase: async (/** @type {string} */ one, /** @type {string} */ other) =>
      git('merge-base', one, other).trim(),
    diffWith: async (/** @type {string} */ ref, /** @type {string | undefined} */ path) =>
      path === undefined
        ? lines(git('diff', '--name-only', '--diff-filter=ADMR', ref)).map(name => change(name, 5))
        : git('diff', ref, '--', path),
  };
}
