import type * as vscode from 'vscode';
import { type Changes, hasWords, type Words } from './changes';
import { type DocumentDouble, type Files, selectionOf, TextEditorDouble } from './files';
import { EventEmitter, TabInputText, TabInputTextDiff, TabInputWebview } from './values';
import type { WebviewDouble, Webviews } from './webviews';

class PanelDouble {
  iconPath: unknown;
  readonly #disposed = new EventEmitter<void>();
  readonly #changed = new EventEmitter<{ webviewPanel: PanelDouble }>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = this.#changed.event;
  readonly viewColumn = 1;
  active = false;
  visible = false;
  isOver = false;

  constructor(
    readonly viewType: string,
    public name: string,
    readonly webview: WebviewDouble,
    private readonly tabs: Tabs,
    readonly options: object = {},
  ) {}

  get title(): string {
    return this.name;
  }

  set title(title: string) {
    this.name = title;
    this.tabs.notify();
  }

  reveal(_column?: number, keepsFocus = false): void {
    this.tabs.activate(this, keepsFocus);
  }

  dispose(): void {
    this.tabs.close(this);
  }

  setShown(isShown: boolean, keepsFocus: boolean): void {
    if (isShown) this.webview.show();
    else this.webview.hide();
    if (isShown && !keepsFocus) this.webview.focus();
    if (this.active === isShown && this.visible === isShown) return;
    this.active = isShown;
    this.visible = isShown;
    this.#changed.fire({ webviewPanel: this });
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#disposed.fire();
  }
}

interface Diff {
  readonly input: TabInputTextDiff;
  readonly title: string;
  readonly documents: readonly DocumentDouble[];
}

type Tab = PanelDouble | TextEditorDouble | Diff;

const documentsOf = (tab: Tab | undefined): readonly DocumentDouble[] => {
  if (tab === undefined || tab instanceof PanelDouble) return [];
  return tab instanceof TextEditorDouble ? [tab.document] : tab.documents;
};

/** One group of editor tabs. */
export class Tabs {
  readonly #tabs: Tab[] = [];
  /** Tabs of the time before a reload that were not shown since. */
  readonly #asleep = new Map<PanelDouble, () => unknown>();
  #active: Tab | undefined;
  /** Tabs that were there at the last event for the extension. */
  #announced: readonly Tab[] = [];
  readonly changed = new EventEmitter<object>();
  readonly changedEditor = new EventEmitter<TextEditorDouble | undefined>();
  readonly serializers = new Map<string, vscode.WebviewPanelSerializer>();

  constructor(
    private readonly webviews: Webviews,
    private readonly files: Files,
    private readonly changes: Changes,
  ) {}

  get panels(): readonly PanelDouble[] {
    return this.#tabs.filter(tab => tab instanceof PanelDouble);
  }

  get titles(): readonly string[] {
    return this.#tabs.map(tab => this.#labelOf(tab));
  }

  get activeEditor(): TextEditorDouble | undefined {
    return this.#active instanceof TextEditorDouble ? this.#active : undefined;
  }

