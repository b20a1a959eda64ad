import * as vscode from 'vscode';
import { type Bundle, inFull, type PackedWords, useWords } from '../../shared/l10n';
import { directionOf, type Language, languageFor, wordsFile } from '../../shared/language';
import { displayLocale, setting, systemLocale } from '../settings/settings';

/** The language of our words: the setting's, else the editor's. */
export const displayLanguage = (): Language =>
  languageFor(setting('dueline.display.language'), vscode.env.language, systemLocale());

/** Loads the words ourselves: the editor knows fewer languages than we do, and cannot be asked for another one. */
export async function loadWords(extensionUri: vscode.Uri): Promise<void> {
  const language = displayLanguage();
  const words = await read(extensionUri, wordsFile(language));
  useWords(words, displayLocale(), language, directionOf(language) === 'rtl');
}

/** English, where there are no words or they cannot be read: it is better than nothing. */
async function read(extensionUri: vscode.Uri, name: string | undefined): Promise<Bundle | undefined> {
  if (name === undefined) return undefined;
  const content = async <T>(file: string) => {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'l10n', file));
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  };
  try {
    const words = await content<Bundle | PackedWords>(name);
    return Array.isArray(words) ? inFull(await content<string[]>('messages.json'), words) : (words as Bundle);
  } catch {
    return undefined;
  }
}
