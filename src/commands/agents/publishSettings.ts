import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { publishedIn, publishedSettings } from '../../core/kernel/settings';
import { engineSettings } from '../../ui/settings/settings';

/**
 * Writes the settings that the command line and agents share with the editor into the store's folder, now and whenever
 * they change.
 */
export function publishSettings(storeFolder: vscode.Uri, log: vscode.LogOutputChannel): vscode.Disposable {
  const path = join(storeFolder.fsPath, publishedIn);
  const publish = () => {
    try {
      write(path, JSON.stringify(published(), null, 2));
    } catch (error) {
      log.warn(`Settings for the command line: ${(error as Error).message}`);
    }
  };
  publish();
  return vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('dueline') && publish());
}

function published(): object {
  const settings = engineSettings();
  // The setting of one workspace does not apply to a terminal elsewhere.
  const defaultList = vscode.workspace.getConfiguration().inspect<string>('dueline.defaultList')?.globalValue ?? '';
  const { uriScheme } = vscode.env;
  return { ...Object.fromEntries(publishedSettings.map(name => [name, settings[name]])), defaultList, uriScheme };
}

/** Writes the file as a whole or not at all; an identical one is left alone. */
function write(path: string, text: string): void {
  if (contentOf(path) === text) return;
  const aside = `${path}.${randomUUID()}`;
  writeFileSync(aside, text);
  renameSync(aside, path);
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
