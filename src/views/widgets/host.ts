import * as vscode from 'vscode';
import type { QuickAddOptions, TaskChange } from '../../api';
import type { Day } from '../../core/dates';
import { civilMs } from '../../core/dates';
import { Disposables } from '../../core/events';
import type { CommandId } from '../../ids';
import { chipLabel } from '../describe';
import { explain } from '../errors';
import { t } from '../l10n';
import type { Parts } from '../parts';
import {
  type FromPage,
  type GroupView,
  type RowAct,
  type RowView,
  readFromPage,
  type ToPage,
  type WidgetAct,
} from '../protocol';
import { dueOn, occurrenceAt } from '../reschedule';
import type { WidgetContent } from './content';
import { changed } from './pick';
import type { WidgetSetup } from './setup';

const rowCommands: Record<RowAct, CommandId> = {
  complete: 'dueline.complete',
  open: 'dueline.open',
  rename: 'dueline.rename',
  delete: 'dueline.delete',
  due: 'dueline.setDue',
  tags: 'dueline.editTags',
  priority: 'dueline.setPriority',
  list: 'dueline.moveToList',
  postpone: 'dueline.postpone',
};

const widgetCommands = (): Partial<Record<WidgetAct, readonly [CommandId, ...unknown[]]>> => ({
  undo: ['dueline.undo'],
  redo: ['dueline.redo'],
  quickAdd: ['dueline.quickAdd'],
  newList: ['dueline.list.new'],
  planTomorrow: ['dueline.quickAdd', { text: `${t('tomorrow')} ` }],
});

/** What the widget shows, and how to change it. */
export interface SetupBox {
  current(): WidgetSetup;
  change(setup: WidgetSetup): Promise<void>;
}

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
    private readonly setup: SetupBox,
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
      case 'move':
        await this.#move(said.keys, said.group);
        return;
      case 'widget': {
        const command = widgetCommands()[said.act];
        if (command) await vscode.commands.executeCommand(...command);
        else {
          const next = await changed(this.parts, this.setup.current(), said.act);
          if (next) await this.setup.change(next);
        }
        return;
      }
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
          ...(problem ? { problem: explain(problem) } : {}),
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

  /** Into a day: due there; of a series this one occurrence. Into a list: moved there. */
  async #move(keys: readonly string[], group: string): Promise<void> {
    const { engine } = this.parts;
    const place = this.#groups.find(({ key }) => key === group)?.place;
    if (!place) return;
    const { day, listId } = place;
    const zone = engine.clock.timeZone;
    const changes: TaskChange[] = [];
    for (const row of keys.flatMap(key => this.#rows.get(key) ?? [])) {
      const task = engine.task(row.taskId);
      if (!task) continue;
      if (listId !== undefined && listId !== task.listId) changes.push({ type: 'move', id: task.id, to: { listId } });
      if (day === undefined) continue;
      if (row.occurrence === null) changes.push({ type: 'update', id: task.id, patch: dueOn(task, day as Day, zone) });
      else {
        const patch = dueOn(occurrenceAt(task, row.occurrence), day as Day, zone);
        await engine.editOccurrence(task.id, row.occurrence, 'this', patch);
      }
    }
    if (changes.length > 0) await engine.apply(changes);
  }

  /** Has the page keep what it shows, so that it comes back after a reload. */
  remember(setup: WidgetSetup): void {
    this.#post({ type: 'remember', setup });
  }

  #post(message: ToPage): void {
    void this.webview.postMessage(message);
  }
}
