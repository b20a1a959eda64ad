import * as vscode from 'vscode';
import type { DuelineEngine, QuickAddOptions } from '../../api';
import type { CodeLocation, QuickAddSeed } from '../../contributions/commandTargets';
import type { Id } from '../../core/kernel/model';
import type { EngineSettings } from '../../core/kernel/settings';
import { type TaskLine, taskLines, withoutMark } from '../../core/text/taskLines';
import { brief, isolate, t, tn } from '../../shared/l10n';
import { type Announcement, announcementOf } from '../../ui/announcements';
import { createDefaultList, listInSameAccount } from '../../ui/defaultList';
import { ask, type QuestionHandle } from '../../ui/dialogs';
import { isFocusedRow, type TaskSelection } from '../../ui/selection';
import type { CommandServices } from '../../ui/services';
import { addedLinesText } from '../../ui/text/addedText';
import { codeLinks } from '../../ui/text/codeLinks';
import { titleOf } from '../../ui/text/taskText';
import { insertedText, LiteralWords } from '../common/literalWords';
import { linesItems, locationItem, offeredLocationItem, type QuickAddItem, quickAddItems } from './quickAddItems';

export const captureCommands = ({ commands, engine }: CommandServices, selection: TaskSelection): vscode.Disposable =>
  commands.on('dueline.quickAdd', async from => {
    if (typeof from === 'object' && 'fromEditor' in from && vscode.window.activeTextEditor?.selection.isEmpty === false)
      return vscode.commands.executeCommand<Announcement | undefined>('dueline.addFromSelection');
    const seed = isFocusedRow(from) ? optionsFor(engine, await selection.focusedRow()) : from;
    const {
      text = '',
      notes,
      listId,
      parentId,
      location: code,
    }: Exclude<QuickAddSeed, string> = typeof seed === 'object' ? seed : seed === undefined ? {} : { text: seed };
    const target: QuickAddOptions = {
      ...(listId === undefined ? {} : { listId }),
      ...(parentId === undefined ? {} : { parentId }),
      ...(notes === undefined ? {} : { defaults: { description: notes } }),
    };
    const value = String(text);
    return ask<QuickAddItem, Announcement>(
      { placeholder: quickAddExample(engine.settings), ignoreFocusOut: value !== '' },
      (pick, question) => new QuickAddPicker(engine, pick, { ...target, text: value }, code, question),
    );
  });

/** The code location of the cursor in the active editor. */
async function locationOfCursor(): Promise<CodeLocation | undefined> {
  const editor = vscode.window.activeTextEditor;
  return editor && codeLinks()?.at(editor.document, editor.selection.active.line);
}

/** The options for a task that is added from a row of a tree: it goes into the row's list. */
function optionsFor(engine: DuelineEngine, row: unknown): Exclude<QuickAddSeed, string> {
  const node = (typeof row === 'object' && row !== null ? row : {}) as {
    readonly taskId?: Id;
    readonly listId?: Id;
    readonly branch?: { readonly listId?: Id };
  };
  const listId = node.listId ?? node.branch?.listId ?? (node.taskId && engine.task(node.taskId)?.listId);
  return engine.lists().some(({ id, isReadOnly }) => id === listId && !isReadOnly) ? { listId: listId! } : {};
}

/** A line that shows what can be typed, in the signs that the user chose. */
const quickAddExample = ({ quickAddDates, quickAddSyntax }: EngineSettings): string => {
  if (quickAddSyntax === 'todoist')
    return quickAddDates ? t('Call the bank tomorrow 9am @money p1 #Home') : t('Call the bank @money p1 #Home');
  return quickAddDates ? t('Call the bank tomorrow 9am #money !high @Home') : t('Call the bank #money !high @Home');
};

/** A text of several lines, as it was before the input made one line of it. */
interface PastedText {
  readonly text: string;
  readonly lines: readonly TaskLine[];
}

/**
 * One line of words; its recognized parts are below it. Choosing a part turns it back into words, choosing a name
 * completes it, and choosing *Add Task* adds the task. The input stays open until the task is written, so that nothing typed
 * is lost.
 */
