import * as vscode from 'vscode';
import type { DuelineApi } from '../../../src/api';

type Checked<T> = T | undefined | false;

/** The result of `check`, at once or after the next event of the store or the editor: files, their texts and the cursor. */
export function until<T>(api: DuelineApi, check: () => Checked<T> | Promise<Checked<T>>): Promise<T> {
  const { window, workspace } = vscode;
  return new Promise((resolve, reject) => {
    const own: { dispose(): unknown }[] = [];
    let latest = 0;
    const again = async () => {
      const request = ++latest;
      const found = await check();
      if (request === latest && found !== undefined && found !== false) {
        for (const part of own) part.dispose();
        resolve(found);
      }
    };
    const hear = () => void again().catch(reject);
    own.push(
      api.onDidChange(hear),
      window.onDidChangeActiveTextEditor(hear),
      window.onDidChangeTextEditorSelection(hear),
      workspace.onDidChangeTextDocument(hear),
      workspace.onDidCloseTextDocument(hear),
    );
    hear();
  });
}
