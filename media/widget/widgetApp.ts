import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { numeral, t } from '../../src/shared/l10n';
import type { FromPage } from '../../src/shared/readFromPage';
import type { Frame, GroupView, SetupView, ToPage } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';
import { FocusKeeper } from '../focus/focusKeeper';
import { restoreFocus, watchMenu, whenFocused } from '../focus/restoreFocus';
import { listen, post, remember, remembered } from '../page/hostMessages';
import { onThemeChange } from '../page/listColor';
import { returnedTo } from '../page/rowLayout';
import type { QuickAdd } from '../quickAdd/quickAdd';
import { endsChord, watchChords } from '../rows/chord';
import { CompletionDelay } from '../rows/completionDelay';
import { asGroup } from '../rows/groupTemplate';
import { nextMeetingLine } from '../rows/meetings';
import type { QueryField } from './queryField';
import '../quickAdd/quickAdd';
import { historyAct, typed } from '../rows/typedKey';
import { unscheduledOf } from './columns';
import './board';
import { doneMapTemplate } from './doneMap';
import './month';
import { headTemplate, keepTabStop } from './headTemplate';
import { helpTemplate } from './keyHelp';
import type { SetupForm } from './setupForm';
import './setupForm';
import type { ActEvent, TaskRows } from '../rows/taskRows';
import '../rows/taskRows';

type Answer = Extract<FromPage, { type: 'answer' }>;
type SetupMessage = Extract<ToPage, { type: 'choices' }>;

/**
 * One widget: heading, quick add, rows, and the last announcement. It draws the host's messages and reports the user's
 * actions.
 */
class WidgetApp extends LitElement {
  static override properties = {
    frame: { state: true },
    groups: { state: true },
    rows: { state: true },
    folds: { state: true },
    toast: { state: true },
    width: { state: true },
    help: { state: true },
    setup: { state: true },
    isUnscheduledShown: { state: true },
  };

