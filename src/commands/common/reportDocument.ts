import * as vscode from 'vscode';
import type { Disposable } from '../../core/kernel/events';
import { plain, unlinkedLine } from '../../shared/l10n';
import { onDidDiscardTextDocument } from '../../ui/documents/closedDocuments';
import { showError } from '../../ui/errors';

const scheme = 'dueline-report';
const texts = new Map<string, string>();
/** Reports that are written again after a change, while they are open. */
const following = new Map<string, Disposable>();
const changes = new vscode.EventEmitter<vscode.Uri>();

/** Reports are documents that cannot be edited, so that the editor never asks to save one. */
export const reportTexts = (): vscode.Disposable =>
  vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      provideTextDocumentContent: ({ path }) => texts.get(path) ?? '',
    }),
    onDidDiscardTextDocument(({ uri }) => {
      if (uri.scheme !== scheme) return;
      texts.delete(uri.path);
      following.get(uri.path)?.dispose();
      following.delete(uri.path);
    }),
    { dispose: () => vscode.Disposable.from(...following.values()).dispose() },
  );

/**
 * Shows lines of Markdown below a title; a report with the same title replaces the previous one. Text from files and servers
 * may be in them, and is never shown as a link.
 */
export async function showReport(title: string, lines: readonly string[]): Promise<void> {
  await show(write(title, lines));
}

/** Shows a report that is read again whenever `follow` says so, while it is open. */
export async function showLiveReport(
  title: string,
  read: () => Promise<readonly string[]>,
  follow: (then: () => void) => Disposable,
): Promise<void> {
  const uri = write(title, await read());
  const renew = async () => {
    const lines = await read();
    if (texts.has(uri.path)) write(title, lines);
  };
  following.get(uri.path)?.dispose();
  following.set(
    uri.path,
    follow(() => void renew().catch(showError)),
  );
  await show(uri);
}

function write(title: string, lines: readonly string[]): vscode.Uri {
  const name = plain(title).replace(/[\\/]/g, '-');
  const uri = vscode.Uri.from({ scheme, path: `/${name}.md` });
  const text = [`# ${title}`, '', ...lines, ''].map(unlinkedLine).join('\n');
  // The editor would draw a box around each mark of an isolate.
  texts.set(uri.path, text.replace(/[\u2066-\u2069]/g, ''));
  changes.fire(uri);
  return uri;
}

const show = async (uri: vscode.Uri) =>
  vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
