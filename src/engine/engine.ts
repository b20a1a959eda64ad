import type {
  Change,
  DuelineEngine,
  EngineOptions,
  ExchangeFormat,
  NewAccount,
  QueryOptions,
  QuickAddLine,
  QuickAddOptions,
  SyncOptions,
  SyncReport,
  WidgetKind,
  WidgetOptions,
  WidgetSnapshot,
} from '../api';
import { withTimeEdit } from '../core/code/workTime';
import type { EditLabel } from '../core/kernel/editLabel';
import { DuelineError, messageOf } from '../core/kernel/errors';
import { type Disposable, Emitter, logListenerErrors } from '../core/kernel/events';
import type { PlanTarget } from '../core/kernel/keptPlan';
import { type Log, noLog, warnOnce } from '../core/kernel/log';
import type { Message } from '../core/kernel/message';
import type { EpochMs, Id, Occurrence, Task } from '../core/kernel/model';
import { defaultSettings, type EngineSettings } from '../core/kernel/settings';
import type { WholeData } from '../core/kernel/wholeData';
import type { TimeEdit } from '../core/kernel/working';
import type { Meetings } from '../core/meetings/calendars';
import type { SyncStatus } from '../core/sync/syncState';
import type { TextTarget } from '../core/text/document/types';
import type { PlanStep } from '../core/text/planSteps';
import type { Clock } from '../core/time/clock';
import { minuteMs } from '../core/time/units';
import { Lease } from '../process/lease';
import type { Translate } from '../query/help/describe';
import type { Explanation } from '../query/help/explain';
import type { TaskStore } from '../store/taskStore';
import type { StepLabel } from '../store/types';
import type { AnchorIndex } from './anchorIndex';
import { Dependencies } from './dependencies';
import { DoneLog } from './doneLog';
import { existingAccount } from './existingAccount';
import type { Claims } from './flavor/claims';
import type { Discard, Flavor, SyncEngine } from './flavor/flavor';
import { later } from './later/door';
import type { Calendars } from './meetings/calendars';
import type { Queries } from './queries';
import { AlarmFinder } from './reminders/alarmFinder';
import { ReminderService } from './reminders/reminders';
import { rows } from './rows/door';
import type { ShortIds } from './shortIds';
import { TaskCounts } from './taskCounts';
import { TaskService } from './taskService';
import { ActiveTime } from './working';

/**
 * The API on an open store: reading, writing and, in the full flavor, syncing. It defines what actions imply
 * (completion, the trash, pending changes) and composes the rooms below it. Invariant: it does not know an editor. All
 * that it needs of one, such as a clock, secrets and settings, is passed in.
 */
export class Engine extends TaskService implements DuelineEngine {
  readonly apiVersion = 1;
  readonly flavor: 'full' | 'offline';
  #readQueries: Queries | undefined;
  readonly #counts: TaskCounts;
  readonly #alarms: AlarmFinder;
  #readShortIds: ShortIds | undefined;
  protected readonly dependencies: Dependencies;
  protected readonly doneLog: DoneLog;
  #readAnchors: AnchorIndex | undefined;
  readonly reminders: ReminderService;
  readonly working: ActiveTime;
  readonly claims: Claims | undefined;
  readonly #folder: string;
  #calendars: Calendars | undefined;
  protected readonly server: SyncEngine | undefined;
  readonly syncing: SyncStatus | undefined;
  readonly #changes = new Emitter<Change>();
  readonly #log: Log;
  readonly #onCut: (id: Id) => void;
  #logging: Disposable | undefined;
  #settings: EngineSettings = defaultSettings;
  #codeLocations: Parameters<DuelineEngine['setCodeLocations']>[0] = {};

