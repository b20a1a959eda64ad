import * as vscode from 'vscode';
import type { Change } from '../../api';
import type { TaskTarget } from '../../contributions/commandTargets';
import type { CommandId } from '../../contributions/definitions';
import { isClosed } from '../../core/fields/status';
import { DuelineError } from '../../core/kernel/errors';
import { Disposables } from '../../core/kernel/events';
import { type Id, Status } from '../../core/kernel/model';
import { widgets } from '../../query/agenda/widgets';
import { isolate, t } from '../../shared/l10n';
import { LatestOnly } from '../../shared/latestOnly';
import { type FromPage, readFromPage, requestOfLine } from '../../shared/readFromPage';
import type { DropValues, GroupView, ToPage, WidgetAct, WidgetSetup } from '../../shared/widgetProtocol';
import type { RowSummary } from '../../shared/widgetRow';
import { type Announcement, isAnnouncement, performOnList } from '../../ui/announcements';
import { listInSameAccount } from '../../ui/defaultList';
import { isAsking, offerManualOrder, restoringFocus } from '../../ui/dialogs';
import { draggedTasks } from '../../ui/draggedTasks';
import { explain, showError } from '../../ui/errors';
import type { SelectionSource } from '../../ui/selection';
import type { Services } from '../../ui/services';
import { sidebarWidth } from '../../ui/sidebarWidth';
import { AgentChanges } from './agentChanges';
import type { WidgetContent } from './content';
import { meetingsCommand, rowCommands, widgetCommands } from './pageCommands';
import { changeBy } from './pick';
import { defaultsIn, quickAddPreview, quickAddResult } from './quickAddReplies';
import { moveBeside, moveInto, movesInto, setPriority } from './rowActs';
import { RowDelivery } from './rowDelivery';
import type { SetupChange } from './setup';
import { choicesOf, suggestionsFor } from './setupChoices';

/**
 * The wait before a change from elsewhere is drawn. A tree that has changed is asked for its rows about 15 ms later, and
 * would not answer while widgets are read.
 */
const waitMs = 40;

/** The key of a row begins with that of its group, and ends with numbers. */
const groupIn = (row: string) => row.slice(0, row.lastIndexOf('/'));

/** Older editors keep the drags of their own views from pages. */
const canDrop = vscode.version.localeCompare('1.93', 'en', { numeric: true }) >= 0;

/** The setup of a widget, and how to change it. */
interface SetupBox {
  current(): WidgetSetup;
  change(change: SetupChange): Promise<void>;
  /** Called once the page has loaded, and keeps the messages that it gets. */
  loaded?(): void;
  /** Moves the focus to the page. */
  focus(): void;
}

/**
 * The host's end of one page: answers `ready` with everything, follows the store while the page is visible, and sends
 * what changed. Acts go through the extension's commands, so that a widget has no write path of its own.
 */
export class WidgetHost implements vscode.Disposable, SelectionSource {
  readonly #owned = new Disposables();
  readonly #rows = new RowDelivery();
  readonly #agentChanges = new AgentChanges(tasks => this.#rows.hasAny(tasks));
  #sentGroups = new Map<string, GroupView>();
  #groups: readonly GroupView[] = [];
  readonly #newest = new LatestOnly();
  /** By group, how often more of its rows were asked for. */
  readonly #extraPages = new Map<string, number>();
  #dropValues: DropValues | undefined;
  #ready = false;
  #stale = false;
  #opensSetup = false;
  #selected: readonly TaskTarget[] = [];
  /** The last announcement on the page: an answer that names an older step is too late. */
  #announcement: Announcement | undefined;
  #pending: NodeJS.Timeout | undefined;

  constructor(
    private readonly services: Pick<Services, 'engine' | 'log' | 'selection' | 'announce'>,
    private readonly webview: vscode.Webview,
    private readonly isVisible: () => boolean,
    private readonly content: (extraPages: ReadonlyMap<string, number>) => WidgetContent,
    private readonly setup: SetupBox,
  ) {
    this.#owned.add(webview.onDidReceiveMessage(message => this.#receive(message)));
    this.#owned.add(services.engine.onDidChange(change => this.update(change)));
    this.#owned.add(services.engine.reminders.onDidChange(() => this.#showsReminders() && this.update()));
    this.#owned.add(services.engine.meetings.onDidChange(() => this.update()));
    this.#owned.add(draggedTasks.onStart(() => this.#announceHowToDrop()));
    this.#owned.add({ dispose: () => clearTimeout(this.#pending) });
  }