  declare frame: Frame | undefined;
  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, KnownRow>;
  declare folds: ReadonlySet<string>;
  declare toast: Pick<Extract<ToPage, { type: 'announced' }>, 'text' | 'step' | 'more' | 'quiet'> | undefined;
  declare width: number;
  declare help: boolean;
  /** The form for the content of this widget, if it is open. */
  declare setup: SetupMessage | undefined;
  /** True if the unscheduled tasks are shown next to the days; undefined: the user has not chosen. */
  declare isUnscheduledShown: boolean | undefined;
  readonly #completionDelay = new CompletionDelay(
    () => this.requestUpdate(),
    () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 1600),
  );
  readonly #isMenuOpen: () => boolean;
  /** The row that the user was on when they took back what was done, or that does not move; until their next key. */
  #returning: KnownRow | undefined;
  #widthTimer: ReturnType<typeof setTimeout> | undefined;
  #toastTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    // The layout is right at the first paint: nothing jumps when the observer answers.
    this.width = document.documentElement.clientWidth;
    this.help = false;
    this.folds = new Set(remembered().open ?? []);
    this.isUnscheduledShown = remembered().tray;
    new FocusKeeper(this, () => this.#list);
    watchChords();
    restoreFocus(() => this.#list);
    this.#isMenuOpen = watchMenu();
    listen(message => this.#take(message));
    post({ type: 'ready' });
  }

  override createRenderRoot() {
    return this;
  }

  override render() {
    const { frame } = this;
    if (!frame) return nothing;
    const drawn = this.#completionDelay.merge(this.groups, this.rows);
    return html`
      ${headTemplate(
        frame,
        // Completed tasks cannot be added.
        frame.map ? nothing : html`<dueline-quick-add .placeholder=${frame.placeholder}></dueline-quick-add>`,
        this.#unscheduledButton(frame),
      )}
      ${this.setup ? this.#setupForm(this.setup) : nothing}
      ${frame.problem ? html`<p class="problem" role="alert">${frame.problem}</p>` : nothing}
      ${frame.map ? doneMapTemplate(frame.map) : nothing}
      ${frame.meeting ? nextMeetingLine(frame.meeting) : nothing}
      ${frame.empty ? this.#empty(frame.empty) : nothing}
      ${this.#body(frame, drawn)}
      <div class="bottom ${this.toast ? 'on' : ''}">
        <span class="said" role="status" aria-live="polite">
          ${
            this.toast
              ? html`<bdi>${this.toast.text}</bdi>
                ${this.#answerButton('undo', t('Undo'))} ${this.toast.more ? this.#answerButton('applyToSeries', t('All…')) : nothing}`
              : nothing
          }
        </span>
      </div>
      ${this.help ? helpTemplate(() => this.#closeHelp()) : nothing}
    `;
  }

  protected override firstUpdated(): void {
    this.role = 'main';
    this.addEventListener('keydown', () => (this.#returning = undefined), { capture: true }); // also keys of a list
    this.addEventListener('keydown', event => this.#onKey(event));
    this.addEventListener('pointerdown', event => this.#keepFocus(event.target as Element));
    this.addEventListener('addhere', event => this.#addHere((event as CustomEvent<GroupView>).detail));
    onThemeChange(() => {
      for (const part of this.querySelectorAll<LitElement>(
        'dueline-rows, dueline-columns, dueline-month, dueline-board, dueline-setup',
      ))
        part.requestUpdate();
    });
    new ResizeObserver(([entry]) => {
      if (entry) this.width = entry.contentRect.width;
      this.#sendWidth();
    }).observe(this);
  }

  /** A click outside the rows would take the focus from everything: the rows around it, or else of the page, keep it. */
  #keepFocus(target: Element): void {
    if (target.closest('dueline-setup, dialog')) return;
    const list = target.closest('.column, .unscheduled')?.querySelector<HTMLElement>('dueline-rows') ?? this.#list;
    // The browser moves the focus after the event.
    setTimeout(() => {
      if (document.activeElement === document.body && document.hasFocus()) list?.focus();
    });
  }

  /** Trees in the same sidebar shorten their titles by it. */
  #sendWidth(): void {
    if (!document.body.classList.contains('as-sidebar')) return;
    clearTimeout(this.#widthTimer);
    this.#widthTimer = setTimeout(() => post({ type: 'width', width: Math.round(this.width) }), 150);
  }

  #body({ layout, label, byHand, hours }: Frame, { groups, rows }: ReturnType<CompletionDelay['merge']>) {
    const onAct = (event: Event) => this.#act((event as CustomEvent<ActEvent>).detail);
    const onFold = (event: Event) => this.#fold((event as CustomEvent<string>).detail);
    if (layout === 'month' && this.#isWide(layout))
      return html`<dueline-month
        class="body"
        .showsUnscheduled=${this.#showsUnscheduled}
        .groups=${groups}
        .rows=${rows}
        @act=${onAct}
      ></dueline-month>`;
    if (layout === 'board' && this.#isWide(layout))
      return html`<dueline-board
        class="body"
        .byHand=${byHand === true}
        .groups=${groups}
        .rows=${rows}
        @act=${onAct}
      ></dueline-board>`;
    if (this.#isWide(layout))
      return html`<dueline-columns
        class="body"
        .showsUnscheduled=${this.#showsUnscheduled}
        .hours=${hours}
        .week=${layout === 'week'}
        .byHand=${byHand === true}
        .groups=${groups}
        .rows=${rows}
        @act=${onAct}
      ></dueline-columns>`;
    return html`<dueline-rows
      class="body"
      .label=${label}
      .byHand=${byHand === true}
      .addsToGroups=${layout !== 'list'}
      .groups=${groups.filter(group => (layout !== 'month' && !group.board?.row ? true : group.rows.length > 0 || group.tone === 'accent' || group.meetings)).map(asGroup)}
      .rows=${rows}
      .folds=${this.folds}
      @act=${onAct}
      @fold=${onFold}
    ></dueline-rows>`;
  }

  #isWide = (layout: Frame['layout']) => layout !== 'list' && this.width >= (layout === 'week' ? 720 : 520);

  /** The choice of the user; at first true if there is room for the unscheduled tasks. */
  get #showsUnscheduled(): boolean {
    return this.isUnscheduledShown ?? this.width >= 1000;
  }

  #unscheduledButton({ layout }: Frame) {
    const count = unscheduledOf(this.groups).reduce((sum, { rows }) => sum + rows.length, 0);
    if (count === 0 || !this.#isWide(layout)) return nothing;
    return html`<div class="controls">
      <button
        class="control unscheduled"
        tabindex="-1"
        aria-pressed=${this.#showsUnscheduled}
        @click=${() => {
          this.isUnscheduledShown = !this.#showsUnscheduled;
          remember({ ...remembered(), tray: this.isUnscheduledShown });
        }}
      >
        <bdi>${t('Unscheduled')}</bdi> <bdi>${numeral(count)}</bdi>
      </button>
    </div>`;
  }

  #setupForm({ choices, setup }: SetupMessage) {
    return html`<dueline-setup
      .choices=${choices}
      .setup=${setup}
      .columns=${new Map(this.groups.flatMap(({ board }) => (board ? [[board.id, board.column] as const] : [])))}
      @setup=${(event: CustomEvent<Partial<SetupView>>) => this.#set(event.detail)}
      @leave=${() => this.#closeSetup()}
    ></dueline-setup>`;
  }

  #onKey(event: KeyboardEvent): void {
    if (endsChord(event)) return;
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    const [key, history] = [typed(event), historyAct(event)];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isField) {
      const isQuickAdd = (event.target as HTMLElement).closest('dueline-quick-add') !== null;
      if (!['ArrowDown', 'Escape'].includes(event.key) || !isQuickAdd) return;
      this.#list?.focus();
    } else if (history) {
      // The change that it offers to undo is no longer the last one.
      this.toast = undefined;
      this.#takeBack({ type: 'widget', act: history });
    } else if (!isPlain || this.querySelector('dialog[open]')) return;
    else if (key === 'n') this.#addHere(this.#columnOf(event.target as Element));
    else if (key === '/') post({ type: 'widget', act: 'search' });
    else if (key === '?') this.help = true;
    else if (key === ',') post({ type: 'widget', act: 'configure' });
    else if (key === 'Escape' && this.setup) this.#closeSetup();
    else if (key === 'j' && this.frame?.hasCards) post({ type: 'widget', act: 'next' });
    else if (key === 'k' && this.frame?.hasCards) post({ type: 'widget', act: 'previous' });
    else return;
    event.preventDefault();
    // The editor hears every key that gets to the window, and has shortcuts of its own for some.
    event.stopPropagation();
  }

  protected override updated(changed: PropertyValues<WidgetApp>): void {
    if (changed.get('frame') === undefined && this.frame) this.#begin();
    keepTabStop(this.querySelector('.top'));
    if (!this.help) return;
    const dialog = this.querySelector<HTMLDialogElement>('dialog.help');
    if (!dialog || dialog.open) return;
    dialog.showModal();
    // The focus goes to the button at its end.
    dialog.scrollTop = 0;
  }

  /** Opened by the user, who continues with the keys at once, unless these have opened the palette by now. */
  #begin(): void {
    setTimeout(() => {
      if (document.hasFocus() && document.activeElement === document.body) this.#list?.focus();
    });
  }

  #closeHelp(): void {
    this.help = false;
    // A key may have begun a new task before the page learned that the dialog is closed.
    if (!document.activeElement?.closest('dueline-quick-add')) this.#list?.focus();
  }

  #closeSetup(): void {
    this.setup = undefined;
    this.#list?.focus();
  }

  get #list(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.body');
  }

  /** In a column, tasks are added to it; elsewhere the widget decides. */
  #columnOf(element: Element): GroupView | undefined {
    const list = element.closest<TaskRows>('dueline-rows');
    const key = list?.addsToGroups
      ? list.activeGroup?.key
      : element.closest<HTMLElement>('section.column')?.dataset.group;
    return this.groups.find(group => group.key === key && group.dropValues);
  }

  #addHere(group: GroupView | undefined): void {
    if (!this.#quickAdd) return;
    this.#quickAdd.group = group;
    this.#quickAdd.focus();
  }

  #empty({ text, link, next }: NonNullable<Frame['empty']>) {
    return html`
      <p class="empty">
        ${text}
        ${link ? html`<button class="link" @click=${() => post({ type: 'widget', act: link.act })}>${link.label}</button>` : nothing}
      </p>
      ${next ? html`<p class="empty"><bdi>${next}</bdi></p>` : nothing}
    `;
  }

  get #quickAdd(): QuickAdd | null {
    return this.querySelector<QuickAdd>('dueline-quick-add');
  }

  #take(message: ToPage): void {
    switch (message.type) {
      case 'show':
        this.#show(message);
        return;
      case 'rowDetails':
        this.rows = new Map([...this.rows, ...message.rows.map(row => [row.key, row] as const)]);
        return;
      case 'remember':
        remember({ ...remembered(), setup: message.setup });
        return;
      case 'announced':
        if (message.quiet && this.toast?.step && !this.toast.quiet) return;
        this.#showToast(message);
        return;
      case 'focus':
        window.focus(); // the frame around it has it already
        // On a busy machine the message about a question comes late: the user may have opened the row's menu meanwhile.
        if (!document.hasFocus() && !(message.afterQuestion && this.#isMenuOpen())) post({ type: 'unfocused' });
        return;
      case 'unchanged':
        this.#stay(message.keys);
        return;
      case 'choices':
        this.#openSetup(message);
        return;
      case 'chosen':
        this.#takeSetup(message.setup);
        return;
      case 'suggestions':
        this.querySelector<QueryField>('dueline-query')?.take(message);
        return;
      case 'added':
        this.#showToast(message);
        this.#quickAdd?.take(message);
        return;
      case 'failed':
        if (message.request === undefined) this.#showToast({ text: message.message });
        else this.#quickAdd?.take(message);
        return;
      default:
        this.#quickAdd?.take(message);
    }
  }

  /** The focus goes back to what does not move. */
  #stay(keys: readonly string[]): void {
    this.#completionDelay.release(keys);
    this.#returning = this.rows.get(keys[0] ?? '');
    whenFocused(() => this.#followBack(new Set()));
  }

  #set(setup: Partial<SetupView>): void {
    this.#takeSetup(setup);
    post({ type: 'setup', setup });
  }

  #takeSetup(change: Partial<SetupView>): void {
    if (this.setup) this.setup = { ...this.setup, setup: { ...this.setup.setup, ...change } };
  }

  #openSetup(message: SetupMessage): void {
    this.setup = message;
    void this.updateComplete.then(() => this.querySelector<SetupForm>('dueline-setup')?.focus());
  }

  #show({ frame, groups, rows, fresh }: Extract<ToPage, { type: 'show' }>): void {
    const before = new Map(this.groups.map(group => [group.key, group]));
    this.groups = groups.flatMap(group => ('rows' in group ? group : (before.get(group.key) ?? [])));
    const next = new Map(fresh ? [] : this.rows);
    for (const row of rows) next.set(row.key, row);
    const visibleKeys = new Set(this.groups.flatMap(group => group.rows));
    for (const key of next.keys()) if (!visibleKeys.has(key)) next.delete(key);
    this.#followBack(visibleKeys, next);
    this.rows = next;
    this.#completionDelay.reconcile(this.groups, this.rows);
    this.frame = frame;
    // Nothing can be added to a group that is out of sight.
    const quickAdd = this.#quickAdd;
    if (quickAdd?.group)
      quickAdd.group = this.groups.find(({ key, dropValues }) => dropValues && key === quickAdd.group?.key);
  }

  #act({ act, keys }: ActEvent): void {
    if (act === 'complete') {
      const open = keys.filter(key => this.rows.get(key)?.state !== 'done');
      this.#completionDelay.delay(open, this.groups, this.rows);
      this.requestUpdate();
    }
    post({ type: 'rows', act, keys });
  }

  #fold(key: string): void {
    const board = this.groups.find(group => group.key === key)?.board;
    if (board && !board.row) {
      post({ type: 'collapse', column: board.id });
      return;
    }
    const folds = new Set(this.folds);
    if (!folds.delete(key)) folds.add(key);
    this.folds = folds;
    remember({ ...remembered(), open: [...folds] });
  }

  #answerButton(act: Answer['act'], label: string) {
    const { step } = this.toast ?? {};
    if (step === undefined) return nothing;
    return html`<button class="link" @click=${() => this.#answer({ type: 'answer', act, step })}>${label}</button>`;
  }

  #answer(answer: Answer): void {
    this.toast = undefined;
    this.#list?.focus();
    this.#takeBack(answer);
  }

  #takeBack(request: FromPage): void {
    this.#returning = this.rows.get(this.querySelector<TaskRows>('dueline-rows:focus-within')?.active ?? '');
    post(request);
  }

  /** The focus follows the active row if that goes back to another column, or into its series; else a row that comes back. */
  #followBack(visibleKeys: ReadonlySet<string>, rows: ReadonlyMap<string, KnownRow> = this.rows): void {
    const row = document.hasFocus() ? this.#returning : undefined;
    const back = row && returnedTo(this.groups, rows, row, { before: this.rows, visibleKeys });
    // If the undo brought no row back, one that comes later is new.
    if (back || (row && visibleKeys.has(row.key))) this.#returning = undefined;
    if (back) void this.updateComplete.then(() => (this.#list as TaskRows | null)?.follow?.(back.group, back.key));
  }

  #showToast(toast: NonNullable<WidgetApp['toast']>): void {
    this.toast = toast;
    this.#fade();
  }

  /** A row with the focus does not go away under the user's hands. */
  #fade(): void {
    clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(() => {
      if (this.querySelector('.bottom [role=status] :focus')) this.#fade();
      else this.toast = undefined;
    }, 8000);
  }
}

customElements.define('dueline-widget', WidgetApp);
