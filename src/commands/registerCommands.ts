import * as vscode from 'vscode';
import type { Parts } from '../ui/services';
import type { ViewController } from '../ui/viewController';
import { addFromTextCommands } from './capture/addFromText';
import { captureCommands } from './capture/quickAdd';
import { wholeDataCommands } from './data/backup';
import { dataCommands } from './data/importExport';
import { trashCommands } from './data/trash';
import { explainCommands } from './filters/explain';
import { filterCommands } from './filters/filters';
import { generalCommands } from './general';
import { reportTexts } from './kit/reportDocument';
import { undoCommands } from './kit/undo';
import { listCommands } from './lists/lists';
import { alarmCommands } from './tasks/addReminder';
import { arrangeCommands } from './tasks/arrange';
import { bulkCommands } from './tasks/bulkEdit';
import { editCommands } from './tasks/completeAndDelete';
import { copyCommands } from './tasks/copy';
import { linkCommands } from './tasks/links';
import { organiseCommands } from './tasks/organise';
import { reminderCommands } from './tasks/reminders';
import { repeatCommands } from './tasks/repeat';
import { scheduleCommands } from './tasks/schedule';
import { uriHandler } from './uriHandler';
import { viewOptionCommands } from './viewOptions';

/** Every command that both flavors have. */
export const registerCommands = (parts: Parts, shown: ViewController, storeFolder: vscode.Uri): vscode.Disposable =>
  vscode.Disposable.from(
    captureCommands(parts),
    editCommands(parts),
    scheduleCommands(parts),
    listCommands(parts),
    undoCommands(parts),
    generalCommands(parts, shown),
    addFromTextCommands(parts),
    organiseCommands(parts, shown),
    arrangeCommands(parts, shown),
    repeatCommands(parts),
    reminderCommands(parts),
    filterCommands(parts, shown),
    bulkCommands(parts, shown),
    copyCommands(parts),
    linkCommands(parts),
    alarmCommands(parts),
    dataCommands(parts, storeFolder),
    wholeDataCommands(parts),
    explainCommands(parts, shown),
    reportTexts(),
    trashCommands(parts),
    viewOptionCommands(parts),
    uriHandler(parts, shown),
  );