  /** Draws once for several changes, and after the page's own acts at once. */
  update(change?: Change): void {
    this.#agentChanges.note(change);
    this.#pending ??= setTimeout(() => this.#showPending(), waitMs);
  }

  #showPending(): void {
    if (!this.#pending) return;
    clearTimeout(this.#pending);
    this.#pending = undefined;
    this.#show(false);
  }

  /** A hidden page is not drawn; changes are drawn when it is shown again. */
  onVisible(): void {
    if (this.#stale) this.#show(false);
  }

  dispose(): void {
    this.#ready = false;
    this.#newest.end();
    this.services.selection.forget(this);
    this.#owned.dispose();
  }

  /** Makes this one of the views whose rows a command can mean. */
  focus(): void {
    this.#focus();
  }

  #showsReminders = () => widgets[this.setup.current().kind].grouping === 'today';

  get visible(): boolean {
    return this.isVisible();
  }

  /** The rows that the user has selected. */
  get selection(): readonly TaskTarget[] {
    return this.#selected;
  }

  /** Opens the settings form of the page: now, or once the page has loaded. */
  configure(): void {
    if (this.#ready) this.#post(choicesOf(this.services.engine, this.setup.current()));
    else this.#opensSetup = true;
  }

  /** Opens the setup when the page is back, if it was thrown away while it was hidden. */
  configureWhenBack(): void {
    this.#opensSetup = true;
  }

  #show(fresh: boolean): void {
    if (!this.#ready) return;
    this.#stale = !this.isVisible();
    if (this.#stale) return;
    const { frame, groups, lines, dropValues } = this.content(this.#extraPages);
    this.#dropValues = dropValues;
    this.#groups = groups;
    // The height of cards depends on their text.
    const rows = this.#rows.diff(lines, groups, { fresh, whole: frame.hasCards });
    this.#post({ type: 'show', frame, groups: this.#changedGroups(groups, fresh), rows, fresh });
    const message = this.#agentChanges.take();
    if (message) this.#post(message);
  }

  #showMore(group: string): void {
    this.#extraPages.set(group, (this.#extraPages.get(group) ?? 0) + 1);
    this.#show(false);
  }

  #changedGroups(groups: readonly GroupView[], fresh: boolean): (GroupView | { readonly key: string })[] {
    const before = fresh ? new Map<string, GroupView>() : this.#sentGroups;
    // The page forgets groups that are not shown, and must get them again when they come back.
    this.#sentGroups = new Map(groups.map(group => [group.key, group]));
    return groups.map(group => {
      const old = before.get(group.key);
      return old && JSON.stringify(old) === JSON.stringify(group) ? { key: group.key } : group;
    });
  }

  async #receive(message: unknown): Promise<void> {
    const request = readFromPage(message);
    if (!request) {
      const line = requestOfLine(message);
      if (line !== undefined) this.#post({ type: 'failed', request: line, message: t('This text is too long.') });
      else this.services.log.warn('A page sent a message that is none of ours.');
      return;
    }
    try {
      const focus = () => this.#post({ type: 'focus', afterQuestion: true });
      await restoringFocus(focus, () => this.#answer(request));
      this.#showPending();
    } catch (error) {
      const line = 'request' in request ? request.request : undefined;
      this.#post({ type: 'failed', message: explain(error), ...(line === undefined ? {} : { request: line }) });
    }
  }

  async #answer(request: FromPage): Promise<void> {
    switch (request.type) {
      case 'ready':
        this.#ready = true;
        this.setup.loaded?.();
        this.#show(true);
        if (this.#opensSetup) this.configure();
        this.#opensSetup = false;
        return;
      case 'width':
        sidebarWidth.set(request.width);
        return;
      case 'unfocused':
        if (this.isVisible() && !isAsking()) this.setup.focus();
        return;
      case 'selected':
        this.#selected = this.#targets(request.keys);
        this.services.selection.use(this);
        return;
      case 'requestDetails':
        this.#post({ type: 'rowDetails', rows: this.#rows.detailsOf(request.keys) });
        return;
      case 'more':
        this.#showMore(request.group);
        return;
      case 'widget':
        if (request.act === 'configure') this.configure();
        else await this.#widget(request.act);
        return;
      case 'answer':
        return this.#answerTo(request);
      case 'setup':
        return this.setup.change(request.setup);
      case 'collapse': {
        // Columns that are out of sight now, or of another grouping, stay as they are.
        const others = this.setup.current().collapsed.filter(id => id !== request.column);
        const isCollapsed = others.length < this.setup.current().collapsed.length;
        return this.setup.change({ collapsed: isCollapsed ? others : [...others, request.column] });
      }
      case 'meetings':
        this.#announceOnPage(await vscode.commands.executeCommand(meetingsCommand, request.keys));
        return;
      case 'suggest':
        return this.#suggest(request);
      case 'newList':
      case 'parse':
        if (request.type === 'newList') await this.#createList(request.name);
        return this.#preview(request);
      case 'moveDragged': {
        const rows = draggedTasks.drop().map(taskId => ({ taskId, occurrence: null }));
        this.#announceOnPage(await this.#moveInto(rows, request));
        return;
      }
      case 'add':
        return this.#add(request);
      default: {
        const hasDone = this.#announceOnPage(await this.#change(request));
        const isShownBefore = request.type === 'rows' ? request.act === 'complete' : request.type !== 'priority';
        if (isShownBefore && !hasDone) this.#post({ type: 'unchanged', keys: request.keys });
      }
    }
  }

  #preview(request: Extract<FromPage, { type: 'parse' | 'newList' }>): void {
    const { dropValues = this.#dropValues } = this.#groupOf(request.group ?? '') ?? {};
    this.#post(quickAddPreview(this.services.engine, request, { defaults: defaultsIn(dropValues ?? {}) }));
  }

  async #add(request: Extract<FromPage, { type: 'add' }>): Promise<void> {
    const group = request.group === undefined ? undefined : this.#groupOf(request.group);
    if (request.group !== undefined && !group) throw new DuelineError('notFound', t('No longer available'));
    const added = await quickAddResult(this.services.engine, request, group ? group.dropValues : this.#dropValues);
    const { text, step } = this.#announced(added);
    this.#post({ type: 'added', request: request.request, text, ...(step === undefined ? {} : { step }) });
  }

  /** Returns what its command or act returned. */
  async #change(request: Extract<FromPage, { readonly keys: readonly string[] }>): Promise<unknown> {
    const { engine } = this.services;
    const rows = this.#rows.summaries(request.keys);
    if (rows.length === 0) return undefined;
    if (request.type === 'rows') {
      const targets = this.#targets(request.keys);
      const first = request.act === 'preview' ? { ...targets[0], clicked: true } : targets[0];
      return vscode.commands.executeCommand(rowCommands[request.act], first, targets);
    }
    if (request.type === 'move') return this.#moveInto(this.#withSources(rows), request);
    if (request.type === 'priority') return this.#announced(await setPriority(engine, rows, request.priority));
    if (request.type === 'order') {
      const { neighbor, side } = request;
      const group = this.#groupOf(groupIn(neighbor));
      if (!group?.board)
        return this.#announced(await moveBeside(engine, rows, this.#rows.summaries([neighbor])[0], side));
      const order = { cards: this.#rows.summaries(group.rows), neighbor, side };
      return this.#moveInto(this.#withSources(rows), { group: group.key, order });
    }
    return undefined;
  }

  async #suggest(request: Extract<FromPage, { type: 'suggest' }>): Promise<void> {
    const found = await this.#newest.ask(signal => suggestionsFor(this.services.engine, request, signal));
    if (found) this.#post(found);
  }

  #withSources = (rows: readonly RowSummary[]) =>
    rows.map(row => ({ ...row, from: this.#groupOf(groupIn(row.key))?.dropValues }));

  async #moveInto(
    rows: Parameters<typeof moveInto>[1],
    { group, ...to }: Parameters<typeof moveInto>[3] & { readonly group: string },
  ): Promise<unknown> {
    const { engine } = this.services;
    const { label: name, dropValues } = this.#groupOf(group) ?? {};
    const isOpen = ({ taskId }: { taskId: Id }) => !isClosed(engine.task(taskId) ?? { status: Status.completed });
    const open = dropValues?.status === Status.completed ? rows.filter(isOpen) : [];
    if (!dropValues || open.length === 0)
      return this.#announced(await moveInto(engine, rows, dropValues, { name, ...to }));
    const moves = () => movesInto(engine, rows, dropValues, to);
    return vscode.commands.executeCommand(rowCommands.complete, open[0], open, moves);
  }

  /** The editor keeps a drag from pages until Shift is held; over views it shows no hint of this. */
  #announceHowToDrop(): void {
    const takes = canDrop && this.isVisible() && this.#groups.some(({ dropValues }) => dropValues !== undefined);
    if (takes) this.#post({ type: 'announced', text: t('Hold Shift to drop tasks here.') });
  }

  async #widget(act: WidgetAct): Promise<void> {
    if (act === 'sortManually') {
      // The message may stay in sight for long.
      void this.#sortManually().catch(showError);
      return;
    }
    const command = widgetCommands()[act];
    if (command) {
      this.#announceOnPage(await vscode.commands.executeCommand(...command));
      return;
    }
    const change = await changeBy(this.services.engine, this.setup.current(), act);
    if (change) await this.#changeSetup(change);
  }

  /** The form in the page may be open while a command changes the setup, and would write back the old one. */
  async #changeSetup(change: SetupChange): Promise<void> {
    this.#post({ type: 'chosen', setup: change });
    await this.setup.change(change);
  }

  async #sortManually(): Promise<void> {
    const hasAgreed = await offerManualOrder(widgets[this.setup.current().kind].isOrdered === true);
    // The page may be closed meanwhile.
    if (!hasAgreed || !this.#ready) return;
    await this.#changeSetup({ sort: 'manual' });
    this.#focus();
  }

  /** Announces in the status bar a change that was made without a command. */
  #announced<Done extends Announcement | undefined>(done: Done): Done {
    if (done) this.services.announce(done);
    return done;
  }

