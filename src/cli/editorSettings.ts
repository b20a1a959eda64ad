import { join } from 'node:path';
import { defaultSettings, type EngineSettings, publishedIn, publishedSettings } from '../core/kernel/settings';
import { textOfFile } from '../textFile';

/**
 * The settings of the editor that last had the store open, which its extension writes into the store's folder. They are
 * there because anyone who can write there has the tasks anyway; the folder above may belong to others. The editor's own
 * files are no source: profiles, policies and remote windows keep settings in other files.
 */
export function editorSettings(storeFolder: string): Partial<EngineSettings> {
  const known = contentOf(join(storeFolder, publishedIn));
  const isFitting = (name: keyof EngineSettings) =>
    typeof known[name] === typeof defaultSettings[name] &&
    Array.isArray(known[name]) === Array.isArray(defaultSettings[name]);
  return Object.fromEntries(
    publishedSettings.filter(isFitting).map(name => [name, known[name]]),
  ) as Partial<EngineSettings>;
}

/** The beginning of addresses that the editor opens; VSCodium and others have their own. */
export function editorScheme(storeFolder: string): string {
  const { uriScheme } = contentOf(join(storeFolder, publishedIn));
  // The value becomes part of the output.
  return typeof uriScheme === 'string' && /^[a-z][a-z\d+.-]*$/i.test(uriScheme) ? uriScheme : 'vscode';
}

function contentOf(path: string): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(textOfFile(path) ?? '');
    return typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : {};
  } catch {
    // No editor has opened the store, or the file is damaged: the defaults apply.
    return {};
  }
}
