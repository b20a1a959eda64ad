import { AsyncLocalStorage } from 'node:async_hooks';
import * as vscode from 'vscode';
import { contextKeys } from '../contributions/ids';
import { t } from '../shared/l10n';
import { LatestOnly } from '../shared/latestOnly';
import { showError } from './errors';
import { showInformation, showWarning } from './notifications';

/**
 * The action that asks; after a question, whether the user stays in the view where it began and has not gone elsewhere
 * meanwhile.
 */
const actions = new AsyncLocalStorage<{ staysHere: boolean }>();

interface Question {
  isClosed: boolean;
  readonly onTab?: (() => unknown) | undefined;
}

/** The open questions of this window. */
const openQuestions = new Set<Question>();

/** A question loses its answer if anything else takes the focus. */
export const isAsking = (): boolean => openQuestions.size > 0;

/**
 * Notes that the user cancels the open question, and closes it. The editor's own Escape command closes it first:
 * anything that is closed from here, a moment later, could be the palette that the next key has opened.
 */
export async function cancelQuestion(left?: { readonly isClosed: true }): Promise<void> {
  for (const question of openQuestions) question.isClosed = true;
  if (!left) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
}

/** Reports to the open question that Tab was pressed while it offers a name. */
export function takeSuggestion(): void {
  for (const { onTab } of openQuestions) onTab?.();
}

/** An answer ends the question; without one it stays open. */
type Reply<Answer> = Answer | undefined | Promise<Answer | undefined>;

/** Handlers of what the user does in a question. An error in one is shown, and the question stays open. */
interface QuestionHandlers<Answer, Item = never> {
  onType?(text: string): unknown;
  /**
   * Enter, with the highlighted item. Right after the last letter there is none: the editor highlights one a moment
   * later.
   */
  onAccept(line: Item | undefined): Reply<Answer>;
  onButton?(button: vscode.QuickInputButton): Reply<Answer>;
  onItemButton?(item: Item, button: vscode.QuickInputButton): Reply<Answer>;
  /** Called when it is shown. */
  onShow?(): void;
  /** The Tab key, while the question offers a name. */
  onTab?(): unknown;
  /** May be called twice. */
  onEnd?(): void;
}

/** An open question, as its handlers use it. */
export interface QuestionHandle<Answer> {
  /** Its own questions to the engine end with the question. */
  readonly newest: LatestOnly;
  /** Ends the question before its handler returns, or with an answer that may be undefined; other handlers return it. */
  end(answer: Answer): void;
  /** Does work that changes tasks: its answer ends the question, and counts even if the user has left it meanwhile. */
  write(work: () => Promise<Answer>): Promise<undefined>;
  /** If true, the Tab key takes the name that the question offers; otherwise VS Code moves the focus with it. */
  setOffered(isOffered: boolean): void;
}

/**
 * Asks with a picker; undefined if the user leaves it. Every question is asked through this file: if a picker closes
 * that came up over a webview in the sidebar or the panel, VS Code gives the focus back to the source file. It does not
 * report whether a picker was closed by Escape or by a click elsewhere, which must keep the focus. So Escape is a key of
 * Dueline's own while one of its questions is open.
 *
 * @example
 * const picked = await ask<TagLine, string>({ title, items: lines }, () => ({ onAccept: line => line?.tag }));
 */
export const ask = <Item extends vscode.QuickPickItem, Answer>(
  options: Partial<vscode.QuickPick<Item>>,
  handlersFor: (pick: vscode.QuickPick<Item>, question: QuestionHandle<Answer>) => QuestionHandlers<Answer, Item>,
): Promise<Answer | undefined> => askIn(vscode.window.createQuickPick<Item>(), options, handlersFor);

/** Asks for a line of text, as {@link ask} does with a picker. */
export const askLine = <Answer>(
  options: Partial<vscode.InputBox>,
  handlersFor: (box: vscode.InputBox) => QuestionHandlers<Answer>,
): Promise<Answer | undefined> => askIn(vscode.window.createInputBox(), options, handlersFor);