  /**
   * Announces a change on the page where it was made, so that it can be undone there; returns true if there was one.
   */
  #announceOnPage(returned: unknown): boolean {
    if (!isAnnouncement(returned)) return false;
    const { text, step, rescheduled } = returned;
    this.#announcement = returned;
    this.#post({
      type: 'announced',
      text,
      ...(step === undefined ? {} : { step }),
      ...(rescheduled ? { more: true } : {}),
    });
    return true;
  }

  async #answerTo({ act, step }: Extract<FromPage, { type: 'answer' }>): Promise<void> {
    const announcement = this.#announcement?.step === step ? this.#announcement : undefined;
    const command = act === 'undo' ? ['dueline.undo', step] : ['dueline.redateMore', announcement];
    this.#announceOnPage(await vscode.commands.executeCommand(...(command as [CommandId, unknown])));
  }

  async #createList(name: string): Promise<void> {
    const { engine } = this.services;
    const create = () => engine.createList(listInSameAccount(engine, name));
    this.#announceOnPage(this.#announced(await performOnList(engine, create, t('Created list {0}', isolate(name)))));
  }

  #focus = () => this.#post({ type: 'focus' });

  #targets = (keys: readonly string[]) =>
    this.#rows.summaries(keys).map(({ taskId, occurrence }) => ({ taskId, occurrence }));

  #groupOf = (groupKey: string) => this.#groups.find(({ key }) => key === groupKey);

  /** Lets the page store its setup, so that it comes back after a reload. */
  remember(setup: WidgetSetup): void {
    this.#post({ type: 'remember', setup });
  }

  #post(message: ToPage): void {
    void this.webview.postMessage(message);
  }
}
