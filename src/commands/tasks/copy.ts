import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isPartOfPrivate } from '../../core/fields/privacy';
import { isClosed } from '../../core/fields/status';
import type { Task } from '../../core/kernel/model';
import { literalMarkdown } from '../../core/text/literalMarkdown';
import { standupOf, standupText } from '../../query/agenda/standup';
import { currentLanguage, plain, t, tn } from '../../shared/l10n';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { codeLinks } from '../../ui/text/codeLinks';
import { fullTitleOf } from '../../ui/text/taskText';
import type { TargetResolver } from '../common/targets';

export const copyCommands = (
  { commands, engine }: CommandServices,
  targets: TargetResolver,
  extensionId: string,
): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.copyLink', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to copy its link'));
      await copy(tasks.map(task => taskLink(extensionId, task)).join('\n'));
    }),
    commands.on('dueline.copyMarkdown', async (target, selection) => {
      const chosen = await targets.tasks(target, selection, t('Select a task to copy'));
      // One private task that is copied is meant; among several it may be overlooked.
      const tasks = chosen.length === 1 ? chosen : chosen.filter(task => !isPartOfPrivate(task, engine.task));
      await copy(
        tasks.map(task => `- [${isClosed(task) ? 'x' : ' '}] ${literalMarkdown(fullTitleOf(task))}`).join('\n'),
      );
      const hiddenCount = chosen.length - tasks.length;
      if (tasks.length === 0 && hiddenCount > 0)
        void showInformation(t('Private tasks can only be copied one at a time.'));
      else if (hiddenCount > 0) void showInformation(leftOut(hiddenCount));
    }),
    commands.on('dueline.copyShortId', async (target, selection) => {
      const tasks = await targets.tasks(target, selection, t('Select a task to copy its short ID'));
      await copy(tasks.map(task => engine.shortIdOf(task)).join(' '));
    }),
    commands.on('dueline.copyStandup', async () => {
      await engine.openDoneLog();
      const report = standupOf(engine, currentLanguage());
      await copy(standup(engine, report, await codeLinks()?.repositoryNames()));
      if (report.hiddenCount > 0) void showInformation(leftOut(report.hiddenCount));
      else vscode.window.setStatusBarMessage(t('Standup copied'), 5000);
    }),
  );

/** The copy is for others to read, so private tasks are left out, and a message explains why some are missing. */
const leftOut = (count: number): string =>
  tn(count, 'Copied. {0} private task was left out.', 'Copied. {0} private tasks were left out.');

function standup(
  engine: DuelineEngine,
  report: ReturnType<typeof standupOf>,
  repositories: ReadonlyMap<string, string> | undefined,
): string {
  const words = {
    headings: {
      yesterday: report.since === undefined ? t('Yesterday') : t('Since {0}', report.since),
      today: t('Today'),
      blocked: t('Blocked'),
    },
    nothing: t('nothing'),
    untitled: t('Untitled task'),
    inProgress: (title: string) => t('{0}: {1}', t('in progress'), title),
    after: (titles: string) => t('after {0}', titles),
    clean: plain,
  };
  return standupText(engine, report, words, repositories);
}

/** Opens the task wherever Dueline knows it; the editor asks before it follows such a link. */
const taskLink = (extensionId: string, task: Task) =>
  `${vscode.env.uriScheme}://${extensionId}/task?uid=${encodeURIComponent(task.uid)}`;

async function copy(text: string): Promise<void> {
  if (text !== '') await vscode.env.clipboard.writeText(text);
}
