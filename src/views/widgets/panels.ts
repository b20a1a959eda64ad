import * as vscode from 'vscode';
import { panels } from '../../contributions/ids';
import { Disposables } from '../../core/kernel/events';
import { widgetKinds } from '../../query/agenda/widgets';
import type { WidgetSetup } from '../../shared/widgetProtocol';
import type { Services } from '../../ui/services';
import { pageOptions } from '../webview/page';
import { tabIcon } from '../webview/tabIcon';
import { UnloadedTabs } from '../webview/unloadedTabs';
import { widgetContent } from './content';
import { widgetName } from './kinds';
import { RowCache } from './rowView';
import { readSetup } from './setup';
import { WidgetHost } from './widgetHost';
import { widgetPage } from './widgetView';

/** Any widget as an editor tab, as often as the user likes, each with its own lists and filter, back after a reload. */
export class WidgetPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #owned = new Disposables();
  /** The hosts of open tabs, each with the function that writes its page. */
  readonly #hosts = new Map<WidgetHost, () => void>();
  /** The tab that was active last. */
  #active:
    | { readonly host: WidgetHost; readonly panel: vscode.WebviewPanel; readonly setup: () => WidgetSetup }
    | undefined;
  readonly #unloaded: UnloadedTabs<WidgetSetup>;

  constructor(
    private readonly services: Pick<
      Services,
      'engine' | 'extensionUri' | 'log' | 'workspaceState' | 'selection' | 'announce'
    >,
  ) {
    this.#unloaded = new UnloadedTabs(services.workspaceState, panels.widget);
    this.#owned.add(vscode.window.registerWebviewPanelSerializer(panels.widget, this));
  }

  open(setup: WidgetSetup): void {
    const panel = vscode.window.createWebviewPanel(panels.widget, widgetName(setup), vscode.ViewColumn.Active, {
      ...pageOptions(this.services.extensionUri),
      enableFindWidget: true,
    });
    this.#show(panel, setup);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const storedSetup =
      (state as { setup?: { kind?: unknown } } | undefined)?.setup ?? this.#unloaded.take(panel.title);
    const kind = widgetKinds.find(one => one === storedSetup?.kind) ?? 'today';
    panel.webview.options = pageOptions(this.services.extensionUri);
    this.#show(panel, readSetup(kind, storedSetup));
  }

  /** Opens the form of the tab that was active last. */
  configure(): void {
    this.#active?.host.configure();
    this.#active?.panel.reveal();
  }

  /** The setup of that tab. */
  get setup(): WidgetSetup | undefined {
    return this.#active?.setup();
  }

  refresh(): void {
    for (const host of this.#hosts.keys()) host.update();
  }

  /** Writes the pages again, with the current texts. */
  redraw(): void {
    for (const draw of this.#hosts.values()) draw();
  }

  dispose(): void {
    for (const host of this.#hosts.keys()) host.dispose();
    this.#owned.dispose();
  }

  #show(panel: vscode.WebviewPanel, start: WidgetSetup): void {
    const { services } = this;
    let setup = start;
    const unloaded = this.#unloaded.add(widgetName(start), start);
    const rows = new RowCache();
    const host = new WidgetHost(
      services,
      panel.webview,
      () => panel.visible,
      extraPages => widgetContent(services.engine, setup, false, rows, extraPages),
      {
        current: () => setup,
        change: async change => {
          setup = { ...setup, ...change };
          panel.title = widgetName(setup);
          host.update();
          host.remember(setup);
        },
        loaded: unloaded.forget,
        focus: () => panel.active && panel.reveal(undefined, false),
      },
    );
    const draw = () => {
      panel.title = widgetName(setup);
      panel.iconPath = tabIcon(setup.kind);
      unloaded.retitle(panel.title);
      panel.webview.html = widgetPage(panel.webview, services.extensionUri, setup, 'editor');
    };
    this.#hosts.set(host, draw);
    draw();
    const active = { host, panel, setup: () => setup };
    this.#active = active;
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#active = active;
      if (panel.visible) host.onVisible();
    });
    panel.onDidDispose(() => {
      unloaded.forget();
      this.#hosts.delete(host);
      if (this.#active?.host === host) this.#active = undefined;
      host.dispose();
    });
  }
}
