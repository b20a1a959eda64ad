import * as vscode from 'vscode';

/**
 * Calls the listener for each document that is closed for good. The editor reports a change of language as closing and
 * opening, too, of a document that stays open.
 */
export const onDidDiscardTextDocument = (listener: (document: vscode.TextDocument) => void): vscode.Disposable =>
  vscode.workspace.onDidCloseTextDocument(document => {
    if (document.isClosed) listener(document);
  });
