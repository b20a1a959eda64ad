import * as vscode from 'vscode';
import { widgetButton, widgetViewId } from '../../contributions/ids';
import { Disposables } from '../../core/kernel/events';
import { type WidgetKind, widgets } from '../../query/agenda/widgets';
import { currentLanguage } from '../../shared/l10n';
import { directionOf } from '../../shared/language';
import type { WidgetSetup } from '../../shared/widgetProtocol';
import type { Services } from '../../ui/services';
import { changeSetting } from '../../ui/settings/changeSetting';
import { type PageParts, pageHtml, pageOptions, pageWords } from '../webview/page';
import { type WidgetContent, widgetContent } from './content';
import { widgetName } from './kinds';
import { RowCache } from './rowView';
import { defaultSetup, readSetup, type SetupChange, savedSetup } from './setup';
import { WidgetHost } from './widgetHost';

/** One widget as a view of the sidebar or the panel; its setup is stored in the setting `dueline.widgets`. */
export class WidgetView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #owned = new Disposables();
  #view: vscode.WebviewView | undefined;
  #host: WidgetHost | undefined;
  #setup: WidgetSetup;
  #titled = false;
  #configures = false;

  constructor(
    private readonly services: Pick<Services, 'engine' | 'extensionUri' | 'log' | 'selection' | 'announce'>,
    readonly kind: WidgetKind,
  ) {
    this.#setup = defaultSetup(kind);
    const { registerCommand, executeCommand } = vscode.commands;
    this.#owned.add(registerCommand(widgetButton('dueline.widget.configure', kind), () => this.configure()));
    const asText = 'dueline.widget.editAsText';
    this.#owned.add(registerCommand(widgetButton(asText, kind), () => executeCommand(asText, kind)));
    this.#owned.add(vscode.window.registerWebviewViewProvider(widgetViewId(kind), this));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#host?.dispose();
    this.#view = view;
    const { services } = this;
    const rows = new RowCache();
    const host = new WidgetHost(
      services,
      view.webview,
      () => view.visible,
      extraPages => this.#describe(widgetContent(services.engine, this.#setup, true, rows, extraPages)),
      { current: () => this.#setup, change: change => this.#change(change), focus: () => view.show(false) },
    );
    this.#host = host;
    if (this.#configures) host.configure();
    this.#configures = false;
    view.webview.options = pageOptions(services.extensionUri);
    this.redraw();
    view.onDidChangeVisibility(() => view.visible && host.onVisible());
    view.onDidDispose(() => {
      host.dispose();
      if (this.#host === host) this.#host = this.#view = undefined;
    });
    this.#decorate();
  }

  get setup(): WidgetSetup {
    return this.#setup;
  }

  /** Shows the view with its settings form. */
  async configure(): Promise<void> {
    const before = this.#host;
    const isShown = this.#view?.visible === true;
    if (!isShown) before?.configureWhenBack();
    await vscode.commands.executeCommand(`${widgetViewId(this.kind)}.focus`);
    // The editor may ask for the page only after the pane has been shown.
    if (!this.#host) this.#configures = true;
    else if (isShown || this.#host !== before) this.#host.configure();
  }

  /** Writes the pages again, with the current texts. */
  redraw(): void {
    const page = this.#view?.webview;
    if (page) page.html = widgetPage(page, this.services.extensionUri, this.#setup, widgets[this.kind].view.container);
  }

  refresh(): void {
    this.#setup = { ...defaultSetup(this.kind), weeksAway: this.#setup.weeksAway };
    this.#host?.update();
    this.#decorate();
  }

  /** A task became overdue. */
  refreshTimes(): void {
    this.#host?.update();
  }

  dispose(): void {
    this.#host?.dispose();
    this.#owned.dispose();
  }

  /** Weeks away are temporary; the rest is the user's choice and goes to the settings. */
  async #change(change: SetupChange): Promise<void> {
    this.#setup = { ...this.#setup, ...change };
    this.#host?.update();
    this.#decorate();
    const { weeksAway: _, ...kept } = change;
    if (Object.keys(kept).length > 0) await saveChange(this.kind, kept);
  }

  #decorate(): void {
    if (!this.#view) return;
    if (this.#setup.title !== '' || this.#titled) this.#view.title = widgetName(this.#setup);
    this.#titled = this.#setup.title !== '';
  }

  /** Shows a summary of the page next to the view's name. */
  #describe(content: WidgetContent): WidgetContent {
    if (this.#view) this.#view.description = content.description;
    return content;
  }
}

/** Based on the current value: a change before this one may not be written yet. */
const saveChange = (kind: WidgetKind, change: SetupChange) =>
  changeSetting('dueline.widgets', all => ({
    ...all,
    [kind]: savedSetup({ ...readSetup(kind, all[kind]), ...change }),
  }));

export const widgetPage = (
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  setup: WidgetSetup,
  viewLocation: PageParts['viewLocation'],
): string =>
  pageHtml(webview, extensionUri, {
    styles: ['tasks', 'widget'],
    title: widgetName(setup),
    direction: pageDirection(),
    viewLocation,
    boot: { kind: setup.kind, ...pageWords(), setup },
  });

/** Pages are laid out in the direction of their texts; VS Code itself always from left to right. */
export const pageDirection = (): 'ltr' | 'rtl' => directionOf(currentLanguage());
