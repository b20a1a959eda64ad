import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Bundle, useWords } from '../../shared/l10n';
import { type DisplayLanguage, directionOf, languageFor, wordsFile } from '../../shared/language';
import { displayLocale, setting, systemLocale } from '../settings/settings';

/** The language of our words: the setting's, else the editor's. */
export const displayLanguage = (): DisplayLanguage =>
  languageFor(setting('dueline.display.language'), vscode.env.language, systemLocale);

/** Loads the words ourselves: the editor knows fewer languages than we do, and cannot be asked for another one. */
export async function loadWords(extensionUri: vscode.Uri): Promise<void> {
  const language = displayLanguage();
  const words = await read(join(extensionUri.fsPath, 'l10n'), wordsFile(language));
  useWords(words, displayLocale(), language, directionOf(language) === 'rtl');
}

/** Falls back to English if the words are missing or cannot be read: it is better than nothing. */
async function read(folder: string, name: string | undefined): Promise<Bundle | undefined> {
  if (name === undefined) return undefined;
  try {
    return JSON.parse(await readFile(join(folder, name), 'utf8')) as Bundle;
  } catch {
    return undefined;
  }
}