function askIn<Item extends vscode.QuickPickItem, Answer, Input extends vscode.QuickPick<Item> | vscode.InputBox>(
  input: Input,
  options: Partial<Input>,
  handlersFor: (input: Input, question: QuestionHandle<Answer>) => QuestionHandlers<Answer, Item>,
): Promise<Answer | undefined> {
  Object.assign(input, options);
  let answer: Answer | undefined;
  // Keys that were pressed before the editor has hidden it come still.
  let isEnded = false;
  const end = (value: Answer) => {
    if (isEnded) return;
    isEnded = true;
    answer = value;
    input.hide();
  };
  let isHidden = false;
  let hasOffer = false;
  const setOffered = (isOffered: boolean) => {
    // An answer that the question has waited for comes later at times.
    if (isHidden || isOffered === hasOffer) return;
    hasOffer = isOffered;
    void vscode.commands.executeCommand('setContext', contextKeys.suggesting, isOffered);
  };
  const newest = new LatestOnly();
  let written: Promise<unknown> | undefined;
  const write = async (work: () => Promise<Answer>) => {
    const done = work().then(end);
    written = done.catch(() => {});
    await done;
    return undefined;
  };
  const handlers = handlersFor(input, { newest, end, write, setOffered });
  const handle = async (work: () => Reply<Answer>) => {
    if (isEnded) return;
    try {
      const reply = await work();
      if (reply !== undefined) end(reply);
    } catch (error) {
      void showError(error);
    }
  };
  const marked = () => ('items' in input ? input.items.find(item => item === input.activeItems[0]) : undefined);
  const show = (resolve: (answer: Answer | undefined) => void) => {
    input.onDidChangeValue(text => handle(async () => void (await handlers.onType?.(text))));
    input.onDidAccept(() => handle(() => handlers.onAccept(marked())));
    input.onDidTriggerButton(button => handle(() => handlers.onButton?.(button)));
    if ('items' in input)
      input.onDidTriggerItemButton(({ item, button }) => handle(() => handlers.onItemButton?.(item, button)));
    input.onDidHide(() => {
      newest.end();
      setOffered(false);
      isHidden = true;
      handlers.onEnd?.();
      input.dispose();
      void Promise.resolve(written).then(() => resolve(answer));
    });
    input.show();
    handlers.onShow?.();
  };
  return untilAnswered(
    () => new Promise(show),
    handlers.onTab && (() => handle(async () => void (await handlers.onTab?.()))),
  );
}

async function untilAnswered<T>(
  question: () => Thenable<T | undefined>,
  onTab?: () => unknown,
): Promise<T | undefined> {
  const open: Question = { isClosed: false, onTab };
  openQuestions.add(open);
  updateContext();
  try {
    const answer = await question();
    // The command of the key runs before the editor has answered about its commands.
    endQuestion(answer !== undefined || !(await hearsEscape()) || open.isClosed);
    return answer;
  } finally {
    openQuestions.delete(open);
    updateContext();
  }
}

function endQuestion(staysHere: boolean): void {
  const action = actions.getStore();
  if (action) action.staysHere = staysHere;
}

const updateContext = () => void vscode.commands.executeCommand('setContext', contextKeys.asking, isAsking());

/** Older editors, 1.90 among them, keep Escape to themselves: there, a question that is left counts as left by Escape. */
const hearsEscape = async () => (await vscode.commands.getCommands(true)).includes('quickInput.hide');

/**
 * The editor's picker, known to the keys of Dueline while it is open; undefined if the user cancels it.
 *
 * @example
 * const picked = await showQuickPick(lists.map(list => ({ label: list.name, list })), { placeHolder: t('Select a list') });
 * if (picked) await moveTo(picked.list);
 */
export function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions & { canPickMany: true },
): Promise<T[] | undefined>;
export function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options?: vscode.QuickPickOptions,
): Promise<T | undefined>;
export function showQuickPick<T extends vscode.QuickPickItem>(items: readonly T[], options?: vscode.QuickPickOptions) {
  return untilAnswered(() => vscode.window.showQuickPick(items, options));
}

export const showInputBox = (options: vscode.InputBoxOptions): Promise<string | undefined> =>
  untilAnswered(() => vscode.window.showInputBox(options));

/** Asks in a dialog of the editor; undefined if the user cancels it. */
export async function askInDialog(question: string, detail: string, ...buttons: string[]): Promise<string | undefined> {
  const picked = await showWarning(question, { modal: true, detail }, ...buttons);
  endQuestion(true);
  return picked;
}

/**
 * Another order hides the effect of moving up or down: explains this, and returns true if the user switches to manual
 * order.
 */
export async function offerManualOrder(canSort = true): Promise<boolean> {
  const byHand = t('Sort Manually');
  const message = t('Tasks are not sorted manually here, so moving one up or down would have no visible effect.');
  return (await showInformation(message, ...(canSort ? [byHand] : []))) === byHand;
}

/** Pages that were opened without the focus, until each has loaded. */
const loading = new Set<Promise<unknown>>();

/**
 * If a picker closes over a page that has not loaded, the editor gives it the focus, and its frame takes it once more
 * when it loads. The code that gives the focus back waits for that.
 */
export function waitForPage({ webview, onDidChangeViewState, onDidDispose }: vscode.WebviewPanel): void {
  const loaded = new Promise<unknown>(resolve => {
    webview.onDidReceiveMessage(resolve);
    onDidDispose(resolve);
    onDidChangeViewState(({ webviewPanel }) => webviewPanel.visible || resolve(undefined));
  });
  loading.add(loaded);
  void loaded.then(() => loading.delete(loaded));
}

/** Does something that may ask; after the last question, the view that it was called from gets the focus back. */
export async function restoringFocus<T>(focus: () => void, work: () => Promise<T>): Promise<T> {
  const action = { staysHere: false };
  try {
    return await actions.run(action, work);
  } finally {
    // The next key may have asked already.
    if (action.staysHere) void Promise.all(loading).then(() => isAsking() || focus());
  }
}
