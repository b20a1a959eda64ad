import type * as vscode from 'vscode';
import { registerCode } from '../code/registerCode';
import { registerCommands } from '../commands/registerCommands';
import { checkArguments } from '../engine/checkedApi';
import { registerText } from '../text/registerText';
import { CommandRunner } from '../ui/commandRunner';
import type { Services } from '../ui/services';
import { showStoreNotices } from '../ui/storeNotices';
import { linksWereMissed } from '../ui/text/codeLinks';
import { showFirstTask } from '../views/firstTask';
import type { Trees } from '../views/registerTrees';
import { registerViews } from '../views/registerViews';
import { offerWhatsNew } from '../views/whatsNew/whatsNew';
import { pickDataFolder } from './askDataFolder';
import { registerFlavor } from './laterFlavor';

interface Start {
  readonly context: vscode.ExtensionContext;
  readonly storeFolder: vscode.Uri;
  readonly hadTasks: boolean;
}

/**
 * Everything besides the trees, once these have shown their rows; returns what the extension exports besides the API.
 */
export function registerRest(
  parts: Omit<Services, 'commands'>,
  trees: Trees,
  { context, storeFolder, hadTasks }: Start,
) {
  const services: Services = { ...parts, commands: new CommandRunner(parts.selection, parts.announce) };
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const { extendMarkdownIt } = own(registerCode(services));
  const views = own(registerViews(services, trees));
  if (linksWereMissed()) views.refresh();
  own(registerCommands(services, views, storeFolder));
  own(registerText(services));
  own(services.commands.on('dueline.data.chooseFolder', () => pickDataFolder(context.globalStorageUri.fsPath)));
  own(registerFlavor(services, storeFolder, context));
  own(showFirstTask(services.engine, views, context.globalState, services.onDidAnnounce));
  checkArguments(services.engine); // before other extensions get it
  void showStoreNotices(services.engine);
  void offerWhatsNew(services, context.globalState, hadTasks);
  return { extendMarkdownIt };
}
