import * as vscode from 'vscode';
import type { TrashEntry } from '../api';
import { titleOf } from './describe';
import { currentLocale, isolate, t } from './l10n';
import type { FolderNode, TrashNode } from './nodes';
import type { Parts } from './parts';

/** The trash as a branch of the Filters tree: what was deleted, newest first, with a way back. */
export class TrashRows {
  #entries = new Map<string, TrashEntry>();

  constructor(private readonly parts: Parts) {}

  async under(folder: FolderNode): Promise<TrashNode[]> {
    const entries = await this.parts.engine.trash();
    this.#entries = new Map(entries.map(entry => [entry.key, entry]));
    return entries.map(({ key }) => ({ kind: 'trash', id: `trash/${key}`, trashKey: key, parent: folder }));
  }

  folderItem(node: FolderNode): vscode.TreeItem {
    const item = new vscode.TreeItem(t('Trash'), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = node.id;
    item.contextValue = 'trash';
    item.iconPath = new vscode.ThemeIcon('trash');
    return item;
  }

  item(node: TrashNode): vscode.TreeItem {
    const entry = this.#entries.get(node.trashKey);
    const item = new vscode.TreeItem(entry ? isolate(titleOf(entry.task)) : t('No longer here'));
    item.id = node.id;
    item.contextValue = 'deleted';
    if (!entry) return item;
    const list = this.parts.engine.lists().find(({ id }) => id === entry.listId);
    const when = new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'medium' }).format(entry.deletedAt);
    item.description = [when, list && isolate(list.name)].filter(Boolean).join(' · ');
    item.accessibilityInformation = {
      label: t('{0}, deleted {1}', isolate(titleOf(entry.task)), when),
    };
    return item;
  }
}
