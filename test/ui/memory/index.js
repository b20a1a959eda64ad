// A helper extension for tests: `memory:/`, files that are on no disk. A folder of it is a workspace to which no program
// and no part of the editor has access but by `vscode.workspace.fs`.
const vscode = require('vscode');

const { FileSystemError, FileType } = vscode;

exports.activate = (/** @type {import('vscode').ExtensionContext} */ { subscriptions }) => {
  const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
  /** @type {Map<string, Uint8Array>} */
  const files = new Map([
    ['/app/src/session.ts', bytes('// TODO: check the token\nexport class Session {\n  close(): void {}\n}\n')],
    ['/app/src/other.ts', bytes('export const other = 1;\n')],
    ['/app/.git/HEAD', bytes('ref: refs/heads/main\n')],
  ]);
  const changed = new vscode.EventEmitter();
  const isFolder = (/** @type {string} */ path) =>
    [...files.keys()].some(file => file.startsWith(`${path.replace(/\/$/, '')}/`));
  const refused = () => {
    throw FileSystemError.NoPermissions();
  };
  subscriptions.push(
    // As another program on another computer does: nobody is told.
    vscode.commands.registerCommand('memory.write', (path, text) => void files.set(path, bytes(text))),
    vscode.workspace.registerFileSystemProvider('memory', {
      onDidChangeFile: changed.event,
      watch: () => ({ dispose: () => undefined }),
      stat: uri => {
        const size = files.get(uri.path)?.length;
        if (size === undefined && !isFolder(uri.path)) throw FileSystemError.FileNotFound(uri);
        return { type: size === undefined ? FileType.Directory : FileType.File, ctime: 0, mtime: 0, size: size ?? 0 };
      },
      readDirectory: uri => {
        const start = uri.path.replace(/\/?$/, '/');
        const below = [...files.keys()].filter(file => file.startsWith(start)).map(file => file.slice(start.length));
        return [...new Set(below.map(path => path.replace(/\/.*/, '/')))].map(name =>
          name.endsWith('/') ? [name.slice(0, -1), FileType.Directory] : [name, FileType.File],
        );
      },
      readFile: uri => {
        const found = files.get(uri.path);
        if (!found) throw FileSystemError.FileNotFound(uri);
        return found;
      },
      writeFile: (uri, content) => {
        files.set(uri.path, content);
        changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      },
      createDirectory: refused,
      delete: refused,
      rename: refused,
    }),
  );
};
