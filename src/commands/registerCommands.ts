import * as vscode from 'vscode';
import type { Services } from '../ui/services';
import type { ViewController } from '../ui/viewController';
import { showWhatsNew } from '../views/whatsNew/whatsNew';
import { addFromTextCommands } from './capture/addFromText';
import { captureCommands } from './capture/quickAdd';
import { reportTexts } from './common/reportDocument';
import { TargetResolver } from './common/targets';
import { undoCommands } from './common/undo';
import { wholeDataCommands } from './data/backup';
import { importExportCommands } from './data/importExport';
import { trashCommands } from './data/trash';
import { explainCommands } from './filters/explain';
import { savedFilterCommands } from './filters/filters';
import { searchCommands } from './filters/search';
import { viewCommands } from './general';
import { manageListCommands } from './lists/lists';
import { meetingCommands } from './meetings/meetings';
import { keyCommands } from './showKeys';
import { alarmCommands } from './tasks/addReminder';
import { arrangeCommands } from './tasks/arrange';
import { dependencyCommands } from './tasks/blockedBy';
import { branchCommands } from './tasks/branches';
import { bulkCommands } from './tasks/bulkEdit';
import { editCommands } from './tasks/completeAndDelete';
import { copyCommands } from './tasks/copy';
import { linkCommands } from './tasks/links';
import { organiseCommands } from './tasks/organise';
import { planCommands } from './tasks/planToday';
import { reminderCommands } from './tasks/reminders';
import { repeatCommands } from './tasks/repeat';
import { dateCommands } from './tasks/schedule';
import { reviewCommands } from './tasks/weeklyReview';
import { timeCommands } from './tasks/workTime';
import { templateCommands } from './templates/templates';
import { uriHandler } from './uriHandler';
import { viewOptionCommands } from './viewOptions';

/**
 * The door of the commands: registers every command that both flavors have.
 *
 * A command finds its tasks, asks its questions, changes the tasks in one undo step and returns the announcement;
 * `CommandRunner` shows it, or the error. A plan of changes writes nothing before its last question is answered.
 */
export function registerCommands(
  services: Services,
  viewController: ViewController,
  storeFolder: vscode.Uri,
): vscode.Disposable {
  const { engine, selection, commands, log, extensionId } = services;
  const targets = new TargetResolver(engine, selection);
  return vscode.Disposable.from(
    captureCommands(services, selection),
    editCommands(services, targets),
    dateCommands(services, targets),
    manageListCommands(services),
    undoCommands(services),
    viewCommands(services, targets, viewController),
    searchCommands(services, viewController),
    addFromTextCommands(services),
    organiseCommands(services, targets, viewController),
    arrangeCommands(services, targets, viewController),
    repeatCommands(services, targets),
    reminderCommands(services, targets),
    savedFilterCommands(services, viewController),
    bulkCommands(services, targets, viewController),
    copyCommands(services, targets, extensionId),
    templateCommands(services, targets),
    dependencyCommands(services, targets),
    reviewCommands(services),
    planCommands(services),
    linkCommands(services, targets),
    branchCommands(services, targets),
    timeCommands(services, targets),
    meetingCommands(services),
    alarmCommands(services, targets),
    importExportCommands(services, storeFolder),
    wholeDataCommands(services),
    explainCommands(services, viewController),
    reportTexts(),
    trashCommands(services),
    viewOptionCommands(commands, extensionId),
    keyCommands(commands, extensionId),
    commands.on('dueline.whatsNew', () => showWhatsNew(services)),
    uriHandler(engine, log, viewController),
  );
}
