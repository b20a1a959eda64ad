import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { LiteralWords } from '../../src/commands/common/literalWords';
import type { Range } from '../../src/core/kernel/range';
import { maxLineLength } from '../../src/core/quickAdd/types';
import { isIssueList, issueName, linesOfLinks } from '../../src/core/text/issueLinks';
import { taskLines } from '../../src/core/text/taskLines';
import { isolate, listed, t, tn } from '../../src/shared/l10n';
import type { Chip, GroupView, LineSuggestions, ToPage } from '../../src/shared/widgetProtocol';
import { nextRequest, post, remember, remembered } from '../page/hostMessages';
import * as glyphs from '../rows/glyphs';
import { type SuggestionItem, SuggestionList } from './suggestionList';

interface QuickAddLine {
  readonly text: string;
  readonly rejected: readonly Range[];
}

/**
 * The line that adds tasks. Recognized parts are shown as chips in the field, under the words they were read from;
 * Backspace right after such words, or a click on the chip, turns them back into plain text. Below are names that
 * complete the typed one, a list that can be created, and what several pasted lines can become. Typed text that was not
 * added yet is kept while the page is away.
 */
export class QuickAdd extends LitElement {
  static override properties = {
    group: { attribute: false },
    placeholder: { type: String },
    label: { type: String },
    chips: { state: true },
    hint: { state: true },
    problem: { state: true },
    text: { state: true },
  };

  /** The day or list that the task is for; undefined: the widget's default. */
  declare group: Pick<GroupView, 'key' | 'label' | 'detail'> | undefined;
  declare placeholder: string;
  /** For a screen reader, if it adds something other than a task. */
  declare label: string;
  declare chips: readonly Chip[];
  declare hint: string | undefined;
  declare problem: string | undefined;
  declare text: string;
  /** Words that stay plain text, whatever they could mean. */
  #literalWords = new LiteralWords();
  #request = 0;
  #suggestions: LineSuggestions | undefined;
  /** Several lines, as they were pasted. */
  #pasted: string | undefined;
  #unknownList: Extract<ToPage, { type: 'parsed' }>['unknownList'];
  readonly #suggestionList = new SuggestionList(() => this.requestUpdate());
  /** Escape closed the list: an answer on its way must not open it before the next letter. */
  #isRefused = false;
  /** Lines on their way to the host, by their requests. */
  readonly #sent = new Map<number, QuickAddLine>();

  constructor() {
    super();
    this.chips = [];
    this.text = remembered().draft ?? '';
    this.#literalWords = new LiteralWords(this.text, remembered().keptAt);
    this.placeholder = '';
    this.label = t('Add a task');
    if (this.text !== '') this.#ask();
  }

  protected override willUpdate(changed: PropertyValues<QuickAdd>): void {
    // A time without a date is on the day of the group.
    if (changed.has('group') && changed.get('group')?.key !== this.group?.key) this.#ask();
  }

  override createRenderRoot() {
    return this;
  }

