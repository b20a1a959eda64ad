import * as vscode from 'vscode';
import { t } from '../../shared/l10n';

/**
 * Files that the editor opens and saves but that are in no folder: each is created, named and removed with the content
 * that it shows.
 */
export abstract class EditedFiles {
  /** The mark of UTF-8 at the begin makes the editor read and save a text as such, whatever encoding its settings name or guess. */
  protected bytesOf(text: string): Uint8Array {
    return new TextEncoder().encode(`\ufeff${text}`);
  }

  /** Refused if the user has chosen another encoding: letters would be lost. */
  protected textOf(bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw vscode.FileSystemError.Unavailable(t('This text can only be saved with the encoding UTF-8.'));
    }
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
}
