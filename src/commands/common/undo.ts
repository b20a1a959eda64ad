import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { contextKeys } from '../../contributions/ids';
import type { EditLabel } from '../../core/kernel/editLabel';
import { Disposables, type Event } from '../../core/kernel/events';
import { brief, isolate, t } from '../../shared/l10n';
import { type Announcement, announcementOf, isAnnouncement } from '../../ui/announcements';
import { applyToSeries, type Rescheduled } from '../../ui/applyToSeries';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { isFocusedRow } from '../../ui/selection';
import type { Services } from '../../ui/services';
import { setting } from '../../ui/settings/settings';
import { editName } from '../../ui/text/editName';

/** A longer text leaves no room for the other items of the status bar. */
const maxTextLength = 70;

/** The time for which the status bar shows a message without Undo. */
const wordsMs = 5000;

/**
 * The last action, in the status bar for as long as the setting allows: with Undo, and for one occurrence of a series
 * All….
 */
class UndoOffer implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #undo = this.#owned.add(
    vscode.window.createStatusBarItem('dueline.undo', vscode.StatusBarAlignment.Left, 49),
  );
  readonly #more = this.#owned.add(
    vscode.window.createStatusBarItem('dueline.redateMore', vscode.StatusBarAlignment.Left, 48),
  );
  #hiding: NodeJS.Timeout | undefined;

  constructor(onDidAnnounce: Event<Announcement>) {
    this.#undo.name = t('Dueline: Undo');
    this.#more.name = t('Dueline: All…');
    this.#more.text = t('All…');
    const why = t('Apply the new date to more occurrences');
    this.#more.tooltip = why;
    this.#more.accessibilityInformation = { label: why, role: 'button' };
    this.#owned.add(onDidAnnounce(announcement => this.#show(announcement)));
  }

  #show(announcement: Announcement): void {
    const { text, step, rescheduled } = announcement;
    this.hide();
    clearTimeout(this.#hiding);
    if (step === undefined) {
      vscode.window.setStatusBarMessage(text, wordsMs);
      return;
    }
    const seconds = setting('dueline.completion.undoSeconds');
    if (seconds <= 0) return;
    offerUndo(this.#undo, text, step);
    this.#more.command = { command: 'dueline.redateMore', title: t('All…'), arguments: [announcement] };
    if (rescheduled) this.#more.show();
    this.#hiding = setTimeout(() => this.hide(), seconds * 1000);
  }

  hide(): void {
    this.#undo.hide();
    this.#more.hide();
  }

  dispose(): void {
    clearTimeout(this.#hiding);
    this.#owned.dispose();
  }
}

/** Each item carries the step that it is about: another one may be the newest when it is clicked. */
export function offerUndo(item: vscode.StatusBarItem, text: string, step: string): void {
  item.text = `$(discard) ${t('{0} · Undo', text.length > maxTextLength ? isolate(brief(text, maxTextLength)) : text)}`;
  item.tooltip = text;
  item.accessibilityInformation = { label: t('{0}. Undo', text), role: 'button' };
  item.command = { command: 'dueline.undo', title: t('Undo'), arguments: [step] };
  item.show();
}

export function undoCommands({
  commands,
  onDidAnnounce,
  engine,
  log,
  selection,
}: Pick<Services, 'commands' | 'onDidAnnounce' | 'engine' | 'log' | 'selection'>): vscode.Disposable {
  const owned = new Disposables();
  const offer = owned.add(new UndoOffer(onDidAnnounce));
  let latest = 0;
  const publish = async () => {
    const request = ++latest;
    const { undo, redo } = await engine.history();
    // An outdated answer would disable what is possible now.
    if (request !== latest) return;
    void vscode.commands.executeCommand('setContext', contextKeys.canUndo, undo !== undefined);
    await vscode.commands.executeCommand('setContext', contextKeys.canRedo, redo !== undefined);
  };
  const noteHistory = () => void publish().catch(error => log.error(`History: ${error.message}`));
  owned.add(engine.onDidChange(noteHistory));
  noteHistory();

  const noteFocus = async (calledBy: unknown) => isFocusedRow(calledBy) && selection.noteFocus();
  owned.add(
    commands.on('dueline.undo', async step => {
      offer.hide();
      await noteFocus(step);
      // A menu of the editor hands over something else.
      if (typeof step !== 'string')
        return stepAnnouncement(await engine.undoNamed(), t('Nothing to undo.'), name => t('Undone: {0}', name));
      const gone = t('This change was already undone, or is too old to undo.');
      return stepAnnouncement(await engine.undoStep(step), gone, name => t('Undone: {0}', name));
    }),
  );
  owned.add(
    commands.on('dueline.redo', async calledBy => {
      await noteFocus(calledBy);
      return stepAnnouncement(await engine.redoNamed(), t('Nothing to redo.'), name => t('Redone: {0}', name));
    }),
  );
  owned.add(
    commands.on('dueline.redateMore', async announcement => {
      offer.hide();
      return isAnnouncement(announcement) ? askForMore(engine, announcement) : undefined;
    }),
  );
  return owned;
}

async function askForMore(
  engine: DuelineEngine,
  { step, rescheduled }: Announcement,
): Promise<Announcement | undefined> {
  const scope = step !== undefined && rescheduled && (await askScope(rescheduled));
  if (!scope) return undefined;
  const made = await engine.stepOf(() => applyToSeries(engine, step, rescheduled, scope.value));
  if (made.result) return announcementOf(scope.message(isolate(rescheduled.title)), made.step);
  void showInformation(t('Nothing was changed: the new date was undone in the meantime.'));
  return undefined;
}

const askScope = ({ title }: Rescheduled) =>
  showQuickPick(
    [
      {
        label: t('This and following occurrences'),
        value: 'following' as const,
        message: (name: string) => t('Rescheduled this and following occurrences: {0}', name),
      },
      {
        label: t('Entire series'),
        value: 'all' as const,
        message: (name: string) => t('Rescheduled the entire series: {0}', name),
      },
    ],
    { title: brief(title, maxTextLength), placeHolder: t('Select which occurrences get the new date') },
  );

/** A page that asked shows it too: screen readers do not read the temporary text in the status bar. */
const stepAnnouncement = (
  label: EditLabel | undefined,
  nothing: string,
  something: (name: string) => string,
): Announcement => {
  if (!label) return { text: nothing };
  const name = editName(label);
  return {
    text: label.isReplaced
      ? t('Nothing was changed: later changes have replaced this one ({0}).', name)
      : something(name),
  };
};
