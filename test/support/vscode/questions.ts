import type * as vscode from 'vscode';
import { type Changes, hasWords, observed, type Words } from './changes';
import { EventEmitter, enums } from './values';

type Item = vscode.QuickPickItem & { readonly alwaysShow?: boolean };

/** The parts that both kinds of questions have. */
class Question {
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  enabled = true;
  busy = false;
  ignoreFocusOut = false;
  #value = '';
  /** The text that is seen in it. */
  #line = '';
  placeholder: string | undefined;
  prompt: string | undefined;
  buttons: readonly vscode.QuickInputButton[] = [];
  isShown = false;
  readonly changedValue = new EventEmitter<string>();
  readonly accepted = new EventEmitter<void>();
  readonly hidden = new EventEmitter<{ reason: number }>();
  readonly triggered = new EventEmitter<vscode.QuickInputButton>();
  readonly onDidChangeValue = this.changedValue.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidTriggerButton = this.triggered.event;

  constructor(protected readonly questions: Questions) {}

  get value(): string {
    return this.#value;
  }

  get line(): string {
    return this.#line;
  }

  /** While the question is shown, its line gets the value a turn later, over what the user has typed meanwhile. */
  set value(value: string) {
    this.#value = value;
    if (this.isShown) setImmediate(() => this.isShown && this.#line !== value && this.type(value));
    else this.#line = value;
  }

  /** The line has the text, and the extension hears of it. */
  type(text: string): void {
    this.#line = this.#value = text;
    this.focusFirst();
    this.changedValue.fire(text);
  }

  focusFirst(): void {}

  show(): void {
    this.questions.show(this);
  }

  hide(): void {
    this.questions.hide(this);
  }

  dispose(): void {
    this.hide();
  }

  /** Everything that is written around the line. */
  get words(): string {
    return [this.title, this.prompt, this.placeholder].filter(Boolean).join('\n');
  }
}

class InputBox extends Question {
  password = false;
  valueSelection: readonly [number, number] | undefined;
  validationMessage: string | { message: string; severity: number } | undefined;

  override get words(): string {
    const message = this.validationMessage;
    return [super.words, typeof message === 'object' ? message.message : message].filter(Boolean).join('\n');
  }
}

class QuickPick extends Question {
  #items: readonly Item[] = [];
  #active: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  keepScrollPosition = false;
  readonly activated = new EventEmitter<readonly Item[]>();
  readonly selected = new EventEmitter<readonly Item[]>();
  readonly pressed = new EventEmitter<{ item: Item; button: vscode.QuickInputButton }>();
  readonly onDidChangeActive = this.activated.event;
  readonly onDidChangeSelection = this.selected.event;
  readonly onDidTriggerItemButton = this.pressed.event;

  get items(): readonly Item[] {
    return this.#items;
  }

  set items(items: readonly Item[]) {
    this.#items = items;
    this.selectedItems = this.canSelectMany ? items.filter(({ picked }) => picked) : [];
    this.focusFirst();
    this.fireActive();
  }

  get activeItems(): readonly Item[] {
    return this.#active;
  }

  set activeItems(items: readonly Item[]) {
    this.#active = items;
  }

  override show(): void {
    super.show();
    this.fireActive();
  }

  /** The editor reports the active row a moment after it has drawn the rows. */
  fireActive(): void {
    if (this.isShown && !this.canSelectMany) setImmediate(() => this.isShown && this.activated.fire(this.#active));
  }

  /** The editor focuses no row by itself if rows can be ticked. */
  override focusFirst(): void {
    this.#active = this.canSelectMany ? [] : this.rows.slice(0, 1);
  }

  /** The rows that show, without the headings between them. */
  get rows(): readonly Item[] {
    const needle = this.value.trim().toLowerCase();
    const fits = (text: string | undefined) => text?.toLowerCase().includes(needle) ?? false;
    return this.#items.filter(
      item =>
        item.kind !== enums.QuickPickItemKind.Separator &&
        (item.alwaysShow ||
          fits(item.label) ||
          (this.matchOnDescription && fits(item.description)) ||
          (this.matchOnDetail && fits(item.detail))),
    );
  }
}

type ShownQuestion = InputBox | QuickPick;

/** Pickers and input boxes: the API that the product calls, and the hand of the user who answers. */
export class Questions {
  current: ShownQuestion | undefined;

  constructor(private readonly changes: Changes) {}

  show(question: Question): void {
    if (this.current && this.current !== question) this.hide(this.current);
    question.isShown = true;
    this.current = question as ShownQuestion;
    this.changes.notify();
  }

  hide(question: Question): void {
    if (!question.isShown) return;
    question.isShown = false;
    if (this.current === question) this.current = undefined;
    question.hidden.fire({ reason: 0 });
    this.changes.notify();
  }

  createQuickPick = (): QuickPick => observed(new QuickPick(this), this.changes);
  createInputBox = (): InputBox => observed(new InputBox(this), this.changes);

