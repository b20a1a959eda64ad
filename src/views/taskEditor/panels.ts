import * as vscode from 'vscode';
import { Disposables } from '../../core/events';
import type { EpochMs, Id, Task } from '../../core/model';
import { panels } from '../../ids';
import { titleOf } from '../describe';
import { t } from '../l10n';
import { pageHtml, pageOptions, pageWords } from '../page';
import type { Parts } from '../parts';
import { UnloadedTabs } from '../unloadedTabs';
import { tabIcon } from '../widgets/panels';
import { pageDirection } from '../widgets/views';
import { TaskPanel } from './panel';
import type { FormSetup } from './protocol';

/** Task forms as editor tabs: one for a task, back after a reload, gone with its task. */
export class TaskPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #open = new Map<TaskPanel, () => void>();
  readonly #unloaded: UnloadedTabs<FormSetup>;

  constructor(private readonly parts: Parts) {
    this.#unloaded = new UnloadedTabs(parts.memory, panels.taskEditor);
    this.#owned.add(vscode.window.registerWebviewPanelSerializer(panels.taskEditor, this));
    this.#owned.add(
      parts.engine.onDidChange(() => {
        for (const panel of this.#open.keys()) panel.update();
      }),
    );
  }

  open(task: Task, occurrence: EpochMs | null = null): void {
    const known = this.#formOf(task.id);
    if (known && known.occurrence === occurrence) known.panel.reveal();
    else if (known) {
      known.panel.reveal();
      known.turnTo(occurrence);
    } else this.#create(titleOf(task), { taskId: task.id, occurrence });
  }

  /** An empty form; the task comes into being with its title. */
  create(listId?: Id): void {
    this.#create(t('New Task'), { taskId: null, listId: listId ?? this.parts.engine.defaultListId() });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = (state as { setup?: FormSetup } | undefined)?.setup ?? this.#unloaded.take(panel.title);
    const setup = kept && this.#restored(kept);
    if (!setup) panel.dispose();
    else {
      panel.webview.options = pageOptions(this.parts.extensionUri);
      this.#show(panel, setup);
    }
  }

  /** What a page kept, as far as it can be true; undefined where its task is gone or open already. */
  #restored({ taskId, occurrence, listId, draft }: FormSetup): FormSetup | undefined {
    if (taskId === null)
      return { taskId, ...(typeof listId === 'number' ? { listId } : {}), ...(draft ? { draft } : {}) };
    if (typeof taskId !== 'number' || !this.parts.engine.task(taskId) || this.#formOf(taskId)) return undefined;
    return { taskId, occurrence: typeof occurrence === 'number' ? occurrence : null };
  }

  /** The pages anew, with the words of now; a new task's form keeps the words that somebody is writing in. */
  redraw(): void {
    for (const [form, draw] of this.#open) if (form.taskId !== undefined) draw();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #formOf(id: Id): TaskPanel | undefined {
    return [...this.#open.keys()].find(one => one.taskId === id);
  }

  #create(title: string, kept: FormSetup): void {
    const options = { ...pageOptions(this.parts.extensionUri), enableFindWidget: true };
    this.#show(
      vscode.window.createWebviewPanel(panels.taskEditor, title.slice(0, 60), vscode.ViewColumn.Active, options),
      kept,
    );
  }

  #show(panel: vscode.WebviewPanel, kept: FormSetup): void {
    const { extensionUri } = this.parts;
    const unloaded = this.#unloaded.add(panel.title, kept);
    const form = new TaskPanel(this.parts, panel, kept, unloaded);
    panel.onDidDispose(() => {
      unloaded.forget();
      this.#open.delete(form);
    });
    panel.iconPath = tabIcon(extensionUri);
    const draw = () => {
      panel.webview.html = pageHtml(panel.webview, extensionUri, {
        script: 'taskEditor',
        styles: ['widget', 'quickAdd', 'taskEditor', 'taskNotes'],
        title: t('Task'),
        direction: pageDirection(),
        place: 'editor',
        boot: { kind: 'task', ...pageWords(), setup: kept },
      });
    };
    this.#open.set(form, draw);
    draw();
  }
}
