import * as vscode from 'vscode';
import type { TaskTarget } from '../../contributions/commandTargets';
import type { CommandId } from '../../contributions/definitions';
import type { AnchorEdit } from '../../core/code/anchors';
import { isClosed } from '../../core/fields/status';
import { type EpochMs, type Id, Status, type Task, type TaskInput } from '../../core/kernel/model';
import { civilMs, today } from '../../core/time/dates';
import { isolate, t, tn } from '../../shared/l10n';
import { fieldRefused, readFromForm } from '../../shared/readFromForm';
import { requestOfLine } from '../../shared/readFromPage';
import type {
  ChipInputState,
  ChipSuggestions,
  FormAct,
  FormChange,
  FormSetup,
  FromForm,
  ToForm,
} from '../../shared/taskEditorProtocol';
import { type Announcement, announcementOf, isAnnouncement, perform } from '../../ui/announcements';
import { restoringFocus } from '../../ui/dialogs';
import { explain, showError } from '../../ui/errors';
import type { Services } from '../../ui/services';
import { openFile } from '../../ui/taskLinks';
import { addedText } from '../../ui/text/addedText';
import { codeLinks } from '../../ui/text/codeLinks';
import { titleOf } from '../../ui/text/taskText';
import type { UnloadedTab } from '../webview/unloadedTabs';
import { quickAddPreview, quickAddResult } from '../widgets/quickAddReplies';
import { chipSuggestions } from './chipSuggestions';
import { Draft } from './draft';
import { EditedTask } from './editedTask';
import { formState } from './form';
import { editOf, type FormEdit } from './formEdit';
import { withElsewhere } from './mergedNotes';