  async showQuickPick(
    given: readonly (string | Item)[] | PromiseLike<readonly (string | Item)[]>,
    options: vscode.QuickPickOptions = {},
  ): Promise<unknown> {
    const pick = this.createQuickPick();
    const { title, placeHolder, canPickMany, matchOnDescription, matchOnDetail, ignoreFocusOut } = options;
    Object.assign(pick, { title, placeholder: placeHolder, canSelectMany: canPickMany ?? false, ignoreFocusOut });
    Object.assign(pick, { matchOnDescription, matchOnDetail, prompt: (options as { prompt?: string }).prompt });
    const items = await given;
    const byItem = new Map(items.map(one => [typeof one === 'string' ? { label: one } : one, one]));
    pick.items = [...byItem.keys()];
    return new Promise(resolve => {
      let answer: unknown;
      pick.onDidChangeActive(([item]) => item && options.onDidSelectItem?.(byItem.get(item) as Item));
      pick.onDidAccept(() => {
        const [one] = pick.selectedItems;
        if (canPickMany) answer = pick.selectedItems.map(item => byItem.get(item));
        else if (one) answer = byItem.get(one);
        else return;
        pick.hide();
      });
      pick.onDidHide(() => resolve(answer));
      pick.show();
    });
  }

  showInputBox(options: vscode.InputBoxOptions = {}): Promise<string | undefined> {
    const box = this.createInputBox();
    const { title, prompt, placeHolder, value = '', password = false, ignoreFocusOut = false } = options;
    Object.assign(box, { title, prompt, placeholder: placeHolder, value, password, ignoreFocusOut });
    let checked: { readonly value: string; readonly isGood: Promise<boolean> } | undefined;
    const validate = async () => {
      const found = (await options.validateInput?.(box.value)) ?? undefined;
      box.validationMessage = found as InputBox['validationMessage'];
      return typeof found === 'object' ? found.severity < 3 : !found;
    };
    /** It asks once about a value, like the editor. */
    const check = () => {
      if (checked?.value !== box.value) checked = { value: box.value, isGood: validate() };
      return checked.isGood;
    };
    return new Promise(resolve => {
      let answer: string | undefined;
      void check();
      box.onDidChangeValue(() => void check());
      box.onDidAccept(async () => {
        if (!(await check())) return;
        answer = box.value;
        box.hide();
      });
      box.onDidHide(() => resolve(answer));
      box.show();
    });
  }

  // The user

  /** The open question, once it has these words. */
  asked(words?: Words): Promise<ShownQuestion> {
    const isIt = () => this.current !== undefined && (words === undefined || hasWords(this.current.words, words));
    return this.changes.until(`a question with ${words ?? 'any words'}`, () => isIt() && this.current);
  }

  /** Rows of the open picker; those with the text in them. */
  picks(text: Words = ''): readonly Item[] {
    const rows = this.current instanceof QuickPick ? this.current.rows : [];
    return rows.filter(({ label, description, detail }) => hasWords([label, description, detail].join('\n'), text));
  }

  /** Types in place of the text in the line. */
  type(text: string): void {
    const question = this.current;
    if (!question?.enabled) throw new Error('Nothing asks.');
    question.type(text);
    if (question instanceof QuickPick) question.activated.fire(question.activeItems);
    this.changes.notify();
  }

  /** Once the line has what the extension has set. */
  drawn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

  /** Enter. */
  accept(): void {
    const question = this.current;
    if (!question) throw new Error('Nothing asks.');
    if (question instanceof QuickPick && !question.canSelectMany) {
      question.selectedItems = question.activeItems;
      question.selected.fire(question.selectedItems);
    }
    question.accepted.fire();
    this.changes.notify();
  }

  escape(): void {
    if (this.current) this.hide(this.current);
  }

  /** A click elsewhere. */
  leave(): void {
    if (!this.current?.ignoreFocusOut) this.escape();
  }

  /** Types into the line that asks so, and accepts. */
  async answer(words: Words, text: string): Promise<void> {
    await this.asked(words);
    this.type(text);
    this.accept();
  }

  async row(text: Words): Promise<Item> {
    return this.changes.until(`a row with ${text}`, () => this.picks(text)[0]);
  }

  /** Takes the first row with the text. */
  async pick(text: Words, words?: Words): Promise<void> {
    if (words !== undefined) await this.asked(words);
    const item = await this.row(text);
    const pick = this.current as QuickPick;
    pick.activeItems = [item];
    pick.activated.fire([item]);
    this.accept();
  }

  /** Ticks rows of a picker that takes several, and accepts. */
  async pickMany(...texts: Words[]): Promise<void> {
    for (const text of texts) {
      const item = await this.row(text);
      const pick = this.current as QuickPick;
      const isOn = pick.selectedItems.includes(item);
      pick.selectedItems = isOn ? pick.selectedItems.filter(one => one !== item) : [...pick.selectedItems, item];
      pick.selected.fire(pick.selectedItems);
    }
    this.accept();
  }

  /** A button of the question, or of the row with the text, by its tooltip. */
  async press(tooltip: Words, row?: Words): Promise<void> {
    const item = row === undefined ? undefined : await this.row(row);
    const { current } = this;
    const button = (item?.buttons ?? current?.buttons ?? []).find(one => hasWords(one.tooltip ?? '', tooltip));
    if (!button) throw new Error(`No button ${tooltip}.`);
    if (item) (current as QuickPick).pressed.fire({ item, button });
    else current!.triggered.fire(button);
  }
}
