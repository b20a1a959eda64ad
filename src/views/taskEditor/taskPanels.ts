import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { panels } from '../../contributions/ids';
import { Disposables } from '../../core/kernel/events';
import type { EpochMs, Id, Task } from '../../core/kernel/model';
import { t } from '../../shared/l10n';
import type { FormSetup } from '../../shared/taskEditorProtocol';
import { createDefaultList, defaultListOf } from '../../ui/defaultList';
import { waitForPage } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { inSeries } from '../../ui/occurrences';
import type { Services } from '../../ui/services';
import { codeLinks } from '../../ui/text/codeLinks';
import { titleOf } from '../../ui/text/taskText';
import { pageHtml, pageOptions, pageWords } from '../webview/page';
import { tabIcon } from '../webview/tabIcon';
import { UnloadedTabs } from '../webview/unloadedTabs';
import { pageDirection } from '../widgets/widgetView';
import { TaskPanel } from './taskPanel';

/** Task forms as editor tabs: one for a task, back after a reload, gone with its task. */
export class TaskPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #open = new Map<TaskPanel, () => void>();
  readonly #unloaded: UnloadedTabs<FormSetup>;
  /** Forms that nothing was done in, by when they were asked for: the next one takes their place. */
  readonly #previews = new Map<TaskPanel, number>();
  #previewCount = 0;

  constructor(
    private readonly services: Pick<
      Services,
      'engine' | 'extensionUri' | 'log' | 'workspaceState' | 'selection' | 'announce'
    >,
    private readonly showInLists: (task: Task) => Promise<void>,
  ) {
    this.#unloaded = new UnloadedTabs(services.workspaceState, panels.taskEditor);
    this.#owned.add(vscode.window.registerWebviewPanelSerializer(panels.taskEditor, this));
    const update = () => {
      for (const panel of this.#open.keys()) panel.update();
    };
    this.#owned.add(services.engine.onDidChange(update));
    const moved = codeLinks()?.onDidMove(update);
    if (moved) this.#owned.add(moved);
  }

  open(task: Task, occurrence: EpochMs | null = null, isPreview = false): void {
    const known = this.#formOf(task.id);
    if (!known) {
      this.#create(titleOf(task), { taskId: task.id, occurrence }, isPreview);
      return;
    }
    known.goBack = this.#wayBack(known);
    if (!isPreview) this.#previews.delete(known);
    else if (this.#previews.has(known)) this.#previews.set(known, ++this.#previewCount);
    known.panel.reveal(undefined, isPreview);
    if (!isPreview) known.edit();
    if (known.occurrence !== occurrence) known.turnTo(occurrence);
  }

  /** An empty form; the task comes into being with its title. */
  async create(listId?: Id): Promise<void> {
    const targetList =
      this.#writable(listId) ?? defaultListOf(this.services.engine) ?? (await askForList(this.services.engine));
    if (targetList !== undefined) this.#create(t('New Task'), { taskId: null, listId: targetList });
  }

  #writable = (listId: Id | undefined): Id | undefined =>
    this.services.engine.lists().find(({ id, isReadOnly }) => id === listId && !isReadOnly)?.id;

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const formSetup = (state as { setup?: FormSetup } | undefined)?.setup ?? this.#unloaded.take(panel.title);
    const setup = formSetup && (await this.#restored(formSetup));
    if (!setup) panel.dispose();
    else {
      panel.webview.options = pageOptions(this.services.extensionUri);
      this.#show(panel, setup);
    }
  }

  /** The setup that a page kept, as far as it still applies; undefined if its task is gone or open already. */
  async #restored({ taskId, occurrence, listId, draft }: FormSetup): Promise<FormSetup | undefined> {
    const { engine } = this.services;
    if (taskId === null)
      return {
        taskId,
        listId: this.#writable(listId) ?? (await createDefaultList(engine)),
        ...(draft ? { draft } : {}),
      };
    if (typeof taskId !== 'number' || !engine.task(taskId) || this.#formOf(taskId)) return undefined;
    return { taskId, occurrence: typeof occurrence === 'number' ? occurrence : null };
  }

  /** The pages again, with the words of now; a new task's form keeps the words that someone is writing in. */
  redraw(): void {
    for (const [form, draw] of this.#open) if (form.taskId !== undefined) draw();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** After a start, no view was used yet from which the task could have been opened: the way back is then its list. */
  #wayBack = (form: TaskPanel): (() => void) =>
    this.services.selection.wayBack ??
    (() => {
      const task = form.taskId === undefined ? undefined : this.services.engine.task(form.taskId);
      if (task) void this.showInLists(inSeries(this.services.engine, task).task);
      else void vscode.commands.executeCommand('dueline.lists.focus');
    });

  #formOf(id: Id): TaskPanel | undefined {
    return [...this.#open.keys()].find(one => one.taskId === id);
  }

  #create(title: string, formSetup: FormSetup, isPreview = false): void {
    const options = { ...pageOptions(this.services.extensionUri), enableFindWidget: true };
    const [before] = isPreview ? [...this.#previews.keys()].slice(-1) : [];
    const column = { viewColumn: before?.panel.viewColumn ?? vscode.ViewColumn.Active, preserveFocus: isPreview };
    const panel = vscode.window.createWebviewPanel(panels.taskEditor, title.slice(0, 60), column, options);
    const form = this.#show(panel, formSetup);
    if (!isPreview) {
      form.edit();
      return;
    }
    waitForPage(panel);
    const count = ++this.#previewCount;
    this.#previews.set(form, count);
    panel.webview.onDidReceiveMessage(({ type }: { type: unknown }) => {
      if (type !== 'ready') this.#previews.delete(form);
      // The last input of the earlier preview has arrived by now, and keeps it open.
      else for (const [other, earlier] of this.#previews) if (earlier < count) other.panel.dispose();
    });
  }

  #show(panel: vscode.WebviewPanel, formSetup: FormSetup): TaskPanel {
    const { extensionUri } = this.services;
    const unloaded = this.#unloaded.add(panel.title, formSetup);
    const form = new TaskPanel(this.services, panel, formSetup, unloaded);
    form.goBack = this.#wayBack(form);
    panel.onDidDispose(() => {
      unloaded.forget();
      this.#previews.delete(form);
      this.#open.delete(form);
    });
    const draw = () => {
      panel.iconPath = tabIcon('task');
      panel.webview.html = pageHtml(panel.webview, extensionUri, {
        styles: ['tasks', 'task'],
        title: t('Task'),
        direction: pageDirection(),
        viewLocation: 'editor',
        boot: { kind: 'task', ...pageWords(), setup: formSetup },
      });
    };
    this.#open.set(form, draw);
    draw();
    return form;
  }
}

/** Offers to create a list for an empty form. Undefined if the user does not want one. */
async function askForList(engine: DuelineEngine): Promise<Id | undefined> {
  const make = t('Create Local List');
  const picked = await showInformation(t('All lists are read-only. Create a local list to add a task.'), make);
  return picked === make ? createDefaultList(engine) : undefined;
}
