import * as vscode from 'vscode';
import { plain, unlinkedLine } from '../../shared/l10n';
import { onDidDiscardTextDocument } from '../../ui/documents/closedDocuments';

const scheme = 'dueline-report';
const texts = new Map<string, string>();
const changes = new vscode.EventEmitter<vscode.Uri>();

/** Reports are documents that cannot be edited, so that the editor never asks to save one. */
export const reportTexts = (): vscode.Disposable =>
  vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      provideTextDocumentContent: ({ path }) => texts.get(path) ?? '',
    }),
    onDidDiscardTextDocument(({ uri }) => {
      if (uri.scheme === scheme) texts.delete(uri.path);
    }),
  );

/**
 * Shows lines of Markdown below a title; a report with the same title replaces the previous one. Text from files and servers
 * may be in them, and is never shown as a link.
 */
export async function showReport(title: string, lines: readonly string[]): Promise<void> {
  const name = plain(title).replace(/[\\/]/g, '-');
  const uri = vscode.Uri.from({ scheme, path: `/${name}.md` });
  texts.set(uri.path, [`# ${title}`, '', ...lines, ''].map(unlinkedLine).join('\n'));
  changes.fire(uri);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}
