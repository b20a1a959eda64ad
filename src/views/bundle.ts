import * as vscode from 'vscode';
import { type Bundle, useWords } from './l10n';
import { displayLocale } from './settings';

/** Loads the words of the display language; the editor's own choice, since it knows which bundles there are. */
export async function loadWords(_extensionUri: vscode.Uri): Promise<void> {
  useWords(vscode.l10n.bundle as Bundle | undefined, displayLocale());
}
