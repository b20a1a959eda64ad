import * as vscode from 'vscode';
import type { DuelineEngine, TrashEntry } from '../../api';
import type { Id } from '../../core/kernel/model';
import { isolate, t } from '../../shared/l10n';
import { dateStyle } from '../../ui/settings/settings';
import { stampDay } from '../../ui/text/dateText';
import { titleOf } from '../../ui/text/taskText';
import type { FolderNode, MoreNode, TrashNode } from './nodes';
import { TreePages } from './pagination';

/**
 * The trash as a branch of the Filters tree: deleted tasks and lists, newest first, in pages, which can be restored.
 */
export class TrashRows {
  #entries = new Map<string, TrashEntry>();
  #lists = new Map<Id, string>();
  readonly #pages = new TreePages();

  constructor(private readonly engine: DuelineEngine) {}

  async under(folder: FolderNode): Promise<(TrashNode | MoreNode)[]> {
    const { engine } = this;
    const entries = await engine.trash();
    const visible = this.#pages.of(folder.id);
    this.#entries = new Map(entries.slice(0, visible).map(entry => [entry.key, entry]));
    this.#lists = new Map(engine.lists().map(({ id, name }) => [id, name]));
    const nodes = [...this.#entries.keys()].map(
      (key): TrashNode => ({ kind: 'trash', id: `trash/${key}`, trashKey: key, parent: folder }),
    );
    const count = entries.length - nodes.length;
    if (count === 0) return nodes;
    return [...nodes, { kind: 'more', id: `${folder.id}/more/${visible}`, visible: visible, count, parent: folder }];
  }

  showMore({ parent, visible }: MoreNode): void {
    this.#pages.reach(parent.id, visible);
  }

  onCollapse(folder: FolderNode): void {
    this.#pages.forget(folder.id);
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
    const item = new vscode.TreeItem(entry ? isolate(titleOf(entry.task)) : t('No longer available'));
    item.id = node.id;
    item.contextValue = 'deleted';
    if (!entry) return item;
    const list = this.#lists.get(entry.listId);
    const when = stampDay(entry.deletedAt, dateStyle(this.engine));
    item.description = [when, list && isolate(list)].filter(Boolean).join(' · ');
    item.accessibilityInformation = {
      label: t('{0}, deleted {1}', isolate(titleOf(entry.task)), when),
    };
    return item;
  }
}