class QuickAddPicker {
  readonly #kept = new LiteralWords();
  #text = '';
  /** The line as the editor reported it last, and the text that was written into it and is not yet shown. */
  #line = '';
  #coming: string | undefined;
  #caret = 0;
  #pasted: PastedText | undefined;
  private readonly target: QuickAddOptions;
  readonly #seed: string;
  /** The code location that is offered, and linked only if the user asks for it. */
  #offered: CodeLocation | undefined;

  constructor(
    private readonly engine: DuelineEngine,
    private readonly pick: vscode.QuickPick<QuickAddItem>,
    { text, ...target }: QuickAddOptions & { readonly text: string },
    private code: CodeLocation | undefined,
    private readonly question: QuestionHandle<Announcement>,
  ) {
    this.target = target;
    this.#seed = text;
    this.#show();
    void this.#offer();
  }

  /** The editor selects a text that is set before the input is shown; after a text that is set later, the user can continue typing. */
  onShow(): void {
    this.#write(this.#seed);
    this.#show();
  }

  /**
   * The line shows the text a moment later, over what is typed meanwhile, which goes behind it then. A line has no line
   * breaks and no half of an emoji: a text with them would not be known again.
   */
  #write(text: string): void {
    this.#text = text.replace(/[\r\n]+/g, ' ').toWellFormed();
    this.#caret = this.#text.length;
    if (this.#text === this.#line) return;
    this.#coming = this.#text;
    this.pick.value = this.#text;
  }

  /** The text after a change of the line. */
  #typedText(): string {
    const before = this.#line;
    this.#line = this.pick.value;
    if (this.#coming === undefined) return this.#line;
    if (this.#line !== this.#coming) return this.#text + insertedText(before, this.#line).text;
    this.#coming = undefined;
    this.#write(this.#text);
    return this.#text;
  }

  async #offer(): Promise<void> {
    this.#offered = this.code ?? (await locationOfCursor().catch(() => undefined));
    if (this.#offered && !this.code && this.#text.trim() !== '') this.#show();
  }

  #options(): QuickAddOptions {
    this.#kept.follow(this.#text);
    return { ...this.target, ...this.#anchors(), rejected: this.#kept.ranges };
  }

  #anchors(): QuickAddOptions {
    return this.code ? { anchors: [this.code.anchor] } : {};
  }

