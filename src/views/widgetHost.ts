import * as vscode from 'vscode';
import type { QuickAddOptions } from '../api';
import type { Day } from '../core/dates';
import { civilMs } from '../core/dates';
import { Disposables } from '../core/events';
import type { CommandId } from '../ids';
import { chipLabel } from './describe';
import { explain } from './errors';
import { t } from './l10n';
import type { Parts } from './parts';
import {
  type FromPage,
  type GroupView,
  type RowAct,
  type RowView,
  readFromPage,
  type ToPage,
  type WidgetAct,
} from './protocol';
import type { WidgetContent } from './todayContent';

const rowCommands: Record<RowAct, CommandId> = {
  complete: 'dueline.complete',
  open: 'dueline.open',
  rename: 'dueline.rename',
  delete: 'dueline.delete',
  due: 'dueline.setDue',
};

const widgetCommands = (): Record<WidgetAct, readonly [CommandId, ...unknown[]]> => ({
  undo: ['dueline.undo'],
  redo: ['dueline.redo'],
  quickAdd: ['dueline.quickAdd'],
  planTomorrow: ['dueline.quickAdd', { text: `${t('tomorrow')} ` }],
});

/**
 * The host's end of one page: answers `ready` with everything, follows the store while the page is visible, and sends
 * what changed. Acts go through the extension's commands, so that a widget has no write path of its own.
 */
export class WidgetHost implements vscode.Disposable {
  readonly #owned = new Disposables();
  #rows = new Map<string, RowView>();
  #sentRows = new Map<string, string>();
  #sentGroups = new Map<string, string>();
  #groups: readonly GroupView[] = [];
  #place: GroupView['place'];
  #ready = false;
  #stale = false;
  #pending: NodeJS.Timeout | undefined;

  constructor(
    private readonly parts: Parts,
    private readonly webview: vscode.Webview,
    private readonly isVisible: () => boolean,
    private readonly content: () => WidgetContent,
  ) {
    this.#owned.add(webview.onDidReceiveMessage(message => this.#receive(message)));
    this.#owned.add(parts.engine.onDidChange(() => this.update()));
    this.#owned.add({ dispose: () => clearTimeout(this.#pending) });
  }

  /** Draws soon; several changes at once are drawn once. */
  update(): void {
    this.#pending ??= setTimeout(() => {
      this.#pending = undefined;
      this.#show(false);
    }, 15);
  }

  /** A hidden page is not drawn; what it missed is drawn when it shows again. */
  onVisible(): void {
    if (this.#stale) this.#show(false);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #show(fresh: boolean): void {
    if (!this.#ready) return;
    this.#stale = !this.isVisible();
    if (this.#stale) return;
    const { frame, groups, rows, place } = this.content();
    this.#place = place;
    if (fresh) {
      this.#sentRows.clear();
      this.#sentGroups.clear();
    }
    this.#rows = new Map(rows.map(row => [row.key, row]));
    this.#groups = groups;
    const changedRows = rows.filter(row => this.#isNews(this.#sentRows, row));
    const changedGroups = groups.map(group => (this.#isNews(this.#sentGroups, group) ? group : { key: group.key }));
    // The page forgets what is not shown; it must be told again when it comes back.
    const groupKeys = new Set(groups.map(({ key }) => key));
    for (const key of this.#sentRows.keys()) if (!this.#rows.has(key)) this.#sentRows.delete(key);
    for (const key of this.#sentGroups.keys()) if (!groupKeys.has(key)) this.#sentGroups.delete(key);
    this.#post({ type: 'show', frame, groups: changedGroups, rows: changedRows, fresh });
  }

  #isNews(sent: Map<string, string>, item: { key: string }): boolean {
    const text = JSON.stringify(item);
    if (sent.get(item.key) === text) return false;
    sent.set(item.key, text);
    return true;
  }

  async #receive(message: unknown): Promise<void> {
    const said = readFromPage(message);
    if (!said) {
      this.parts.log.warn('A page sent a message that is none of ours.');
      return;
    }
    try {
      await this.#answer(said);
    } catch (error) {
      const request = 'request' in said ? said.request : undefined;
      this.#post({ type: 'failed', message: explain(error), ...(request === undefined ? {} : { request }) });
    }
  }

  async #answer(said: FromPage): Promise<void> {
    switch (said.type) {
      case 'ready':
        this.#ready = true;
        this.#show(true);
        return;
      case 'rows': {
        const targets = said.keys
          .flatMap(key => this.#rows.get(key) ?? [])
          .map(({ taskId, occurrence }) => ({ taskId, occurrence }));
        if (targets.length > 0) await vscode.commands.executeCommand(rowCommands[said.act], targets[0], targets);
        return;
      }
      case 'widget':
        await vscode.commands.executeCommand(...widgetCommands()[said.act]);
        return;
      case 'understand': {
        const { tokens, problem } = this.parts.engine.understand(said.text, { rejected: said.rejected });
        const chips = tokens.map(token => ({
          from: token.from,
          to: token.to,
          kind: token.kind,
          label: chipLabel(token),
        }));
        this.#post({
          type: 'understood',
          request: said.request,
          chips,
          ...(problem ? { problem: problem.message } : {}),
        });
        return;
      }
      case 'add':
        await this.#add(said);
    }
  }

  /** A task added where a day or a list is shown belongs there, unless its words say otherwise. */
  async #add({ text, rejected, request, group }: Extract<FromPage, { type: 'add' }>): Promise<void> {
    const { engine } = this.parts;
    const place = group === undefined ? this.#place : this.#groups.find(({ key }) => key === group)?.place;
    const options: QuickAddOptions = {
      rejected,
      ...(place?.listId === undefined ? {} : { listId: place.listId }),
      ...(place?.day === undefined
        ? {}
        : { defaults: { due: civilMs(place.day as Day), isAllDay: true, timezone: null } }),
    };
    const { title } = engine.understand(text, options);
    await engine.quickAdd(text, options);
    this.#post({ type: 'added', request, title });
  }

  #post(message: ToPage): void {
    void this.webview.postMessage(message);
  }
}
