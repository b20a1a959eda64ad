import * as vscode from 'vscode';
import { contextKeys } from '../contributions/ids';
import { Emitter } from '../core/events';
import { t } from '../shared/l10n';
import { showInformation, showWarning } from './notifications';

/** A question has ended; whether the person goes on where it was asked, and has not gone elsewhere meanwhile. */
const questionEnded = new Emitter<{ readonly staysHere: boolean }>();

let openQuestions = 0;
let isClosed = false;

/** A question loses its answer if anything else takes the focus. */
export const isAsking = (): boolean => openQuestions > 0;

/**
 * Notes that the user leaves the open question, and closes it. Its Escape key has the editor close it first: what was closed
 * from here, a moment later, could be the palette that the next key has opened.
 */
export async function cancelQuestion(left?: { readonly isClosed: true }): Promise<void> {
  isClosed = true;
  if (!left) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
}

/**
 * Asks with a picker or an input box; undefined where the person leaves it. Every question that a page can lead to is asked
 * through this: VS Code gives the focus back to the source file where a picker closes that came up over a webview in the
 * sidebar or the panel, and it tells nobody whether a picker was closed by Escape or by a click elsewhere, which must keep
 * the focus. So Escape is a key of Dueline's own while one of its questions is open.
 */
export const askWith = <T>(ask: (resolve: (answer: T | undefined) => void) => void): Promise<T | undefined> =>
  untilAnswered(() => new Promise(ask));

async function untilAnswered<T>(question: () => Thenable<T | undefined>): Promise<T | undefined> {
  isClosed = false;
  openQuestions += 1;
  updateContext();
  try {
    const answer = await question();
    // The key's command comes before the editor's answer about its commands.
    questionEnded.fire({ staysHere: answer !== undefined || !(await hearsEscape()) || isClosed });
    return answer;
  } finally {
    openQuestions -= 1;
    updateContext();
  }
}

const updateContext = () => void vscode.commands.executeCommand('setContext', contextKeys.asking, isAsking());

/** Older editors, 1.90 among them, keep Escape to themselves: there, a question that is left counts as left by Escape. */
const hearsEscape = async () => (await vscode.commands.getCommands(true)).includes('quickInput.hide');

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

/** Asks in a dialog of the editor; undefined where the person leaves it. */
export async function askInDialog(question: string, detail: string, ...buttons: string[]): Promise<string | undefined> {
  const picked = await showWarning(question, { modal: true, detail }, ...buttons);
  questionEnded.fire({ staysHere: true });
  return picked;
}

/** Another order hides what moving up or down does: it is told, and given up where the person wants that. */
export async function offerManualOrder(canSort = true): Promise<boolean> {
  const byHand = t('Sort Manually');
  const message = t('Tasks are not sorted manually here, so moving one up or down would have no visible effect.');
  return (await showInformation(message, ...(canSort ? [byHand] : []))) === byHand;
}

/** A command that a page's own menu had called is done, after a question. */
export const menuDone = new Emitter<void>();

/** Pages that were opened beside what has the focus, until each has loaded. */
const loading = new Set<Promise<unknown>>();

/**
 * Where a picker closes over a page that has not loaded, the editor gives it the focus, and its frame takes it once more
 * when it loads. What gives the focus back waits for that.
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

/** Does something that may ask, and has the place it was called from take the focus back after the last question. */
export async function givingFocusBack<T>(focus: () => void, work: () => Promise<T>): Promise<T> {
  let staysHere = false;
  const asking = questionEnded.event(end => {
    staysHere = end.staysHere;
  });
  try {
    return await work();
  } finally {
    asking.dispose();
    // The next key may have asked already.
    if (staysHere) void Promise.all(loading).then(() => isAsking() || focus());
  }
}
