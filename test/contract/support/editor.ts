import type * as vscode from 'vscode';
import type { Editor } from '../../support/vscode/editor';

let double: Editor | undefined;

/** The real editor inside its extension host; elsewhere its double, with the extension running in it. */
export async function openEditor(): Promise<typeof vscode> {
  try {
    return require('vscode');
  } catch {
    const { Editor } = await import('../../support/vscode/editor');
    double = await Editor.open();
    return double.api;
  }
}

export async function closeEditor(): Promise<void> {
  await double?.close();
  double = undefined;
}
