import { html, LitElement, nothing } from 'lit';
import { t, tn } from '../../src/views/l10n';
import type { Frame, GroupView, RowView, ToPage } from '../../src/views/protocol';
import { listen, remember, remembered, tell } from './host';
import { Lingering } from './lingering';
import type { QuickAdd } from './quickAdd';
import './quickAdd';
import './columns';
import * as glyphs from './glyphs';
import { helpTemplate } from './help';
import type { ActEvent } from './taskRows';
import './taskRows';

/** One widget: heading, quick add, rows, footer. It draws what the host says and reports what the person does. */
export class WidgetApp extends LitElement {
  static override properties = {
    frame: { state: true },
    groups: { state: true },
    rows: { state: true },
    folds: { state: true },
    toast: { state: true },
    width: { state: true },
    help: { state: true },
  };

  declare frame: Frame | undefined;
  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, RowView>;
  declare folds: ReadonlySet<string>;
  declare toast: { readonly text: string; readonly undo: boolean } | undefined;
  declare width: number;
  declare help: boolean;
  readonly #lingering = new Lingering(() => this.requestUpdate());
  #toastTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    this.width = 0;
    this.help = false;
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
      ${frame.heading === undefined && frame.controls.length === 0 ? nothing : this.#header(frame)}
      <dueline-quick-add .placeholder=${frame.placeholder}></dueline-quick-add>
      ${frame.problem ? html`<p class="problem" role="alert">${frame.problem}</p>` : nothing}
      ${frame.empty ? this.#empty(frame.empty) : nothing}
      ${this.#body(frame, drawn)}
      <div class="bottom">
        <span role="status" aria-live="polite">
          ${
            this.toast
              ? html`<bdi>${this.toast.text}</bdi>
                ${this.toast.undo ? html`<button class="link" @click=${() => this.#undo()}>${t('Undo')}</button>` : nothing}`
              : nothing
          }
        </span>
        <bdi>${this.toast ? nothing : frame.footer}</bdi>
      </div>
      ${this.help ? helpTemplate(() => this.#toggleHelp(false)) : nothing}
    `;
  }

  protected override firstUpdated(): void {
    this.role = 'main';
    this.addEventListener('keydown', event => {
      if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !(event.target instanceof HTMLInputElement)) {
        event.preventDefault();
        tell({ type: 'widget', act: event.shiftKey ? 'redo' : 'undo' });
      } else if (event.key === 'ArrowDown' && event.target instanceof HTMLInputElement) {
        event.preventDefault();
        this.querySelector<HTMLElement>('.body')?.focus();
      } else if (event.key === 'n' && !event.ctrlKey && !event.metaKey && !(event.target instanceof HTMLInputElement)) {
        event.preventDefault();
        this.#quickAdd?.focus();
      } else if (event.key === 'Escape' && this.help) {
        this.#toggleHelp(false);
      } else if (event.key === '?' && !(event.target instanceof HTMLInputElement)) {
        event.preventDefault();
        this.#toggleHelp(!this.help);
      }
    });
    new ResizeObserver(([entry]) => {
      if (entry) this.width = entry.contentRect.width;
    }).observe(this);
  }

  #header(frame: Frame) {
    return html`
      <div class="top">
        ${frame.heading === undefined ? nothing : html`<h1 dir="auto">${frame.heading}</h1>`}
        ${frame.aside === '' ? nothing : html`<bdi class="aside">${frame.aside}</bdi>`}
        <div class="controls">
          ${frame.controls.map(
            ({ act, label, glyph }) => html`
              <button
                class="control"
                title=${label}
                aria-label=${label}
                aria-haspopup=${glyph === 'menu' ? 'dialog' : nothing}
                @click=${() => tell({ type: 'widget', act })}
              >
                ${
                  glyph === 'previous' || glyph === 'next'
                    ? html`<span class="twist ${glyph}">${glyphs.chevron}</span>`
                    : html`<bdi>${label}</bdi>${glyph === 'menu' ? html`<span class="twist open">${glyphs.chevron}</span>` : nothing}`
                }
              </button>
            `,
          )}
        </div>
      </div>
    `;
  }

  #body({ layout, label }: Frame, { groups, rows }: ReturnType<Lingering['blend']>) {
    const onAct = (event: Event) => this.#act((event as CustomEvent<ActEvent>).detail);
    const onFold = (event: Event) => this.#fold((event as CustomEvent<string>).detail);
    const wide = layout === 'columns' ? this.width >= 520 : layout === 'week' && this.width >= 720;
    if (wide)
      return html`<dueline-columns
        class="body"
        .week=${layout === 'week'}
        .groups=${groups}
        .rows=${rows}
        @act=${onAct}
      ></dueline-columns>`;
    return html`<dueline-rows
      class="body"
      .label=${label}
      .groups=${groups}
      .rows=${rows}
      .folds=${this.folds}
      @act=${onAct}
      @fold=${onFold}
    ></dueline-rows>`;
  }

  #toggleHelp(open: boolean): void {
    this.help = open;
    if (!open) this.querySelector<HTMLElement>('.body')?.focus();
    else void this.updateComplete.then(() => this.querySelector<HTMLElement>('.help button')?.focus());
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
    else if (message.type === 'remember') remember({ ...remembered(), setup: message.setup });
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
