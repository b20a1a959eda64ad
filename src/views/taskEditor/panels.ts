import * as vscode from 'vscode';
import { Disposables } from '../../core/events';
import type { Id, Task } from '../../core/model';
import { type CommandId, panels } from '../../ids';
import { titleOf } from '../describe';
import { explain } from '../errors';
import { currentBundle, currentLocale, t } from '../l10n';
import { pageHtml, pageOptions } from '../page';
import type { Parts } from '../parts';
import { tabIcon } from '../widgets/panels';
import { pageDirection } from '../widgets/views';
import { formState, patchOf } from './form';
import { type FormAct, type FromForm, readFromForm, type ToForm } from './protocol';

/** Task forms as editor tabs: one for a task, back after a reload, gone with its task. */
export class TaskPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #open = new Map<Id, TaskPanel>();

  constructor(private readonly parts: Parts) {
    this.#owned.add(vscode.window.registerWebviewPanelSerializer(panels.taskEditor, this));
    this.#owned.add(
      parts.engine.onDidChange(() => {
        for (const panel of this.#open.values()) panel.update();
      }),
    );
  }

  open(task: Task): void {
    const known = this.#open.get(task.id);
    if (known) known.panel.reveal();
    else
      this.#show(
        vscode.window.createWebviewPanel(panels.taskEditor, titleOf(task), vscode.ViewColumn.Active, {
          ...pageOptions(this.parts.extensionUri),
          enableFindWidget: true,
        }),
        task.id,
      );
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = (state as { setup?: { taskId?: unknown } } | undefined)?.setup?.taskId;
    if (typeof id !== 'number' || !this.parts.engine.task(id) || this.#open.has(id)) panel.dispose();
    else {
      panel.webview.options = pageOptions(this.parts.extensionUri);
      this.#show(panel, id);
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #show(panel: vscode.WebviewPanel, id: Id): void {
    this.#open.set(id, new TaskPanel(this.parts, panel, id));
    panel.onDidDispose(() => this.#open.delete(id));
  }
}

class TaskPanel {
  #ready = false;

  constructor(
    private readonly parts: Parts,
    readonly panel: vscode.WebviewPanel,
    private readonly id: Id,
  ) {
    const { extensionUri } = parts;
    panel.iconPath = tabIcon(extensionUri);
    panel.webview.onDidReceiveMessage(message => this.#receive(message));
    panel.onDidChangeViewState(() => this.update());
    panel.webview.html = pageHtml(panel.webview, extensionUri, {
      script: 'taskEditor',
      styles: ['widget', 'taskEditor'],
      title: t('Task'),
      direction: pageDirection(),
      place: 'editor',
      boot: { kind: 'task', locale: currentLocale(), words: currentBundle(), setup: { taskId: id } },
    });
  }

  update(): void {
    if (!this.#ready || !this.panel.visible) return;
    const task = this.parts.engine.task(this.id);
    if (!task) {
      this.panel.title = t('Deleted task');
      this.#post({ type: 'gone' });
      return;
    }
    this.panel.title = titleOf(task).slice(0, 60);
    this.#post({ type: 'show', state: formState(this.parts.engine, task) });
  }

  async #receive(message: unknown): Promise<void> {
    const said = readFromForm(message);
    if (!said) {
      this.parts.log.warn('The task form sent a message that is none of ours.');
      return;
    }
    try {
      await this.#answer(said);
    } catch (error) {
      this.#post({ type: 'problem', field: said.type === 'field' ? said.field : '', message: explain(error) });
    }
  }

  async #answer(said: FromForm): Promise<void> {
    const { engine } = this.parts;
    if (said.type === 'ready') {
      this.#ready = true;
      this.update();
      return;
    }
    const task = engine.task(this.id);
    if (!task) return;
    switch (said.type) {
      case 'field':
        if (said.field === 'listId') await engine.moveTask(task.id, { listId: Number(said.value) });
        else await engine.updateTask(task.id, patchOf(said.field, said.value, task, engine.clock.timeZone));
        return;
      case 'dropAlarm':
        await engine.updateTask(task.id, { alarms: task.alarms.filter((_, at) => at !== said.at) });
        return;
      case 'toggle':
        await vscode.commands.executeCommand('dueline.complete', said.id);
        return;
      case 'open':
        await vscode.commands.executeCommand('dueline.open', said.id);
        return;
      case 'addSubtask':
        if (said.title.trim() !== '') await engine.quickAdd(said.title, { listId: task.listId, parentId: task.id });
        return;
      case 'act':
        await vscode.commands.executeCommand(acts[said.act], task.id);
    }
  }

  #post(message: ToForm): void {
    void this.panel.webview.postMessage(message);
  }
}

const acts: Record<FormAct, CommandId> = {
  repeat: 'dueline.setRecurrence',
  addAlarm: 'dueline.addAlarm',
  duplicate: 'dueline.duplicate',
  delete: 'dueline.delete',
  copyLink: 'dueline.copyLink',
  undo: 'dueline.undo',
  redo: 'dueline.redo',
};