  /** Answers of the host; those to a line that has changed since are skipped. */
  take(message: Extract<ToPage, { request?: number }>): void {
    const sent = this.#sent.get(message.request!);
    if (sent !== undefined)
      this.#settle(message.request!, sent, message.type === 'failed' ? message.message : undefined);
    else if (message.request === this.#request && message.type === 'failed') this.problem = message.message;
    else if (message.request === this.#request && message.type === 'parsed') this.#onParsed(message);
  }

  #onParsed({ chips, hint, suggestions, unknownList }: Extract<ToPage, { type: 'parsed' }>): void {
    [this.#suggestions, this.#unknownList] = [suggestions, unknownList];
    if (this.#pasted === undefined) [this.chips, this.hint] = [chips, hint];
    if (!this.#isRefused) this.#suggest();
  }

  override focus(): void {
    this.#input?.focus();
  }

  override render() {
    const { group } = this;
    return html`
      <div class="field ${this.problem ? 'bad' : ''}">
        <div class="entry">
          ${
            group
              ? html`<button class="chip place" title=${t('Add it somewhere else')} @click=${() => this.#leaveGroup()}>
                  <bdi>${group.label}${group.detail ? ` ${group.detail}` : ''}</bdi>${glyphs.close}
                </button>`
              : nothing
          }
          <input
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded=${this.#suggestionList.isOpen}
            aria-controls="line-suggestions"
            aria-activedescendant=${this.#suggestionList.activeId ?? nothing}
            dir=${this.text === '' ? document.dir : 'auto'}
            autocomplete="off"
            spellcheck="false"
            maxlength="10000"
            placeholder=${group ? t('Add a task…') : this.placeholder}
            aria-label=${this.label}
            aria-describedby="recognized ${this.problem ? 'not-added' : ''}"
            aria-invalid=${this.problem !== undefined}
            .value=${this.text}
            @input=${(event: InputEvent) => this.#onInput(event.target as HTMLInputElement)}
            @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
            @paste=${(event: ClipboardEvent) => this.#onPaste(event)}
            @blur=${() => this.#suggestionList.close()}
          />
        </div>
        ${this.#suggestionList.render()}
        ${this.chips.length > 0 ? html`<div class="chips">${this.chips.map(chip => this.#chip(chip))}</div>` : nothing}
      </div>
      <p id="recognized" class="visually-hidden" aria-live="polite">
        ${this.chips.length > 0 ? t('Recognized: {0}', listed(this.chips.map(({ label }) => label))) : nothing}
        ${this.hint ?? nothing}
      </p>
      ${this.hint ? html`<p class="hint" aria-hidden="true">${this.hint}</p>` : nothing}
      ${this.problem ? html`<p id="not-added" class="problem" role="alert">${this.problem}</p>` : nothing}
    `;
  }

  #chip(chip: Chip) {
    return html`
      <button class="chip ${chip.kind}" title=${t('Keep “{0}” as text', isolate(this.text.slice(chip.from, chip.to)))} @click=${() => this.#reject(chip)}>
        <bdi>${chip.label}</bdi>${glyphs.close}
      </button>
    `;
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input');
  }

  #onInput(input: HTMLInputElement): void {
    const added = input.value.length - this.text.length;
    this.#pasted = undefined;
    this.#isRefused = false;
    this.text = input.value;
    this.#literalWords.follow(this.text, input.selectionStart ?? undefined);
    this.problem = undefined;
    this.#keep();
    // Until the answer for this line arrives, only names that still fit may be accepted, and one replaces the text
    // typed since.
    this.#suggestions = this.#suggestions && narrowNames(this.#suggestions, added, this.text);
    this.#unknownList = undefined;
    this.#suggest();
    this.#ask();
  }

  #onKey(event: KeyboardEvent): void {
    const input = event.target as HTMLInputElement;
    if (event.isComposing || this.#suggestionList.onKey(event)) {
      if (!this.#suggestionList.isOpen) this.#leavePasted();
      this.#isRefused ||= event.key === 'Escape' && !event.isComposing;
      return;
    }
    if (event.key === 'Enter') this.#add();
    else if (event.key === 'Escape' && (this.text !== '' || this.group)) {
      event.stopPropagation();
      if (this.text === '') this.#leaveGroup();
      this.#clear();
    } else if (event.key === 'Backspace' && input.selectionStart === input.selectionEnd) {
      if (input.selectionStart === 0 && this.group) this.#leaveGroup();
      const at = this.text.slice(0, input.selectionStart ?? 0).trimEnd().length;
      const chip = this.chips.find(({ to }) => to === at);
      if (!chip || at === 0) return;
      event.preventDefault();
      this.#reject(chip);
    }
  }

  /** The field is free for the next line at once. */
  #add(as?: 'lines' | 'notes'): void {
    if (this.text.trim() === '') return;
    const request = nextRequest();
    const [text, rejected] = [this.text, this.#literalWords.ranges];
    const entry = as === undefined ? { text, rejected } : { text: this.#pasted!, rejected: [], as };
    this.#sent.set(request, { text, rejected });
    this.#clear();
    post({ type: 'add', request, ...entry, ...this.#target });
  }

  /** A field has one line: several are asked about before any is lost. */
  #onPaste(event: ClipboardEvent): void {
    const input = event.target as HTMLInputElement;
    const clip = pastedText(event.clipboardData).trimEnd();
    const [from, to] = [input.selectionStart ?? 0, input.selectionEnd ?? 0];
    const whole = this.text.slice(0, from) + clip + this.text.slice(to);
    if (!/[\r\n]/.test(clip) || taskLines(whole).length < 2) return;
    event.preventDefault();
    this.text = whole.split(/\s*[\r\n]\s*/).join(' ');
    this.#literalWords.follow(this.text);
    this.#keep();
    this.#pasted = whole;
    this.chips = [];
    this.hint = this.#question(whole);
    [this.#suggestions, this.#unknownList] = [undefined, undefined];
    this.#suggest();
    this.#ask();
  }

  #question(pasted: string): string {
    const count = taskLines(pasted).length;
    return tn(count, 'Add {0} task?', 'Add {0} tasks?');
  }

  /** Without an answer, the pasted text is one line. */
  #leavePasted(): void {
    if (this.#pasted === undefined) return;
    this.#pasted = undefined;
    this.#ask();
  }

  #suggest(): void {
    const [names, list, pasted] = [this.#nameOffers(), this.#listOffers(), this.#pastedOffers()];
    const preselectsFirst = names.length === 0 || this.#suggestions?.preselectsFirst === true;
    if (pasted.length > 0) this.#suggestionList.show([...pasted, ...list], true);
    else if (this.querySelector('input') !== document.activeElement) this.#suggestionList.close();
    else if (preselectsFirst) this.#suggestionList.show([...names, ...list], true);
    else this.#suggestionList.show([...list, ...names], list.length > 0);
  }

  #pastedOffers(): SuggestionItem[] {
    if (this.#pasted === undefined) return [];
    const count = taskLines(this.#pasted).length;
    return [
      { label: tn(count, 'Add {0} Task', 'Add {0} Tasks'), take: () => this.#add('lines') },
      { label: t('Add as one task with notes'), take: () => this.#add('notes') },
    ];
  }

  #nameOffers(): SuggestionItem[] {
    return (this.#suggestions?.items ?? []).map(({ label, detail, text }) => ({
      label,
      detail,
      take: () => this.#takeName(text),
    }));
  }

  #listOffers(): SuggestionItem[] {
    const unknown = this.#unknownList;
    if (!unknown) return [];
    const { name, from, to } = unknown;
    const words = isolate(this.text.slice(from, to));
    return [
      { label: t('Create list “{0}”', isolate(name)), take: () => this.#createList(name) },
      { label: t('Keep {0} in the title', words), take: () => this.#reject({ from, to }) },
    ];
  }

  #takeName(name: string): void {
    const { from, to } = this.#suggestions!;
    this.text = this.text.slice(0, from) + name + this.text.slice(to).trimStart();
    this.#suggestions = undefined;
    const caret = from + name.length;
    this.#literalWords.follow(this.text, caret);
    this.#keep();
    void this.updateComplete.then(() => {
      this.#input?.setSelectionRange(caret, caret);
      this.#ask();
    });
  }

  #createList(name: string): void {
    this.#request = nextRequest();
    post({ type: 'newList', ...this.#line, name });
  }

  /** Puts a line that could not be added back into the field, before the text typed since. */
  #settle(request: number, { text, rejected }: QuickAddLine, problem: string | undefined): void {
    this.#sent.delete(request);
    if (problem !== undefined) {
      this.#literalWords = this.#literalWords.behind(text, rejected);
      this.text = this.#literalWords.text;
      this.problem = problem;
      this.#ask();
    }
    this.#keep();
  }

  #reject({ from, to }: Pick<Chip, 'from' | 'to'>): void {
    this.#literalWords.keep([from, to]);
    this.#keep();
    this.#ask();
    this.#input?.focus();
  }

  #ask(): void {
    this.#request = nextRequest();
    if (this.text.length > maxLineLength || this.text.trim() === '') {
      this.chips = [];
      if (this.#pasted === undefined) this.hint = undefined;
      [this.#suggestions, this.#unknownList] = [undefined, undefined];
      this.#suggest();
      return;
    }
    const caret = this.#input?.selectionStart ?? this.text.length;
    post({ type: 'parse', ...this.#line, caret });
  }

  get #line() {
    return { request: this.#request, text: this.text, rejected: this.#literalWords.ranges, ...this.#target };
  }

  get #target() {
    return this.group ? { group: this.group.key } : {};
  }

  #leaveGroup(): void {
    this.group = undefined;
    this.#input?.focus();
  }

  #clear(): void {
    // An answer that has not arrived yet is about text that is gone.
    this.#request = nextRequest();
    this.text = '';
    this.chips = [];
    this.hint = undefined;
    this.problem = undefined;
    [this.#suggestions, this.#unknownList, this.#pasted] = [undefined, undefined, undefined];
    this.#suggestionList.close();
    this.#literalWords = new LiteralWords();
    this.#keep();
  }

  #keep(): void {
    const sent = [...this.#sent.values()].reverse();
    const all = sent.reduce((behind, { text, rejected }) => behind.behind(text, rejected), this.#literalWords);
    remember({ ...remembered(), draft: all.text, keptAt: all.ranges });
  }
}

/** The names that still fit the line; `added` characters were typed since. */
function narrowNames(names: LineSuggestions, added: number, text: string): LineSuggestions | undefined {
  const to = names.to + added;
  const typed = text.slice(names.from, to).toLocaleLowerCase();
  const items = names.items.filter(item => item.text.toLocaleLowerCase().startsWith(typed));
  return to <= names.from || items.length === 0 ? undefined : { ...names, to, items };
}

/** A list of issues in a browser has its addresses in the HTML alone; any other text is pasted as it is. */
function pastedText(clipboard: DataTransfer | null): string {
  const text = clipboard?.getData('text/plain') ?? '';
  const html = clipboard?.getData('text/html') ?? '';
  if (!/<a\s/i.test(html)) return text;
  // A document of its own runs no script and loads nothing.
  const anchors = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('a')];
  const links = anchors.map(({ href, textContent }) => ({ url: href.replace(/#.*$/, ''), title: textContent ?? '' }));
  const issues = links.filter(({ url }) => issueName(url) !== undefined);
  const lines = linesOfLinks(issues);
  return lines.includes('\n') && isIssueList(text, issues) ? lines : text;
}

customElements.define('dueline-quick-add', QuickAdd);
