import * as vscode from 'vscode';
import { t } from '../../shared/l10n';
import { type DisplayLanguage, directionOf } from '../../shared/language';
import { showInformation } from '../../ui/notifications';
import { displayLanguage } from '../../ui/text/loadBundle';
import { articleHtml, pageOptions } from '../webview/page';
import { tabIcon } from '../webview/tabIcon';
import { isUpdate, renderNotes, titleOfNotes } from './notes';

const versionKey = 'whatsNew.version';
const silentKey = 'whatsNew.silent';

/** Markdown of the running version by language, as the build writes it. */
type Notes = Readonly<Record<DisplayLanguage, string>>;

interface Release {
  readonly extensionUri: vscode.Uri;
  readonly version: string;
}

/** Opens the notes of the running version, in the language of the interface. */
export async function showWhatsNew({ extensionUri }: Pick<Release, 'extensionUri'>): Promise<void> {
  const language = displayLanguage();
  const file = vscode.Uri.joinPath(extensionUri, 'dist', 'whatsNew.json');
  const notesOf = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file))) as Notes;
  const notes = notesOf[language];
  const title = titleOfNotes(notes);
  const panel = vscode.window.createWebviewPanel('dueline.whatsNew', title, vscode.ViewColumn.Active, {
    ...pageOptions(extensionUri),
    enableScripts: false,
  });
  panel.iconPath = tabIcon('whatsNew');
  panel.webview.html = articleHtml(panel.webview, extensionUri, {
    title,
    language,
    direction: directionOf(language),
    body: renderNotes(notes),
  });
}

/** After an update, a notification offers the notes, once. Nothing opens by itself. */
export async function offerWhatsNew(release: Release, state: vscode.Memento, hadTasks: boolean): Promise<void> {
  const before = state.get<string>(versionKey);
  if (before === release.version) return;
  await state.update(versionKey, release.version);
  if (!isUpdate(before, release.version, hadTasks) || state.get<boolean>(silentKey)) return;
  const [show, never] = [t('What’s New'), t('Don’t Show Again')];
  const picked = await showInformation(t('Dueline was updated to version {0}.', release.version), show, never);
  if (picked === show) await showWhatsNew(release);
  else if (picked === never) await state.update(silentKey, true);
}
