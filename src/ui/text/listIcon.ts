import * as vscode from 'vscode';
import type { TaskList } from '../../core/kernel/model';
import { visibleInSideBar } from '../../shared/contrast';
import { cssColor } from './cssColor';

type IconList = Pick<TaskList, 'color' | 'isReadOnly'>;

/**
 * A dot in the list's color, lighter or darker if it would hardly be visible; a lock if the list is read-only, so that
 * color carries no meaning alone.
 */
export function listIcon(list: IconList): { light: vscode.Uri; dark: vscode.Uri } {
  const { light, dark } = visibleInSideBar(cssColor(list.color));
  return { light: drawn(list, light), dark: drawn(list, dark) };
}

function drawn({ isReadOnly }: IconList, color: string): vscode.Uri {
  const shape = isReadOnly
    ? `<path d="M5 7V5a3 3 0 0 1 6 0v2h1v6H4V7zm1 0h4V5a2 2 0 0 0-4 0z" fill="${color}"/>`
    : `<circle cx="8" cy="8" r="4.5" fill="${color}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${shape}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