  onType(): Promise<void> {
    const before = this.#text;
    this.#text = this.#typedText();
    const { text, caret } = insertedText(before, this.#text);
    this.pick.ignoreFocusOut = this.#text !== '';
    this.#caret = caret;
    this.#pasted = undefined;
    this.#show();
    return this.#findLines(before, text, caret);
  }

  /** The input makes one line of what is pasted; the clipboard still has its lines. */
  async #findLines(before: string, inserted: string, caret: number): Promise<void> {
    if (inserted.length < 3) return;
    const now = this.#text;
    const clip = await Promise.resolve(vscode.env.clipboard.readText()).catch(() => '');
    if (!/\S\s*[\r\n]\s*\S/.test(clip) || withoutSpaces(clip) !== withoutSpaces(inserted) || this.#text !== now) return;
    const from = caret - inserted.length;
    const text = now.slice(0, from) + clip.trimEnd() + now.slice(caret);
    const lines = taskLines(text);
    if (lines.length < 2 || before.length > now.length) return;
    this.#pasted = { text, lines };
    this.#show();
  }

  #show(): void {
    const pick = this.pick;
    const text = this.#text;
    if (this.#pasted) {
      const { lines } = this.#pasted;
      pick.items = linesItems(this.engine, lines, this.target);
      pick.title = tn(lines.length, 'Add {0} task?', 'Add {0} tasks?');
      this.question.setOffered(false);
      return;
    }
    const result = this.engine.parseQuickAdd(text, this.#options());
    const isEmpty = text.trim() === '';
    const items = isEmpty ? [] : quickAddItems(this.engine, result, this.#options(), text, this.#caret);
    if (this.code) items.push(locationItem(this.code, isEmpty));
    else if (this.#offered && !isEmpty) items.push(offeredLocationItem(this.#offered));
    pick.items = items;
    pick.activeItems = pick.items.slice(0, 1);
    this.question.setOffered(pick.items.some(isName));
    const parent = this.target.parentId === undefined ? undefined : this.engine.task(this.target.parentId);
    // The editor shows no headings among the lines while the user types.
    pick.title = parent
      ? t('Add Subtask to {0}', isolate(brief(titleOf(parent))))
      : result.tokens.length > 0
        ? t('Quick Add Task – select a recognized part to keep it as text')
        : t('Quick Add Task');
  }

  async onAccept(line = this.pick.items[0]): Promise<undefined> {
    const action = line?.action;
    const text = this.#text;
    const isEmpty = text.trim() === '' || this.engine.parseQuickAdd(text, this.#options()).title === '';
    if (this.pick.busy || (!action && isEmpty)) return;
    this.pick.busy = true;
    try {
      if (!action) await this.#addOne(text);
      else if (action.type === 'addLines') await this.#addLines();
      else if (action.type === 'addWithNotes') await this.#addWithNotes();
      else if (action.type === 'addToNewList') await this.#addOne(text, { ...this.#options(), newList: action.list });
      else await this.#choose(action);
    } finally {
      this.pick.busy = false;
    }
  }

  #addLines(): Promise<void> {
    const { lines } = this.#pasted!;
    return this.#add(lines, async () =>
      this.engine.quickAddLines(lines, {
        ...this.target,
        ...this.#anchors(),
        listId: this.target.listId ?? (await createDefaultList(this.engine)),
      }),
    );
  }

  #addWithNotes = (): Promise<void> =>
    this.#addOne(withoutMark(this.#pasted!.text), { ...this.target, ...this.#anchors() });

  #addOne = (text: string, options = this.#options()): Promise<void> =>
    this.#add(
      [{ text }],
      async () => [await this.engine.quickAdd(text, await this.#withTargetList(text, options))],
      options.newList !== undefined,
    );

  #add(lines: readonly TaskLine[], work: () => Promise<readonly Id[]>, isInNewList = false): Promise<void> {
    return this.question.write(async () => {
      const { result: ids, step } = await this.engine.stepOf(work);
      const text = [addedLinesText(this.engine, ids, lines), isInNewList && t('new list')].filter(Boolean).join(' · ');
      return announcementOf({ text, added: ids }, step);
    });
  }

  async #choose(action: ChangesText): Promise<void> {
    if (action.type === 'keepWords') this.#kept.keep(action.range);
    else if (action.type === 'unlink') this.code = undefined;
    else if (action.type === 'link') this.code = this.#offered;
    else if (action.type === 'newList') await this.engine.createList(listInSameAccount(this.engine, action.name));
    else {
      const [from, to] = action.range;
      this.#write(this.#text.slice(0, from) + action.text + this.#text.slice(to).trimStart());
    }
    this.#show();
  }

  /** Takes the name that is highlighted, else the first one. */
  onTab(): void {
    const { items, activeItems } = this.pick;
    const item = items.find(one => isName(one) && one === activeItems[0]) ?? items.find(isName);
    if (item?.action?.type === 'complete') void this.#choose(item.action);
  }

  /** If every list is read-only, creates one, as the line that adds has announced. */
  async #withTargetList(text: string, options: QuickAddOptions): Promise<QuickAddOptions> {
    const hasList = options.listId !== undefined || this.engine.parseQuickAdd(text, options).listId !== undefined;
    return hasList ? options : { ...options, listId: await createDefaultList(this.engine) };
  }
}

type ChangesText = Exclude<NonNullable<QuickAddItem['action']>, { type: 'addLines' | 'addWithNotes' | 'addToNewList' }>;

const isName = (item: QuickAddItem) => item.action?.type === 'complete';

const withoutSpaces = (text: string) => text.replace(/\s+/g, '');
