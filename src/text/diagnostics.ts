import * as vscode from 'vscode';
import { Disposables } from '../core/kernel/events';
import { splitLines } from '../core/text/document/readText';
import type { TextTrouble } from '../core/text/document/types';
import { localize } from '../ui/text/errorText';
import type { TextFiles } from './textFiles';
import { isText } from './textUri';

/** A diagnostic with what was found, for the actions that mend it. */
export class TextDiagnostic extends vscode.Diagnostic {
  constructor(
    range: vscode.Range,
    readonly trouble: TextTrouble,
  ) {
    const { isHeld, message, why } = trouble;
    super(range, localize(message), isHeld ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning);
    this.code = why;
    this.source = 'Dueline';
  }
}

/** Tells, in open texts, which lines a save would leave, and what it would take for something else than is written. */
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
      files.onDidLook(uri => {
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

  /** Keys that come together are looked at together. */
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
    const rangeOf = ({ at, from, to }: TextTrouble) => {
      const line = lines[at] ?? '';
      return new vscode.Range(at, from ?? line.search(/\S|$/), at, to ?? line.trimEnd().length);
    };
    const { troubles } = text.tasks.check(text.base, mine);
    this.#shown.set(
      document.uri,
      troubles.map(trouble => new TextDiagnostic(rangeOf(trouble), trouble)),
    );
  }
}
