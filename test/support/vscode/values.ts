import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';

/** The values of the editor's API, with the numbers that the editor gives them. */

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath }) as unknown as typeof vscode.Uri;

export class Disposable {
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }

  #onDispose: (() => unknown) | undefined;
  constructor(onDispose: () => unknown) {
    this.#onDispose = onDispose;
  }

  dispose(): void {
    const onDispose = this.#onDispose;
    this.#onDispose = undefined;
    onDispose?.();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();

  event = (listener: (event: T) => unknown, self?: unknown, owned?: { dispose(): unknown }[]): Disposable => {
    const bound = self === undefined ? listener : listener.bind(self);
    this.#listeners.add(bound);
    const end = new Disposable(() => this.#listeners.delete(bound));
    owned?.push(end);
    return end;
  };

  /** A listener that fails keeps the others from nothing; its error ends the test. */
  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position | number, end: Position | number, endLine?: number, endCharacter?: number) {
    this.start = start instanceof Position ? start : new Position(start, end as number);
    this.end = end instanceof Position ? end : new Position(endLine!, endCharacter!);
  }

  get isEmpty(): boolean {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }

  intersection(other: Range): Range | undefined {
    const start = isAfter(other.start, this.start) ? other.start : this.start;
    const end = isAfter(this.end, other.end) ? other.end : this.end;
    return isAfter(start, end) ? undefined : new Range(start, end);
  }
}

const isAfter = (one: Position, other: Position): boolean =>
  one.line > other.line || (one.line === other.line && one.character > other.character);

/** From its anchor to the cursor, which no test moves backwards. */
export class Selection extends Range {
  get anchor(): Position {
    return this.start;
  }

  get active(): Position {
    return this.end;
  }
}

class ThemeColor {
  constructor(readonly id: string) {}
}

class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  static readonly Folder = new ThemeIcon('folder');
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

class MarkdownString {
  isTrusted?: boolean;
  supportHtml?: boolean;
  constructor(
    public value = '',
    public supportThemeIcons = false,
  ) {}

  appendText(text: string): this {
    this.value += text.replace(/[\\`*_{}[\]()#+\-!~]/g, '\\$&');
    return this;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

class TreeItem {
  label?: string | vscode.TreeItemLabel;
  resourceUri?: vscode.Uri;
  constructor(
    of: string | vscode.TreeItemLabel | vscode.Uri,
    public collapsibleState = 0,
  ) {
    if (URI.isUri(of)) this.resourceUri = of as vscode.Uri;
    else this.label = of as string;
  }
}

class DataTransferItem {
  constructor(readonly value: unknown) {}
  asString = async () => (typeof this.value === 'string' ? this.value : JSON.stringify(this.value));
  asFile = () => undefined;
}

export class DataTransfer {
  readonly #items = new Map<string, DataTransferItem>();
  get = (type: string) => this.#items.get(type);
  set = (type: string, item: DataTransferItem) => this.#items.set(type, item);
  [Symbol.iterator] = () => this.#items[Symbol.iterator]();
}

export class FileSystemError extends Error {
  constructor(
    message: string | vscode.Uri | undefined,
    readonly code: string,
  ) {
    super(String(message ?? code));
  }

  static FileNotFound = (messageOrUri?: string | vscode.Uri) => new FileSystemError(messageOrUri, 'FileNotFound');
  static FileExists = (messageOrUri?: string | vscode.Uri) => new FileSystemError(messageOrUri, 'FileExists');
  static NoPermissions = (messageOrUri?: string | vscode.Uri) => new FileSystemError(messageOrUri, 'NoPermissions');
  static Unavailable = (messageOrUri?: string | vscode.Uri) => new FileSystemError(messageOrUri, 'Unavailable');
}

class RelativePattern {
  constructor(
    readonly baseUri: unknown,
    readonly pattern: string,
  ) {}
}

export class TabInputText {
  constructor(readonly uri: vscode.Uri) {}
}

export class TabInputTextDiff {
  constructor(
    readonly original: vscode.Uri,
    readonly modified: vscode.Uri,
  ) {}
}

export class TabInputWebview {
  constructor(readonly viewType: string) {}
}

class CodeAction {
  constructor(
    readonly title: string,
    readonly kind?: unknown,
  ) {}
}

class Diagnostic {
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity = 0,
  ) {}
}

class SemanticTokensLegend {
  constructor(readonly tokenTypes: readonly string[]) {}
}

class CodeLens {
  constructor(
    readonly range: Range,
    readonly command?: vscode.Command,
  ) {}
}

class DocumentLink {
  constructor(
    readonly range: Range,
    readonly target?: vscode.Uri,
  ) {}
}

class DocumentDropEdit {
  constructor(readonly insertText: string) {}
}

class TerminalLink {
  constructor(
    readonly startIndex: number,
    readonly length: number,
    readonly tooltip?: string,
  ) {}
}

export class CancellationTokenSource {
  readonly #canceled = new EventEmitter<void>();
  token = { isCancellationRequested: false, onCancellationRequested: this.#canceled.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#canceled.fire();
  }
}

export const enums = {
  ViewColumn: { Active: -1, Beside: -2, One: 1, Two: 2, Three: 3 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  TreeItemCheckboxState: { Unchecked: 0, Checked: 1 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
  ConfigurationTarget: { Global: 1, Workspace: 2, WorkspaceFolder: 3 },
  InputBoxValidationSeverity: { Info: 1, Warning: 2, Error: 3 },
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  FileChangeType: { Changed: 1, Created: 2, Deleted: 3 },
  FilePermission: { Readonly: 1 },
  OverviewRulerLane: { Left: 1, Center: 2, Right: 4, Full: 7 },
  DecorationRangeBehavior: { OpenOpen: 0, ClosedClosed: 1, OpenClosed: 2, ClosedOpen: 3 },
  ExtensionKind: { UI: 1, Workspace: 2 },
  ExtensionMode: { Production: 1, Development: 2, Test: 3 },
  UIKind: { Desktop: 1, Web: 2 },
  TextEditorRevealType: { Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 },
  QuickInputButtons: { Back: { iconPath: new ThemeIcon('arrow-left'), tooltip: 'Back' } },
  CodeActionKind: { QuickFix: { value: 'quickfix' }, RefactorRewrite: { value: 'refactor.rewrite' } },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  CompletionItemKind: { Keyword: 13, Snippet: 14, Folder: 18, EnumMember: 19, Constant: 20 },
  SymbolKind: { Namespace: 2, Field: 7 },
} as const;

/** Classes that only the extension makes anything of. */
export const classes = {
  ThemeColor,
  ThemeIcon,
  MarkdownString,
  TreeItem,
  DataTransferItem,
  RelativePattern,
  CodeAction,
  CodeLens,
  Diagnostic,
  DocumentLink,
  SemanticTokensLegend,
  DocumentDropEdit,
  TerminalLink,
};