/** The host's end of one form. A form without a task yet is a draft: its first title makes the task. */
export class TaskPanel {
  /** To the tree or the widget that the task was opened from. */
  goBack: (() => void) | undefined;
  #edited: EditedTask | undefined;
  #draft: Draft | undefined;
  #ready = false;
  /** The tab is closed: writes that have begun are finished, and the editor throws at every question about the tab. */
  #isDisposed = false;
  /** The user has opened the task to edit it, and the page was not notified yet. */
  #opensToEdit = false;
  /** The text typed in a line of the page; it is applied if the page goes away before the line is left. */
  #line: ChipInputState | undefined;
  /** Only the page has the notes: closing it would lose them. */
  #lacksNotes = false;
  /** Fields are written in the order in which they were sent. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly services: Pick<Services, 'engine' | 'log' | 'announce'>,
    readonly panel: vscode.WebviewPanel,
    { taskId, occurrence = null, listId, draft }: FormSetup,
    private readonly unloaded: UnloadedTab,
  ) {
    if (taskId !== null) this.#edited = new EditedTask(services.engine, taskId, occurrence);
    else this.#draft = new Draft(services.engine, listId ?? services.engine.defaultListId(), draft);
    panel.webview.onDidReceiveMessage(message => this.#receive(message));
    panel.onDidChangeViewState(() => {
      this.update();
      if (!panel.visible) this.#leaveLine();
    });
    panel.onDidDispose(() => {
      this.#isDisposed = true;
      this.#leaveLine();
    });
  }

  get taskId(): Id | undefined {
    return this.#edited?.id;
  }

  get occurrence(): EpochMs | null {
    return this.#edited?.occurrence ?? null;
  }

  /** Shows another occurrence of the same series, or the series. */
  turnTo(occurrence: EpochMs | null): void {
    if (this.#edited) this.#edited = new EditedTask(this.services.engine, this.#edited.id, occurrence);
    this.update();
  }

  update(): void {
    if (this.#isDisposed) return;
    const task = this.#task();
    this.#entitle(task ? (task.id === 0 ? t('New Task') : titleOf(task)) : t('Deleted Task'));
    if (!this.#ready || !this.panel.visible) return;
    if (!task) {
      void this.#postGone();
      return;
    }
    this.#show(task);
  }

  #show(task: Task, line?: ChipInputState): void {
    const state = formState(this.services.engine, task, this.#edited);
    this.#post({ type: 'show', state, setup: this.#setup(), ...(line ? { line } : {}) });
  }

  /** The tab follows its task even while another one covers it. */
  #entitle(title: string): void {
    this.panel.title = tabTitle(title);
    this.unloaded.retitle(this.panel.title);
  }

  async #postGone(): Promise<void> {
    const entry = await this.#inTrash().catch(() => undefined);
    // It may be back by now.
    if (!this.#task()) this.#post({ type: 'gone', inTrash: entry !== undefined });
  }

  /** The task of this form, whatever was done since it was deleted. */
  async #restore(): Promise<void> {
    const { engine } = this.services;
    const entry = await this.#inTrash();
    const { result, step } = await engine.stepOf(async () => (entry ? engine.restore([entry.key]) : []));
    const [id] = result;
    if (id !== undefined) this.#edited = new EditedTask(engine, id, null);
    this.update();
    if (id !== undefined) this.#announce(announcementOf(tn(1, 'Restored {0} task', 'Restored {0} tasks'), step));
  }

  #inTrash = async () => (await this.services.engine.trash()).find(({ task }) => task.id === this.taskId);

  #setup(): FormSetup {
    if (this.#edited) return { taskId: this.#edited.id, occurrence: this.#edited.occurrence };
    const { listId, input } = this.#draft!;
    return { taskId: null, listId, draft: input };
  }

  #task = (): Task | undefined => this.#edited?.task() ?? this.#draft?.task;

  async #receive(message: unknown): Promise<void> {
    const request = readFromForm(message);
    if (!request) {
      this.#refuse(message);
      return;
    }
    const answering = this.#queue.then(async () => {
      await this.#answer(request);
      if (request.type !== 'field') return;
      if (request.field === 'notes') this.#lacksNotes = false;
      this.#postSaved(request);
    });
    this.#queue = answering.catch(error => {
      // Words that were typed last, in a tab that is closed: nothing else shows that they are lost.
      if (this.#isDisposed) void showError(error);
      if (fieldOf(request) === 'notes') this.#lacksNotes = true;
      const text = explain(error);
      this.#post(
        isLine(request)
          ? { type: 'failed', request: request.request, message: text }
          : { type: 'problem', field: fieldOf(request), message: text },
      );
      // The edit was not stored: the page gets what is.
      this.update();
    });
    await this.#queue;
  }

  /** A message that is too long to be read is answered too: the page waits for it. */
  #refuse(message: unknown): void {
    const [request, field] = [requestOfLine(message), fieldRefused(message)];
    if (field === 'notes') this.#lacksNotes = true;
    const text = t('This text is too long.');
    if (request !== undefined) this.#post({ type: 'failed', request, message: text });
    else if (field !== undefined) this.#post({ type: 'problem', field, message: text });
    else this.services.log.warn('The task form sent a message that is none of ours.');
  }

  #postSaved(request: Extract<FromForm, { type: 'field' }>): void {
    const { field, value } = request;
    const task = this.#task();
    this.update();
    this.#post({ type: 'saved', field, merged: task !== undefined && withElsewhere(request, task) !== value });
  }

  async #answer(request: FromForm): Promise<void> {
    if (request.type === 'ready') {
      await this.#begin();
      return;
    }
    if (request.type === 'leave') {
      if (request.closes && this.#lacksNotes) return;
      if (request.closes) this.panel.dispose();
      this.goBack?.();
      return;
    }
    const { engine } = this.services;
    const task = this.#task();
    if (!task) {
      if (request.type === 'restore') await this.#restore();
      return;
    }
    switch (request.type) {
      case 'field':
        return this.#change([{ ...request, value: withElsewhere(request, task) }], task);
      case 'take':
        return this.#change(request.changes, task);
      case 'repeat':
      case 'dropLastTag':
      case 'addTags':
      case 'dropTag':
      case 'addAlarm':
      case 'dropAlarm':
      case 'addBlocker':
      case 'dropBlocker':
        return this.#change([request], task);
      case 'suggest':
        this.#line = request.text.trim() === '' ? undefined : request;
        this.#post({ type: 'suggestions', request: request.request, ...this.#suggestions(request, task) });
        // The last letter may come after the event that the page is hidden.
        return this.#isDisposed || !this.panel.visible ? this.#takeLine() : undefined;
      case 'scope':
        if (this.#edited) this.#edited.scope = request.scope;
        this.update();
        return;
      case 'openFile':
        return openFile(request.file);
      case 'openCodeLink':
        return codeLinks()?.open(this.#edited?.series() ?? task, request.source);
      case 'removeCodeLink':
        return this.#editLinks({ remove: [request.source] }, t('Removed the link from {0}', isolate(titleOf(task))));
      case 'linkHere':
        return this.#linkHere(t('Linked {0}', isolate(titleOf(task))));
      case 'toggle':
      case 'open':
        if (this.#shows(request.id, task))
          await this.#run(request.type === 'toggle' ? 'dueline.complete' : 'dueline.open', request.id);
        return;
      case 'parse':
      case 'newList':
        this.#post(quickAddPreview(engine, request, { parentId: task.id }) as ToForm);
        return;
      case 'add':
        if (task.id > 0) await this.#addSubtask(task, request);
        return;
      case 'act':
        if (task.id > 0 || isOfAny(request.act))
          await this.#run(commandIds[request.act], ...(task.id > 0 ? [this.#target(task)] : []));
    }
  }

  /** A page that is new, or back. */
  async #begin(): Promise<void> {
    this.#ready = true;
    this.unloaded.forget();
    await this.#takeLine();
    this.update();
    const task = this.#task();
    if (task && this.#line) this.#show(task, this.#line);
    if (this.#opensToEdit) this.edit();
  }

  /** Begins in the title, once the page is there: without this, a page that gets the focus edits nothing. */
  edit(): void {
    this.#opensToEdit = !this.#ready;
    if (this.#ready) this.#post({ type: 'edit' });
  }

  #leaveLine(): void {
    if (!this.#line) return;
    this.#queue = this.#queue.then(() => this.#takeLine()).catch(error => void showError(error));
  }

  /** Applies the typed text as if the line were left on the page; a text without a meaning yet stays. */
  async #takeLine(): Promise<void> {
    const task = this.#task();
    const reading = this.#line && task && this.#suggestions(this.#line, task).items.find(({ isReading }) => isReading);
    if (!reading || !task) return;
    this.#line = undefined;
    await this.#change(reading.changes, task);
  }

  #suggestions({ chip: kind, text, replaces }: ChipInputState, task: Task): ChipSuggestions {
    const series = this.#edited?.series() ?? task;
    return chipSuggestions(this.services.engine, { kind, task, series, replaces }, text);
  }

  /** Tests whether a task has a row on the page, or is the parent above its title. */
  #shows(id: Id, task: Task): boolean {
    const { engine } = this.services;
    const series = this.#edited?.series() ?? task;
    const isRelative = engine.task(id)?.parentId === task.id || series.parentId === id;
    return isRelative || engine.blockersOf(series).some(({ task: blocker }) => blocker?.id === id);
  }

  async #linkHere(text: string): Promise<void> {
    const [links, series] = [codeLinks(), this.#edited?.series()];
    const cursor = links?.cursor();
    const edit = series && cursor && (await links?.link(series, cursor.document, cursor.line));
    if (edit) await this.#editLinks(edit, text);
  }

  async #editLinks(edit: AnchorEdit, text: string): Promise<void> {
    const { engine } = this.services;
    const series = this.#edited?.series();
    const apply = () => engine.apply([{ type: 'anchors', id: series!.id, edit }]);
    if (series) this.#announce(await perform(engine, apply, () => text));
  }

  async #addSubtask(parent: Task, line: Extract<FromForm, { type: 'add' }>): Promise<void> {
    const added = await quickAddResult(this.services.engine, line, {}, parent);
    this.#announce(added);
    this.#post({ type: 'added', request: line.request, text: added.text });
  }

  /** The target for commands of the form: the occurrence's own row, or the occurrence of its series. */
  #target({ id }: Task): TaskTarget {
    const { rowId = id, occurrence = null } = this.#edited ?? {};
    return rowId !== id || occurrence === null ? rowId : { taskId: id, occurrence };
  }

  async #run(command: CommandId, ...targets: TaskTarget[]): Promise<void> {
    const returned = await restoringFocus(
      () => this.#isDisposed || this.panel.reveal(undefined, false),
      async () => vscode.commands.executeCommand(command, ...targets),
    );
    if (isAnnouncement(returned)) this.#post({ type: 'announced', text: returned.text });
  }

  /** Applies the changes of one line or one field as one step. */
  async #change(changes: readonly FormChange[], task: Task): Promise<void> {
    const { clock, settings } = this.services.engine;
    const edit = editOf(changes, task, clock.timeZone);
    // A series counts from a date; a task without one starts today.
    const first: TaskInput = { due: civilMs(today(clock, settings.dayStartHour)), isAllDay: true, timezone: null };
    if (!this.#edited) await this.#takeDraft(edit, first);
    // Completing it by its status or its progress is what its checkbox does.
    else if (edit.patch.status === Status.completed && !isClosed(task))
      await this.#run('dueline.complete', this.#target(task));
    else this.#announce(await this.#edited.apply(edit, first));
    this.update();
  }

  async #takeDraft({ patch, repeat, listId }: FormEdit, first: TaskInput): Promise<void> {
    const draft = this.#draft!;
    if (listId !== undefined) draft.listId = listId;
    const { due, dtstart } = { ...draft.task, ...patch };
    const begins = repeat && repeat.rule !== null && due === null && dtstart === null;
    const { engine } = this.services;
    const input = {
      ...patch,
      ...(begins ? first : {}),
      ...(repeat ? { rrule: repeat.rule, from: repeat.from } : {}),
    };
    const { result: id, step } = await engine.stepOf(() => draft.take(input));
    if (id === undefined) return;
    this.#announce(announcementOf(addedText(engine, [id]), step));
    this.#edited = new EditedTask(engine, id, null);
    this.#draft = undefined;
  }

  #announce(done: Announcement | undefined): void {
    if (done) this.services.announce(done);
  }

  #post(message: ToForm): void {
    if (this.#isDisposed) return;
    void this.panel.webview.postMessage(message);
  }
}

export const tabTitle = (title: string): string => title.slice(0, 60);

const isLine = (request: FromForm) => request.type === 'add' || request.type === 'newList';

function fieldOf(request: FromForm): string {
  const [change, ...others] = request.type === 'take' ? request.changes : [request];
  if (others.length > 0) return '';
  return change?.type === 'field' ? change.field : change?.type === 'repeat' ? change.type : '';
}

const commandIds: Record<FormAct, CommandId> = {
  complete: 'dueline.complete',
  editNotes: 'dueline.editNotes',
  openLink: 'dueline.openLink',
  duplicate: 'dueline.duplicate',
  delete: 'dueline.delete',
  copyLink: 'dueline.copyLink',
  copyShortId: 'dueline.copyShortId',
  pinHere: 'dueline.pinHere',
  undo: 'dueline.undo',
  redo: 'dueline.redo',
  showKeys: 'dueline.showKeys',
};

/** The actions that a task has before it is created, too. */
const isOfAny = (act: FormAct) => act === 'undo' || act === 'redo' || act === 'showKeys';
