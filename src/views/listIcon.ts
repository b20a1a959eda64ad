import * as vscode from 'vscode';
import type { TaskList } from '../core/model';
import { cssColor } from './cssColor';

/** A dot in the list's colour; a lock where the list is read-only, so that colour carries no meaning alone. */
export function listIcon(list: Pick<TaskList, 'color' | 'isReadOnly'>): vscode.Uri {
  const shape = list.isReadOnly
    ? `<path d="M5 7V5a3 3 0 0 1 6 0v2h1v6H4V7zm1 0h4V5a2 2 0 0 0-4 0z" fill="${cssColor(list.color)}"/>`
    : `<circle cx="8" cy="8" r="4.5" fill="${cssColor(list.color)}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${shape}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
