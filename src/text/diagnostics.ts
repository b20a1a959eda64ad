import * as vscode from 'vscode';
import { Disposables } from '../core/kernel/events';
import { splitLines } from '../core/text/document/readText';
import type { TextProblem } from '../core/text/document/types';
import { localize } from '../ui/text/errorText';
import type { TextFiles } from './textFiles';
import { isText } from './textUri';

/** A diagnostic with its problem, for the quick fixes. */
export class TextDiagnostic extends vscode.Diagnostic {
  constructor(
    range: vscode.Range,
    readonly problem: TextProblem,
  ) {
    const { isHeld, message, kind } = problem;
    super(range, localize(message), isHeld ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning);
    this.code = kind;
    this.source = 'Dueline';
  }
}

/** Marks, in open texts, the lines that a save would leave out, and the words that it would not read as they are meant. */
export class TextDiagnostics implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #shown = this.#owned.add(vscode.languages.createDiagnosticCollection('dueline'));
  readonly #waiting = new Map<string, NodeJS.Immediate>();

  constructor(private readonly files: TextFiles) {
    const { workspace } = vscode;
    this.#owned.add(workspace.onDidOpenTextDocument(document => this.#soon(document)));
    this.#owned.add(workspace.onDidChangeTextDocument(({ document }) => this.#soon(document)));
    this.#owned.add(workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri)));
    this.#owned.add(
      files.onDidChangeState(uri => {
        const found = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
        if (found) this.#soon(found);
      }),
    );
    for (const document of workspace.textDocuments) this.#soon(document);
  }

  dispose(): void {
    for (const waiting of this.#waiting.values()) clearImmediate(waiting);
    this.#owned.dispose();
  }

  /** Keys in quick succession are handled together. */
  #soon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!isText(document) || this.#waiting.has(key)) return;
    this.#waiting.set(
      key,
      setImmediate(() => {
        this.#waiting.delete(key);
        if (!document.isClosed) this.#show(document);
      }),
    );
  }

  #show(document: vscode.TextDocument): void {
    const text = this.files.of(document.uri);
    if (!text) {
      this.#shown.delete(document.uri);
      return;
    }
    const mine = document.getText();
    const lines = splitLines(mine);
    const rangeOf = ({ at, from, to }: TextProblem) => {
      const line = lines[at] ?? '';
      return new vscode.Range(at, from ?? line.search(/\S|$/), at, to ?? line.trimEnd().length);
    };
    const { problems } = text.tasks.check(text.base, mine);
    this.#shown.set(
      document.uri,
      problems.map(problem => new TextDiagnostic(rangeOf(problem), problem)),
    );
  }
}
