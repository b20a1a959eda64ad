import * as vscode from 'vscode';
import { today } from '../core/dates';
import { Disposables } from '../core/events';
import { views } from '../ids';
import { currentBundle, currentLocale, t } from './l10n';
import { pageHtml, pageOptions } from './page';
import type { Parts } from './parts';
import { setting } from './settings';
import { countSentence, todayRows } from './statusBar';
import { todayContent } from './todayContent';
import { mediumDay } from './when';
import { WidgetHost } from './widgetHost';

/** The Today widget in the side bar, with the one badge that Dueline shows. */
export class TodayView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #owned = new Disposables();
  #view: vscode.WebviewView | undefined;
  #host: WidgetHost | undefined;

  constructor(private readonly parts: Parts) {
    this.#owned.add(vscode.window.registerWebviewViewProvider(views.today, this));
    this.#owned.add(parts.engine.onDidChange(() => this.#updateBadge()));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#host?.dispose();
    this.#view = view;
    const { extensionUri } = this.parts;
    const host = new WidgetHost(
      this.parts,
      view.webview,
      () => view.visible,
      () => todayContent(this.parts.engine),
    );
    this.#host = host;
    view.webview.options = pageOptions(extensionUri);
    view.webview.html = pageHtml(view.webview, extensionUri, {
      script: 'widget',
      styles: ['widget'],
      title: t('Today'),
      direction: pageDirection(),
      boot: { kind: 'today', locale: currentLocale(), words: currentBundle() },
    });
    view.onDidChangeVisibility(() => view.visible && host.onVisible());
    view.onDidDispose(() => {
      host.dispose();
      if (this.#host === host) this.#host = this.#view = undefined;
    });
    this.#updateBadge();
  }

  refresh(): void {
    this.#host?.update();
    this.#updateBadge();
  }

  dispose(): void {
    this.#host?.dispose();
    this.#owned.dispose();
  }

  #updateBadge(): void {
    if (!this.#view) return;
    const which = setting<'overdueAndToday' | 'overdue' | 'off'>('dueline.badge.count');
    const { rows, overdue } = todayRows(this.parts.engine);
    const value = which === 'off' ? 0 : which === 'overdue' ? overdue : rows.length;
    this.#view.description = mediumDay(today(this.parts.engine.clock, setting<number>('dueline.day.startHour')));
    this.#view.badge = value > 0 ? { value, tooltip: countSentence(rows.length, overdue) } : undefined;
  }
}

/** Right to left where the words are, unless the setting says otherwise; VS Code itself is always left to right. */
export function pageDirection(): 'ltr' | 'rtl' {
  const wanted = setting<'auto' | 'ltr' | 'rtl'>('dueline.display.direction');
  if (wanted !== 'auto') return wanted;
  return /^(ar|fa|he|ur)\b/i.test(currentLocale()) ? 'rtl' : 'ltr';
}
