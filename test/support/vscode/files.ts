import { promises as fs } from 'node:fs';
import type * as vscode from 'vscode';
import type { Changes } from './changes';
import { EventEmitter, FileSystemError, Position, Range, Selection, Uri } from './values';

/** A text that is open. Nobody types into it: tests that type run in the real editor. */
class DocumentDouble {
  readonly isUntitled: boolean;
  readonly isDirty = false;
  isClosed = false;
  readonly version = 1;
  constructor(
    readonly uri: vscode.Uri,
    /** Only that of a provider changes. */
    public text: string,
    readonly languageId: string,
  ) {
    this.isUntitled = uri.scheme === 'untitled';
  }

  get fileName(): string {
    return this.uri.fsPath;
  }

  get lineCount(): number {
    return this.text.split('\n').length;
  }

  getText = (range?: Range) => {
    if (!range) return this.text;
    const lines = this.text.split('\n').slice(range.start.line, range.end.line + 1);
    lines.push((lines.pop() ?? '').slice(0, range.end.character));
    lines.unshift((lines.shift() ?? '').slice(range.start.character));
    return lines.join('\n');
  };

  lineAt = (at: number | Position) => {
    const line = typeof at === 'number' ? at : at.line;
    const text = this.text.split('\n')[line] ?? '';
    return { text, lineNumber: line, range: new Range(line, 0, line, text.length), isEmptyOrWhitespace: !text.trim() };
  };

  positionAt = (offset: number): Position => {
    const lines = this.text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines.at(-1)!.length);
  };
}

const codeOf = (error: unknown): Error => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return FileSystemError.FileNotFound(message);
  if (code === 'EACCES' || code === 'EPERM') return FileSystemError.NoPermissions(message);
  return error as Error;
};

/** Files of the disk and of the providers that the extension registers, and the texts that are open. */
export class Files {
  readonly documents: DocumentDouble[] = [];
  readonly opened = new EventEmitter<unknown>();
  readonly closed = new EventEmitter<unknown>();
  readonly changed = new EventEmitter<unknown>();
  readonly #providers = new Map<string, vscode.FileSystemProvider>();
  readonly #contents = new Map<string, vscode.TextDocumentContentProvider>();
  #untitled = 0;

  constructor(private readonly changes: Changes) {}

  registerFileSystemProvider = (scheme: string, provider: vscode.FileSystemProvider) => {
    this.#providers.set(scheme, provider);
    return { dispose: () => this.#providers.delete(scheme) };
  };

  registerTextDocumentContentProvider = (scheme: string, provider: vscode.TextDocumentContentProvider) => {
    this.#contents.set(scheme, provider);
    const following = provider.onDidChange?.(uri => void this.#readAgain(uri));
    return {
      dispose: () => {
        following?.dispose();
        this.#contents.delete(scheme);
      },
    };
  };

  readonly fs = {
    stat: async (uri: vscode.Uri) => {
      const provider = this.#providers.get(uri.scheme);
      if (provider) return provider.stat(uri);
      const stat = await fs.stat(uri.fsPath).catch(error => Promise.reject(codeOf(error)));
      const type = stat.isDirectory() ? 2 : 1;
      return { type, size: stat.size, mtime: stat.mtimeMs, ctime: stat.ctimeMs };
    },
    readFile: async (uri: vscode.Uri): Promise<Uint8Array> => {
      const provider = this.#providers.get(uri.scheme);
      if (provider) return provider.readFile(uri);
      return new Uint8Array(await fs.readFile(uri.fsPath).catch(error => Promise.reject(codeOf(error))));
    },
    writeFile: async (uri: vscode.Uri, bytes: Uint8Array) => {
      const provider = this.#providers.get(uri.scheme);
      if (provider) await provider.writeFile(uri, bytes, { create: true, overwrite: true });
      else await fs.writeFile(uri.fsPath, bytes).catch(error => Promise.reject(codeOf(error)));
    },
    readDirectory: async (uri: vscode.Uri) => {
      const provider = this.#providers.get(uri.scheme);
      if (provider) return provider.readDirectory(uri);
      const entries = await fs
        .readdir(uri.fsPath, { withFileTypes: true })
        .catch(error => Promise.reject(codeOf(error)));
      return entries.map(entry => [entry.name, entry.isDirectory() ? 2 : 1] as [string, number]);
    },
    createDirectory: async (uri: vscode.Uri) => void (await fs.mkdir(uri.fsPath, { recursive: true })),
    delete: async (uri: vscode.Uri) => fs.rm(uri.fsPath, { recursive: true }),
  };

  openTextDocument = async (
    input: vscode.Uri | string | { content?: string; language?: string } = {},
  ): Promise<DocumentDouble> => {
    if (typeof input === 'string') return this.openTextDocument(Uri.file(input));
    if (!('scheme' in input)) {
      const uri = Uri.parse(`untitled:Untitled-${++this.#untitled}`);
      return this.#add(uri, input.content ?? '', input.language ?? 'plaintext');
    }
    const known = this.documents.find(({ uri }) => String(uri) === String(input));
    const language = input.path.endsWith('.md') ? 'markdown' : 'plaintext';
    return known ?? this.#add(input, await this.#read(input), language);
  };

  async #read(uri: vscode.Uri): Promise<string> {
    const provider = this.#contents.get(uri.scheme);
    if (!provider) return new TextDecoder().decode(await this.fs.readFile(uri));
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
    return (await provider.provideTextDocumentContent(uri, token as never)) ?? '';
  }

  async #readAgain(uri: vscode.Uri): Promise<void> {
    const document = this.documents.find(one => String(one.uri) === String(uri));
    if (!document) return;
    document.text = await this.#read(uri);
    this.changed.fire({ document, contentChanges: [], reason: undefined });
    this.changes.notify();
  }

  #add(uri: vscode.Uri, text: string, language: string): DocumentDouble {
    const document = new DocumentDouble(uri, text, language);
    this.documents.push(document);
    this.opened.fire(document);
    this.changes.notify();
    return document;
  }

  close(document: DocumentDouble): void {
    const at = this.documents.indexOf(document);
    if (at < 0) return;
    this.documents.splice(at, 1);
    document.isClosed = true;
    this.closed.fire(document);
  }
}

export const selectionOf = ({ start, end }: Range): Selection => new Selection(start, end);

/** An editor of a text, with a selection that the extension may set. */
export class TextEditorDouble {
  selection: Selection;
  visibleRanges = [new Range(0, 0, 40, 0)];
  options = {};
  constructor(
    readonly document: DocumentDouble,
    readonly viewColumn: number,
    selection?: Range,
  ) {
    this.selection = selectionOf((selection as Range | undefined) ?? new Range(0, 0, 0, 0));
  }

  get selections(): Selection[] {
    return [this.selection];
  }

  revealRange = () => {};
  setDecorations = () => {};
}

export type { DocumentDouble };
