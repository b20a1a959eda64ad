import * as vscode from 'vscode';
import { textScheme } from '../contributions/ids';
import type { TextTarget } from '../core/text/document/types';
import { plain } from '../shared/l10n';

/** The address of a text: its path is the name of the tab, its query identifies the content, also after a reload. */
export function textUri(name: string, target: TextTarget): vscode.Uri {
  // Cut by characters: an address cannot contain half of an emoji.
  const title = [...plain(name).replace(/[\\/:*?"<>|]/g, '-')].slice(0, 60).join('').trim();
  const query = new URLSearchParams(
    Object.entries(target).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return vscode.Uri.from({ scheme: textScheme, path: `/${title || '·'}.dueline`, query: query.toString() });
}

/** Undefined for any other address. */
export function targetOf(uri: vscode.Uri): TextTarget | undefined {
  const query = new URLSearchParams(uri.query);
  const text = query.get('query');
  if (text !== null) return { query: text };
  for (const key of ['listId', 'taskId'] as const) {
    const id = Number(query.get(key));
    if (Number.isSafeInteger(id) && id > 0) return key === 'listId' ? { listId: id } : { taskId: id };
  }
  return query.get('all') === 'true' ? { all: true } : undefined;
}

export const isText = ({ uri }: vscode.TextDocument): boolean => uri.scheme === textScheme;
