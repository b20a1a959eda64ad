import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { flavor } from '#flavor';
import { otherFlavorId, registerTerminalCommand } from '#flavor/extension';
import type { DuelineEngine, Secrets } from '../api';
import { contextKeys } from '../contributions/ids';
import { Emitter } from '../core/kernel/events';
import { type Clock, systemClock } from '../core/time/clock';
import { dataFolderOf, folderChoices, hasStore } from '../dataFolder';
import { openWith } from '../openWith';
import { plain, t } from '../shared/l10n';
import type { Announcement } from '../ui/announcements';
import { showWarning } from '../ui/notifications';
import { TaskSelection } from '../ui/selection';
import type { Services } from '../ui/services';
import { declareSettings, displayLocale, engineSettings } from '../ui/settings/settings';
import { keepWorkspaceList } from '../ui/settings/workspaceList';
import { loadWords } from '../ui/text/loadBundle';
import { type NewDrag, registerFilters, registerLists } from '../views/registerTrees';
import { later } from './door';

/** How long commands wait for the rows of Lists: if the tree is not open, the editor asks for none. */
const rowsTimeoutMs = 200;

/**
 * Opens the store and puts every view and command on it; returns undefined if it cannot be opened, which the user is
 * shown.
 *
 * The order is the start's time: the tree of lists first; once its rows are drawn or {@link rowsTimeoutMs} has passed,
 * that of filters from a second script, and from a third one the rest of the views and the commands. Without a store,
 * every command leads to the log.
 */
export async function start(
  context: vscode.ExtensionContext,
  clock: Clock = systemClock,
): Promise<DuelineEngine | undefined> {
  declareSettings(context.extension.packageJSON);
  if (otherFlavorId && vscode.extensions.getExtension(otherFlavorId)) return warnAboutOtherFlavor(context);
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  own(registerTerminalCommand(context));
  const log = own(vscode.window.createOutputChannel('Dueline', { log: true }));
  own(vscode.commands.registerCommand('dueline.openLog', () => log.show()));
  const words = loadWords(context.extensionUri);
  const folder = await dataFolder(context.globalStorageUri.fsPath, words);
  const storeFolder = vscode.Uri.file(folder);
  const hadTasks = hasStore(folder);
  let engine: DuelineEngine;
  try {
    engine = await openWith(flavor, {
      folder,
      clock,
      secrets: secretsOf(context.secrets),
      locale: displayLocale(),
      firstList: words.then(() => plain(t('Inbox'))),
      log: (level, message) => {
        try {
          log[level](message);
        } catch {
          // When a window closes, the editor removes the channel before the extension has ended; a sync is still
          // completed.
        }
      },
    });
  } catch (error) {
    log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    await words;
    const chooseFolder = () => later().pickDataFolder(context.globalStorageUri.fsPath);
    const commandIds = commandIdsOf(context.extension);
    own(later().registerFailedStore(error, { storeFolder, commandIds, chooseFolder }));
    setState('failed');
    return undefined;
  }
  await words;
  keepWorkspaceList(context.workspaceState);
  engine.configure(engineSettings());
  const selection = new TaskSelection();
  const done = own(new Emitter<Announcement>());
  const announce = (announcement: Announcement) => done.fire(announcement);
  const services: Omit<Services, 'commands'> = {
    engine,
    log,
    selection,
    announce,
    onDidAnnounce: done.event,
    extensionUri: context.extensionUri,
    extensionId: context.extension.id,
    version: context.extension.packageJSON.version,
    workspaceState: context.workspaceState,
  };
  const newDrag: NewDrag = (...parts) => new (later().TreeDrag)(...parts);
  const lists = own(registerLists(services, newDrag));
  // The editor learns of the tree first, and takes longer to ask for its rows than these to be counted.
  void delay(0)
    .then(() => lists.lists.prepare())
    .catch(error => log.error(error));
  await Promise.race([lists.lists.shown, delay(rowsTimeoutMs)]);
  const filters = own(registerFilters(services, newDrag));
  const extras = later().registerRest(services, { ...lists, ...filters }, { context, storeFolder, hadTasks });
  setState('ready', engine);
  return Object.assign(engine, extras);
}

/** Asks before a window opens without tasks, if the profile's own folder or another profile of the editor has some. */
async function dataFolder(storage: string, words: Promise<unknown>): Promise<string> {
  if (folderChoices(storage).length === 0) return dataFolderOf(storage);
  await words;
  return later().askDataFolder(storage);
}

/** Both flavors answer to the same commands, so only one of them can run. */
async function warnAboutOtherFlavor(context: vscode.ExtensionContext): Promise<undefined> {
  await loadWords(context.extensionUri);
  const text = t('Dueline and Dueline Offline are both installed, but only one can run. Disable one of them.');
  void showWarning(text);
}

function setState(state: 'ready' | 'failed', opened?: DuelineEngine): void {
  void vscode.commands.executeCommand('setContext', contextKeys.state, state);
  if (opened) void vscode.commands.executeCommand('setContext', contextKeys.flavor, opened.flavor);
}

const commandIdsOf = ({ packageJSON }: vscode.Extension<unknown>): string[] =>
  packageJSON.contributes.commands.map(({ command }: { command: string }) => command);

const secretsOf = (storage: vscode.SecretStorage): Secrets => ({
  get: async key => storage.get(key),
  set: async (key, value) => storage.store(key, value),
  delete: async key => storage.delete(key),
});
