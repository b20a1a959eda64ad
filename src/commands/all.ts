import * as vscode from 'vscode';
import type { Parts } from '../views/parts';
import type { Shown } from '../views/shown';
import { alarmCommands } from './alarms';
import { appCommands } from './app';
import { arrangeCommands } from './arrange';
import { bulkCommands } from './bulk';
import { captureCommands } from './capture';
import { captureMoreCommands } from './captureMore';
import { copyCommands } from './copy';
import { dataCommands } from './data';
import { editCommands } from './edit';
import { explainCommands } from './explain';
import { filterCommands } from './filters';
import { findCommands } from './find';
import { historyCommands } from './history';
import { linkCommands } from './links';
import { listCommands } from './lists';
import { organiseCommands } from './organise';
import { reminderCommands } from './reminders';
import { repeatCommands } from './repeat';
import { reportTexts } from './reports';
import { scheduleCommands } from './schedule';
import { showCommands } from './show';
import { trashCommands } from './trash';
import { uriHandler } from './uri';
import { wholeDataCommands } from './wholeData';
import { widgetCommands } from './widgets';

/** Every command that both flavors have. */
export const registerCommands = (parts: Parts, shown: Shown, storeFolder: vscode.Uri): vscode.Disposable =>
  vscode.Disposable.from(
    captureCommands(parts),
    editCommands(parts),
    scheduleCommands(parts),
    listCommands(parts),
    historyCommands(parts),
    appCommands(parts, shown),
    captureMoreCommands(parts),
    organiseCommands(parts, shown),
    arrangeCommands(parts, shown),
    repeatCommands(parts),
    reminderCommands(parts),
    findCommands(parts, shown),
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
    showCommands(parts),
    uriHandler(parts, shown),
    widgetCommands(shown),
  );