  constructor(store: TaskStore, options: EngineOptions & { clock: Clock }, flavor: Flavor) {
    super(store, options.clock);
    this.flavor = flavor.name;
    this.#folder = options.folder;
    if (options.locale) this.#settings = { ...defaultSettings, locale: options.locale };
    // An occurrence whose task is not here has nothing to be restored to.
    const discard: Discard = {
      tasks: (tasks, newest) =>
        this.deleted.keep(
          tasks.filter(({ recurrenceId }) => recurrenceId === null),
          this.clock.now(),
          newest,
        ),
      copy: rows => this.deleted.keepRows(rows, this.clock.now()),
      apart: (listId, uid) => this.deleted.setApart(listId, uid),
    };
    this.server = flavor.createSyncing?.(store, options, discard);
    const settings = () => this.#settings;
    const { log = noLog } = options;
    this.#log = log;
    if (options.log) this.#logging = logListenerErrors(options.log);
    this.#onCut = warnOnce(log, id => `Task ${id} repeats so often that some of its dates are left out of views.`);
    this.#alarms = new AlarmFinder(store, this.clock, settings, () => this.reminders.snoozes(), this.#onCut);
    this.reminders = new ReminderService(
      store,
      this.clock,
      this.#alarms,
      new Lease(options.folder, 'reminders', this.clock),
    );
    this.reminders.onDidSnooze(() => this.#refile());
    this.syncing = this.server?.syncStatus;
    this.doneLog = new DoneLog(store, error => log('warn', `The done log: ${messageOf(error)}`));
    this.working = this.#activeTime(new Lease(options.folder, 'working', this.clock), log);
    this.claims = flavor.createClaims?.({
      store,
      clock: this.clock,
      onError: error => log('warn', `The claims: ${messageOf(error)}`),
      onChange: () => this.#refile(),
    });
    this.#counts = new TaskCounts(store);
    // They are read late, and those who hear of the change ask them.
    store.onDidChange(change => this.#readQueries?.update(change));
    store.onDidChange(change => this.#readAnchors?.update(change));
    store.onDidChange(change => this.#readShortIds?.update(change));
    let ready: readonly Id[] = [];
    this.dependencies = new Dependencies(store, tasks => {
      ready = tasks;
    });
    store.onDidChange(change => {
      this.#changes.fire(ready.length > 0 ? { ...change, ready } : change);
    });
    this.doneLog.onDidChange(tasks => {
      this.#readQueries?.noteDone(tasks);
      this.#changes.fire({ origin: 'otherWindow', accounts: [], lists: [], tasks });
    });
    this.syncing?.onDidChangeState(() => {
      this.#readQueries?.resetSyncState();
      this.#changes.fire({ origin: 'sync', accounts: [], lists: [], tasks: [] });
    });
  }

  #activeTime(lease: Lease, log: Log): ActiveTime {
    const { store, clock } = this;
    const write = (id: Id, edit: TimeEdit) =>
      this.editTasks({ key: 'update', count: 1, title: store.task(id)?.title ?? undefined, field: 'time' }, editor =>
        editor.setLines(id, task => withTimeEdit(task, edit)),
      );
    const idleMs = () => this.#settings.idleMinutes * minuteMs;
    const onError = (error: unknown) => log('warn', `The time of the active task: ${messageOf(error)}`);
    const working = new ActiveTime({ store, clock, lease, idleMs, write, onError });
    working.onDidChange(() => this.#refile());
    return working;
  }

  /** Made for the first question, which lists and their counts are not. */
  get #queries(): Queries {
    this.#readQueries ??= new (rows().Queries)(
      this.store,
      this.clock,
      () => this.#settings,
      {
        snoozed: () => this.reminders.snoozedTasks(),
        codeLocations: () => this.#codeLocations,
        done: () => this.doneLog.rows(),
        active: () => this.working.ids(),
        claimed: () => new Map([...(this.claims?.held() ?? [])].map(([id, { name }]) => [id, name])),
      },
      this.syncing,
      this.#onCut,
    );
    return this.#readQueries;
  }

  get #shortIds(): ShortIds {
    this.#readShortIds ??= new (later().ShortIds)(this.store);
    return this.#readShortIds;
  }

  get #anchors(): AnchorIndex {
    this.#readAnchors ??= new (later().AnchorIndex)(this.store);
    return this.#readAnchors;
  }