  /** The address of the text in front; if two are compared, that of the changed one. */
  get activeUri(): vscode.Uri | undefined {
    return documentsOf(this.#active).at(-1)?.uri;
  }

  /** The texts in front: one, or two that are compared. */
  get texts(): readonly string[] {
    return documentsOf(this.#active).map(document => document.getText());
  }

  get activePanel(): PanelDouble | undefined {
    return this.#active instanceof PanelDouble ? this.#active : undefined;
  }

  /** Until a tab has the title. */
  titled(title: Words): Promise<true> {
    return this.changes.until(`a tab ${title}`, () => this.titles.some(one => hasWords(one, title)));
  }

  /** Until no tab has the title. */
  gone(title: Words): Promise<true> {
    return this.changes.until(`no tab ${title}`, () => !this.titles.some(one => hasWords(one, title)));
  }

  /** Clicks the first tab with the title. */
  async click(title: Words): Promise<void> {
    const find = () => this.#tabs.find(tab => hasWords(this.#labelOf(tab), title));
    this.activate(await this.changes.until(`a tab ${title}`, find));
  }

  createPanel = (viewType: string, title: string, column: unknown, options: object = {}): PanelDouble => {
    const keepsFocus = typeof column === 'object' && (column as { preserveFocus?: boolean }).preserveFocus === true;
    const panel = new PanelDouble(viewType, title, this.webviews.create('editor', viewType), this, options);
    this.#add(panel, keepsFocus);
    return panel;
  };

  registerSerializer = (viewType: string, serializer: vscode.WebviewPanelSerializer) => {
    this.serializers.set(viewType, serializer);
    return { dispose: () => this.serializers.delete(viewType) };
  };

  showTextDocument = async (
    input: vscode.Uri | DocumentDouble,
    options: vscode.TextDocumentShowOptions | number = {},
  ): Promise<TextEditorDouble> => {
    const document = 'getText' in input ? input : await this.files.openTextDocument(input);
    const { selection, preserveFocus = false } = typeof options === 'object' ? options : {};
    const known = this.#tabs.find(tab => tab instanceof TextEditorDouble && tab.document === document);
    const editor = (known as TextEditorDouble) ?? new TextEditorDouble(document, 1, selection as never);
    if (known && selection) editor.selection = selectionOf(selection as never);
    if (known) this.activate(editor, preserveFocus);
    else this.#add(editor, preserveFocus);
    return editor;
  };

  async showDiff(left: vscode.Uri, right: vscode.Uri, title: string): Promise<void> {
    const documents = [await this.files.openTextDocument(left), await this.files.openTextDocument(right)];
    this.#add({ input: new TabInputTextDiff(left, right), title, documents }, false);
  }

  activate(tab: Tab, keepsFocus = false): void {
    const before = this.#active;
    if (before !== tab && before instanceof PanelDouble) before.setShown(false, true);
    this.#active = tab;
    if (tab instanceof PanelDouble) {
      tab.setShown(true, keepsFocus);
      this.#asleep.get(tab)?.();
      this.#asleep.delete(tab);
    }
    this.notify();
  }

  close(tab: Tab | undefined = this.#active): void {
    const at = tab ? this.#tabs.indexOf(tab) : -1;
    if (!tab || at < 0) return;
    this.#tabs.splice(at, 1);
    if (tab instanceof PanelDouble) {
      this.webviews.forget(tab.webview);
      tab.end();
    } else for (const document of documentsOf(tab)) this.files.close(document);
    if (this.#active === tab) {
      this.#active = undefined;
      const next = this.#tabs.at(-1);
      if (next) this.activate(next);
    }
    this.notify();
  }

  /** The window is reloaded: the extension hears of the end of no tab. */
  forgetPages(): void {
    for (const panel of this.panels) this.webviews.forget(panel.webview);
  }

  /** After a reload the extension makes a tab's page again once the tab is shown. */
  bringBack(): void {
    for (const [at, tab] of this.#tabs.entries()) {
      if (!(tab instanceof PanelDouble)) continue;
      const { viewType, title } = tab;
      const webview = this.webviews.create('editor', viewType, tab.webview.id);
      const panel = new PanelDouble(viewType, title, webview, this);
      this.#tabs[at] = panel;
      this.#asleep.set(panel, () => {
        const state = this.webviews.stateOf(webview.id);
        return this.serializers.get(viewType)?.deserializeWebviewPanel(panel as never, state);
      });
      if (this.#active !== tab) continue;
      // It is the extension before the reload that would hear that its tab is hidden.
      this.#active = undefined;
      this.activate(panel);
    }
  }

  closeAll(): void {
    for (const tab of [...this.#tabs]) this.close(tab);
  }

  readonly groups = (() => {
    const tabs = this;
    const group = {
      get tabs() {
        return tabs.#tabs.map(tab => tabs.#asTab(tab));
      },
      get activeTab() {
        return tabs.#active && tabs.#asTab(tabs.#active);
      },
      isActive: true,
      viewColumn: 1,
    };
    return {
      all: [group],
      activeTabGroup: group,
      onDidChangeTabs: this.changed.event,
      onDidChangeTabGroups: new EventEmitter<object>().event,
      close: async (closed: { of: Tab } | readonly { of: Tab }[]) => {
        for (const { of } of [closed].flat()) tabs.close(of);
        return true;
      },
    };
  })();

  #asTab(tab: Tab) {
    const input =
      tab instanceof PanelDouble
        ? new TabInputWebview(`mainThreadWebview-${tab.viewType}`)
        : tab instanceof TextEditorDouble
          ? new TabInputText(tab.document.uri)
          : tab.input;
    return { of: tab, label: this.#labelOf(tab), input, isActive: tab === this.#active, isDirty: false };
  }

  #labelOf = (tab: Tab): string =>
    tab instanceof TextEditorDouble ? (tab.document.uri.path.split('/').at(-1) ?? '') : tab.title;

  #add(tab: Tab, keepsFocus: boolean): void {
    this.#tabs.push(tab);
    this.activate(tab, keepsFocus);
  }

  notify(): void {
    const before = this.#announced;
    this.#announced = [...this.#tabs];
    const opened = this.#announced.filter(tab => !before.includes(tab)).map(tab => this.#asTab(tab));
    const closed = before.filter(tab => !this.#announced.includes(tab)).map(tab => this.#asTab(tab));
    this.changed.fire({ opened, closed, changed: [] });
    this.changedEditor.fire(this.activeEditor);
    this.changes.notify();
  }
}
