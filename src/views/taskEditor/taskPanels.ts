import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { panels } from '../../contributions/ids';
import { Disposables } from '../../core/kernel/events';
import type { EpochMs, Id, Task } from '../../core/kernel/model';
import { quote } from '../../query/parse/lexer';
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
import { TaskPanel, tabTitle } from './taskPanel';

interface Opening {
  readonly isPreview?: boolean;
  readonly preserveFocus?: boolean;
  readonly column?: vscode.ViewColumn | undefined;
}

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
      const { tabs, column } = this.#unloadedTabs(task);
      const setup = { taskId: task.id, occurrence };
      // A tab that was kept stays kept.
      this.#create(tabTitle(titleOf(task)), setup, {
        isPreview: isPreview && tabs.length === 0,
        preserveFocus: isPreview,
        column,
      });
      if (tabs.length > 0) void vscode.window.tabGroups.close(tabs, true);
      return;
    }
    known.goBack = this.#wayBack(known);
    if (!isPreview) this.#previews.delete(known);
    else if (this.#previews.has(known)) this.#previews.set(known, ++this.#previewCount);
    known.panel.reveal(undefined, isPreview);
    if (!isPreview) known.edit();
    if (known.occurrence !== occurrence) known.turnTo(occurrence);
  }

  /**
   * The task's tab of the time before a reload, which a new one replaces. VS Code makes the page of such a tab once it is
   * shown, and until then only its title is known: it must be this task's, and no other's.
   */
  #unloadedTabs(task: Task): { readonly tabs: readonly vscode.Tab[]; readonly column?: vscode.ViewColumn } {
    const title = tabTitle(titleOf(task));
    const isLoaded = [...this.#open.keys()].some(({ panel }) => panel.title === title);
    if (isLoaded || !task.title || title === tabTitle(t('New Task'))) return { tabs: [] };
    const isIt = ({ label, input }: vscode.Tab) =>
      label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(panels.taskEditor);
    const found = vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
      tabs.filter(isIt).map(tab => ({ tab, viewColumn })),
    );
    const [first] = found;
    return !first || this.#hasNamesake(task)
      ? { tabs: [] }
      : { tabs: found.map(({ tab }) => tab), column: first.viewColumn };
  }

  #hasNamesake(task: Task): boolean {
    const { engine } = this.services;
    const title = tabTitle(titleOf(task));
    const lists = engine.lists().map(({ id }) => id);
    return engine
      .query(`title:${quote(title)} show:done`, { lists })
      .some(row => tabTitle(titleOf(row.task)) === title && (row.task.masterId ?? row.task.id) !== task.id);
  }

  /** An empty form; the task comes into being with its title. */
  async create(listId?: Id): Promise<void> {
    const targetList =
      this.#writable(listId) ?? defaultListOf(this.services.engine) ?? (await askForList(this.services.engine));
    if (targetList !== undefined) this.#create(tabTitle(t('New Task')), { taskId: null, listId: targetList });
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

  #create(
    title: string,
    formSetup: FormSetup,
    { isPreview = false, preserveFocus = isPreview, column }: Opening = {},
  ): void {
    const options = { ...pageOptions(this.services.extensionUri), enableFindWidget: true };
    const [before] = isPreview ? [...this.#previews.keys()].slice(-1) : [];
    const viewColumn = column ?? before?.panel.viewColumn ?? vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(panels.taskEditor, title, { viewColumn, preserveFocus }, options);
    const form = this.#show(panel, formSetup);
    if (!preserveFocus) {
      form.edit();
      return;
    }
    waitForPage(panel);
    if (!isPreview) return;
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
