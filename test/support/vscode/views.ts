import type * as vscode from 'vscode';
import type { Changes } from './changes';
import { TreeDouble } from './trees';
import { EventEmitter } from './values';
import type { WebviewDouble, Webviews } from './webviews';

interface Provided {
  readonly provider: vscode.WebviewViewProvider;
  view: ViewDouble | undefined;
}

/** A page of the extension in the sidebar or the panel. */
class ViewDouble {
  #title: string | undefined;
  description: string | undefined;
  badge: vscode.ViewBadge | undefined;
  visible = false;
  readonly #disposed = new EventEmitter<void>();
  readonly #changed = new EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeVisibility = this.#changed.event;

  constructor(
    readonly viewType: string,
    readonly webview: WebviewDouble,
    private readonly changes: Changes,
  ) {}

  get title(): string | undefined {
    return this.#title;
  }

  set title(title: string | undefined) {
    this.#title = title;
    this.changes.notify();
  }

  show = (keepsFocus = false): void => {
    this.setVisible(true);
    if (!keepsFocus) this.webview.focus();
  };

  setVisible(visible: boolean): void {
    if (this.visible === visible) return;
    this.visible = visible;
    if (visible) this.webview.show();
    else this.webview.hide();
    this.#changed.fire();
  }
}

/** Views of the sidebar and the panel: trees, and pages that are asked for when they are first shown. */
export class Views {
  readonly trees = new Map<string, TreeDouble>();
  readonly #pages = new Map<string, Provided>();

  constructor(
    private readonly webviews: Webviews,
    private readonly changes: Changes,
    private readonly onFocus: (id: string) => void,
    private readonly start: (id: string, ...args: unknown[]) => void,
  ) {}

  /** The tree that has the focus. */
  focusedTree: TreeDouble | undefined;

  createTreeView = (id: string, options: vscode.TreeViewOptions<unknown>): TreeDouble => {
    const tree = new TreeDouble(id, options, this.changes, () => this.#focusOf(id), this.start);
    this.trees.set(id, tree);
    return tree;
  };

  registerWebviewViewProvider = (id: string, provider: vscode.WebviewViewProvider) => {
    this.#pages.set(id, { provider, view: undefined });
    return { dispose: () => this.#pages.delete(id) };
  };

  has = (id: string): boolean => this.trees.has(id) || this.#pages.has(id);

  page = (id: string): ViewDouble | undefined => this.#pages.get(id)?.view;

  #focusOf(id: string): void {
    this.focusedTree = this.trees.get(id);
    this.onFocus(id);
  }

  async focus(id: string): Promise<void> {
    this.#focusOf(id);
    await this.show(id, false);
  }

  async show(id: string, keepsFocus = true): Promise<void> {
    this.trees.get(id)?.setVisible(true);
    const provided = this.#pages.get(id);
    if (!provided) return;
    if (!provided.view) {
      const area = id.includes('.widgets.') ? 'panel' : 'side';
      provided.view = new ViewDouble(id, this.webviews.create(area, id, id), this.changes);
      await provided.provider.resolveWebviewView(provided.view as never, {} as never, {} as never);
    }
    provided.view.show(keepsFocus);
    this.changes.notify();
  }

  /** The views that are shown, for a reload: their pages are thrown away. */
  forget(): readonly string[] {
    const shown = [...this.#pages.values()].flatMap(({ view }) => (view?.visible ? view : []));
    for (const { webview } of shown) this.webviews.forget(webview);
    return shown.map(({ viewType }) => viewType);
  }

  /** The sidebar or the panel is closed: its pages are thrown away until it is opened again. */
  close(area: 'side' | 'panel'): void {
    for (const [id, { view }] of this.#pages)
      if (id.includes('.widgets.') === (area === 'panel')) view?.setVisible(false);
    if (area === 'side') for (const tree of this.trees.values()) tree.setVisible(false);
  }
}
