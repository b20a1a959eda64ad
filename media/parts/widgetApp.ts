import { html, LitElement, nothing } from 'lit';
import { t, tn } from '../../src/views/l10n';
import type { Frame, GroupView, RowView, ToPage } from '../../src/views/protocol';
import { listen, remember, remembered, tell } from './host';
import { Lingering } from './lingering';
import type { QuickAdd } from './quickAdd';
import './quickAdd';
import type { ActEvent, TaskRows } from './taskRows';
import './taskRows';

/** One widget: heading, quick add, rows, footer. It draws what the host says and reports what the person does. */
export class WidgetApp extends LitElement {
  static override properties = {
    frame: { state: true },
    groups: { state: true },
    rows: { state: true },
    folds: { state: true },
    toast: { state: true },
  };

  declare frame: Frame | undefined;
  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, RowView>;
  declare folds: ReadonlySet<string>;
  declare toast: { readonly text: string; readonly undo: boolean } | undefined;
  readonly #lingering = new Lingering(() => this.requestUpdate());
  #toastTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    this.folds = new Set(remembered().open ?? []);
    listen(message => this.#take(message));
    tell({ type: 'ready' });
  }

  override createRenderRoot() {
    return this;
  }

  override render() {
    const { frame } = this;
    if (!frame) return nothing;
    const drawn = this.#lingering.blend(this.groups, this.rows);
    return html`
      ${
        frame.heading === undefined
          ? nothing
          : html`<header><h1 dir="auto">${frame.heading}</h1><bdi class="aside">${frame.aside}</bdi></header>`
      }
      <dueline-quick-add .placeholder=${frame.placeholder}></dueline-quick-add>
      ${frame.problem ? html`<p class="problem" role="alert">${frame.problem}</p>` : nothing}
      ${frame.empty ? this.#empty(frame.empty) : nothing}
      <dueline-rows
        .label=${frame.label}
        .groups=${drawn.groups}
        .rows=${drawn.rows}
        .folds=${this.folds}
        @act=${(event: CustomEvent<ActEvent>) => this.#act(event.detail)}
        @fold=${(event: CustomEvent<string>) => this.#fold(event.detail)}
      ></dueline-rows>
      <footer>
        <span role="status" aria-live="polite">
          ${
            this.toast
              ? html`<bdi>${this.toast.text}</bdi>
                ${this.toast.undo ? html`<button class="link" @click=${() => this.#undo()}>${t('Undo')}</button>` : nothing}`
              : nothing
          }
        </span>
        <bdi>${this.toast ? nothing : frame.footer}</bdi>
      </footer>
    `;
  }

  protected override firstUpdated(): void {
    this.addEventListener('keydown', event => {
      if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !(event.target instanceof HTMLInputElement)) {
        event.preventDefault();
        tell({ type: 'widget', act: event.shiftKey ? 'redo' : 'undo' });
      } else if (event.key === 'ArrowDown' && event.target instanceof HTMLInputElement) {
        event.preventDefault();
        this.querySelector<TaskRows>('dueline-rows')?.focus();
      } else if (event.key === 'n' && !event.ctrlKey && !event.metaKey && !(event.target instanceof HTMLInputElement)) {
        event.preventDefault();
        this.#quickAdd?.focus();
      }
    });
  }

  #empty({ text, link }: NonNullable<Frame['empty']>) {
    return html`
      <p class="empty">
        ${text}
        ${link ? html`<button class="link" @click=${() => tell({ type: 'widget', act: link.act })}>${link.label}</button>` : nothing}
      </p>
    `;
  }

  get #quickAdd(): QuickAdd | null {
    return this.querySelector<QuickAdd>('dueline-quick-add');
  }

  #take(message: ToPage): void {
    if (message.type === 'show') this.#show(message);
    else if (message.type === 'failed' && message.request === undefined) this.#say(message.message, false);
    else this.#quickAdd?.take(message);
    if (message.type === 'added') this.#say(t('Added {0}', message.title), true);
  }

  #show({ frame, groups, rows, fresh }: Extract<ToPage, { type: 'show' }>): void {
    const known = new Map(this.groups.map(group => [group.key, group]));
    this.groups = groups.flatMap(group => ('rows' in group ? group : (known.get(group.key) ?? [])));
    const next = new Map(fresh ? [] : this.rows);
    for (const row of rows) next.set(row.key, row);
    const shown = new Set(this.groups.flatMap(group => group.rows));
    for (const key of next.keys()) if (!shown.has(key)) next.delete(key);
    this.rows = next;
    this.frame = frame;
  }

  #act({ act, keys }: ActEvent): void {
    if (act === 'complete') {
      const open = keys.filter(key => this.rows.get(key)?.state !== 'done');
      this.#lingering.hold(open, this.groups, this.rows);
      if (open.length > 0)
        this.#say(open.length === 1 ? t('Completed') : tn(open.length, '{0} completed', '{0} completed'), true);
      this.requestUpdate();
    }
    tell({ type: 'rows', act, keys });
  }

  #fold(key: string): void {
    const folds = new Set(this.folds);
    if (!folds.delete(key)) folds.add(key);
    this.folds = folds;
    remember({ ...remembered(), open: [...folds] });
  }

  #undo(): void {
    this.toast = undefined;
    tell({ type: 'widget', act: 'undo' });
  }

  #say(text: string, undo: boolean): void {
    this.toast = { text, undo };
    clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(() => {
      this.toast = undefined;
    }, 8000);
  }
}

customElements.define('dueline-widget', WidgetApp);