  /** Made when it is asked for: few need it, and none at the start. */
  get meetings(): Meetings {
    this.#calendars ??= new (later().Calendars)({
      folder: this.#folder,
      clock: this.clock,
      sidecar: this.sidecar,
      startHour: () => this.#settings.dayStartHour,
      remote: this.server?.calendars,
      onError: error => this.#log('warn', `A calendar: ${messageOf(error).text}`),
    });
    return this.#calendars;
  }

  get settings(): EngineSettings {
    return this.#settings;
  }

  get locale(): string {
    return this.#settings.locale;
  }

  configure(settings: Partial<EngineSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    const { backupDaily, backupDaysKept, syncTimeoutSeconds, conflictPolicy, trustedCertificates, proxy } =
      this.#settings;
    this.store.backupRules = { isDaily: backupDaily, keptDays: backupDaysKept };
    this.server?.tune({ timeoutMs: syncTimeoutSeconds * 1000, conflictPolicy, trustedCertificates, proxy });
    this.reminders.reset();
    this.#refile();
  }

  setCodeLocations(locations: Parameters<DuelineEngine['setCodeLocations']>[0]): void {
    this.#codeLocations = locations;
    this.#readQueries?.resetCodeLocations();
    this.fireAll();
  }

  /** Announces a change of everything: what views show depends on more than rows. */
  #refile(): void {
    this.#readQueries?.reset();
    this.fireAll();
  }

  protected fireAll(): void {
    this.#changes.fire({ origin: 'user', accounts: [], lists: [], tasks: [] });
  }

  get readOnlyReason(): Message | undefined {
    return this.store.readOnlyReason;
  }

  get notices(): readonly Message[] {
    return this.store.notices;
  }

  readonly onDidChange = this.#changes.event;

  // Reading

  accounts = () => this.store.accounts();
  lists = () => this.store.lists();
  task = (id: Id) => {
    const task = id < 0 ? this.doneLog.task(id) : this.store.task(id);
    return task?.isDeleted ? undefined : task;
  };
  tasksOfUid = (uid: string) =>
    this.store.tasksOfUid(uid).filter(({ masterId, isDeleted }) => masterId === null && !isDeleted);
  shortIdOf = (task: Id | Task) => this.#shortIds.shortIdOf(task);
  blockersOf = (task: Id | Task) => this.dependencies.of(task);
  dependentsOf = (id: Id) => this.dependencies.dependentsOf(id);
  isBlocked = (id: Id) => this.dependencies.isBlocked(id);
  taskNamed = (name: string, isVisible?: (id: Id) => boolean) => this.#shortIds.taskNamed(name, isVisible);
  findByShortId = (text: string, isVisible?: (task: Task) => boolean) => this.#shortIds.find(text, isVisible);
  tasksByShortIds = (texts: Iterable<string>) => this.#shortIds.tasksOf(texts);
  rows = (listId: Id) => this.store.tasksOfList(listId);
  overridesOf = (id: Id) => this.store.overridesOf(id);
  subtasksOf = (id: Id) => this.store.subtasksOf(id);
  query = (text: string, options?: QueryOptions) => this.#queries.query(text, options);
  find: DuelineEngine['find'] = async (text, options) => this.#queries.find(text, options);
  count: DuelineEngine['count'] = async (text, options) => this.#queries.count(text, options);
  wordsIn: DuelineEngine['wordsIn'] = (text, options) => this.#queries.wordsIn(text, options);
  lines = (text: string, options?: { lists?: readonly Id[]; limit?: number }) => this.#queries.lines(text, options);
  isCut = (found: readonly Occurrence[]) => this.#queries.isCut(found);
  widget = <Kind extends WidgetKind>(kind: Kind, options?: WidgetOptions) =>
    this.#queries.widget(kind, options) as WidgetSnapshot<Kind>;
  completeQuery = (text: string, position: number) => this.#queries.completeQuery(text, position);
  nextBoundary = () => Math.min(this.#queries.nextBoundary(), this.#calendars?.nextBoundary() ?? Infinity);
  alarmsBetween = (from: EpochMs, to: EpochMs) => this.#alarms.between(from, to);
  exportTasks = (format: ExchangeFormat, query?: string, lists?: readonly Id[]) =>
    this.#queries.exportTasks(format, query, lists);
  tags = () => {
    const { compare } = new Intl.Collator(this.locale);
    const tags = [...this.#counts.tags()].map(([name, count]) => ({ name, count }));
    return tags.sort((a, b) => compare(a.name, b.name));
  };
  openCounts = () => this.#counts.open();
  anchored = (repo?: string, paths?: readonly string[]) => this.#anchors.of(repo, paths);
  fileLinks = () => this.#anchors.links();
  childProgress = () => this.#queries.childProgress();
  doneCounts = () => this.#counts.done();
  readDate = (text: string) => later().readDate(this, text);
  parseQuickAdd = (text: string, options?: QuickAddOptions) => later().parseQuickAddText(this, text, options);
  exportDatabase = (path: string) => this.store.exportDatabase(path);
  saveFile = (path: string, text: string) => this.store.saveFile(path, text);
  refresh = () => this.store.refresh();
  openDoneLog = () => this.doneLog.open();

  defaultListId(): Id {
    const name = this.#settings.defaultList.trim().toLocaleLowerCase();
    const lists = this.lists().filter(list => !list.isReadOnly);
    const own = lists.find(({ id }) => String(id) === this.#settings.workspaceList);
    const named = lists.find(list => list.name.toLocaleLowerCase() === name || String(list.id) === name);
    const list = own ?? named ?? lists.find(({ accountId }) => accountId === null) ?? lists[0];
    if (!list) throw new DuelineError('notFound', later().engineMessage('noList'));
    return list.id;
  }

  // Further ways to write, besides those of TaskService.

  quickAdd = (text: string, options?: QuickAddOptions) => later().captureTask(this, text, options);
  quickAddLines = (lines: readonly QuickAddLine[], options?: QuickAddOptions) =>
    later().captureLines(this, lines, options);
  keepPlan = (steps: readonly PlanStep[], target: PlanTarget) => later().keepPlan(this, steps, target);
  asText = (target: TextTarget) => new (later().TaskText)(this, target);
  importTasks = async (format: ExchangeFormat, text: string, listId: Id) => {
    const { created, updated, skipped } = await this.importReported(format, text, listId);
    return { created, updated, skipped: skipped.map(({ text }) => text) };
  };
  importReported = (format: ExchangeFormat, text: string | Uint8Array, listId: Id) =>
    later().importTasks(this, format, text, listId);
  get data(): WholeData {
    return this.store.data;
  }

  explain = (text: string, translate: Translate, day?: (day: string) => string): Explanation =>
    this.#queries.explain(text, translate, day);

  history = async () => {
    const { undo, redo } = await this.store.history();
    return { undo: undo && labelOf(undo), redo: redo && labelOf(redo) };
  };
  undoNamed = async () => this.#stepped(await this.store.undo(), true);
  redoNamed = async () => this.#stepped(await this.store.redo(), false);
  undoSteps = () => this.store.undoSteps();
  stepOf = <T>(work: () => Promise<T>) => this.store.stepOf(work);
  undoStep = async (id: string, mayChange?: (tasks: readonly Id[]) => void) =>
    this.#stepped(await this.store.undoStep(id, mayChange), true);
  sidecar = () => this.store.sidecar();
  undo = async () => (await this.undoNamed()) !== undefined;
  redo = async () => (await this.redoNamed()) !== undefined;

  async #stepped(label: StepLabel | undefined, isUndone: boolean): Promise<EditLabel | undefined> {
    if (label?.step !== undefined) await this.doneLog.note(label.step, isUndone, this.#uidsOf(label.kept ?? []));
    return label && labelOf(label);
  }

  #uidsOf = (ids: readonly Id[]): ReadonlySet<string> => new Set(ids.flatMap(id => this.store.task(id)?.uid ?? []));

  // Syncing

  addAccount = async (input: NewAccount) => this.#server().addAccount(input);

  async sync(options: SyncOptions = {}): Promise<SyncReport> {
    const report = await this.#server().sync(options);
    // A calendar that does not answer holds up no edit.
    if (options.accountId === undefined && options.listId === undefined) void this.meetings.refresh();
    return report;
  }

  async removeAccount(id: Id, { signal }: Pick<SyncOptions, 'signal'> = {}): Promise<void> {
    existingAccount(this.store, id);
    await this.#server().removeAccount(id, signal);
    await this.meetings.open();
    for (const one of this.meetings.calendars) if (one.accountId === id) await this.meetings.remove(one.id);
  }

  #server(): SyncEngine {
    if (!this.server) throw new DuelineError('unsupported', later().engineMessage('noNetwork'));
    return this.server;
  }

  async close(): Promise<void> {
    this.#calendars?.dispose();
    await this.server?.dispose();
    await this.reminders.close();
    await this.working.close();
    this.claims?.dispose();
    this.#readQueries?.dispose();
    this.#counts.dispose();
    this.dependencies.dispose();
    this.doneLog.dispose();
    await this.store.close();
    this.#changes.dispose();
    this.#logging?.dispose();
  }
}

const labelOf = ({ step: _step, kept: _kept, ...label }: StepLabel): EditLabel => label;
