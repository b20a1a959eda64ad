import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { AnchorEdit } from '../../core/code/anchors';
import { DuelineError } from '../../core/kernel/errors';
import type { Task } from '../../core/kernel/model';
import { brief, isolate, t } from '../../shared/l10n';
import { perform } from '../../ui/announcements';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { inSeries } from '../../ui/occurrences';
import { isTaskTarget } from '../../ui/selection';
import type { CommandServices } from '../../ui/services';
import { openTaskLink } from '../../ui/taskLinks';
import { codeLinks, codeLinkText } from '../../ui/text/codeLinks';
import { titleOf } from '../../ui/text/taskText';
import { pickTask } from '../common/pickTask';
import type { TargetResolver } from '../common/targets';

/** The commands for a task's address and its code locations. */
export const linkCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.linkHere', async target => {
      const editor = vscode.window.activeTextEditor;
      const line = editor?.selection.active.line ?? 0;
      // Cells of a notebook, earlier versions in a diff and the output are not files either.
      if (!editor || !(await codeLinks()?.at(editor.document, line))) {
        void showInformation(t('Open a saved file first. The task is linked to its current line.'));
        return undefined;
      }
      // The menu of an editor passes its file, which is not a task. The selection of a tree then has nothing to do with
      // this line.
      const question = t('Select a task to link to this line');
      const task = isTaskTarget(target) ? await targets.task(target, question) : await pickTask(engine, question);
      const series = task && inSeries(engine, task).task;
      const edit = series && (await codeLinks()?.link(series, editor.document, line));
      if (!edit) return undefined;
      return linked(engine, series, edit, t('Linked {0}', isolate(titleOf(task))));
    }),
    commands.on('dueline.openLink', async target => {
      const task = await linkedTask(engine, targets, target, t('Select a task to open its link'));
      if (!task) return;
      if (linksOf(engine, task).length === 0) throw new DuelineError('invalid', t('This task has no link.'));
      const link = await pickLink(linksOf(engine, task), t('Select a link to open'));
      if (link?.url !== undefined) await openTaskLink(link.url);
      else if (link) await codeLinks()?.open(task, link.source);
    }),
    commands.on('dueline.pinHere', async target => {
      const task = await linkedTask(engine, targets, target, t('Select a task to pin to its code'));
      const series = task && inSeries(engine, task).task;
      if (!series) return undefined;
      const edit = await codeLinks()?.pin(series);
      if (!edit) {
        void showInformation(t('Open the linked file before you pin the task.'));
        return undefined;
      }
      return linked(engine, series, edit, t('Pinned {0}', isolate(titleOf(task))));
    }),
    commands.on('dueline.removeLink', async target => {
      const task = await linkedTask(engine, targets, target, t('Select a task to remove its link'));
      const link = task && (await pickLink(linksOf(engine, task), t('Select a link to remove')));
      if (!link) return undefined;
      // The user's own text is not rewritten.
      if (link.isInNotes) throw new DuelineError('invalid', t('This link is in the notes. Remove it there.'));
      const text = t('Removed the link from {0}', isolate(titleOf(task)));
      if (link.url === undefined) return linked(engine, inSeries(engine, task).task, { remove: [link.source] }, text);
      return perform(
        engine,
        () => engine.updateTask(task.id, { url: null }),
        () => text,
      );
    }),
  );

const linked = (engine: DuelineEngine, { id }: Task, edit: AnchorEdit, text: string) =>
  perform(
    engine,
    () => engine.apply([{ type: 'anchors', id, edit }]),
    () => text,
  );

type Link = vscode.QuickPickItem &
  (
    | { readonly url: string; readonly source?: never; readonly isInNotes?: never }
    | { readonly url?: never; readonly source: string; readonly isInNotes: boolean }
  );

/** Its links to code, and its URL. */
export function linksOf(engine: DuelineEngine, task: Task): Link[] {
  const { url } = task;
  const links = codeLinks()?.of(inSeries(engine, task).task) ?? [];
  return [
    ...links.map(link => ({ label: codeLinkText(link), source: link.source, isInNotes: link.isInNotes })),
    ...(url && links.every(({ source }) => source !== url) ? [{ label: isolate(brief(url)), url }] : []),
  ];
}

const pickLink = async (links: readonly Link[], placeHolder: string): Promise<Link | undefined> =>
  links.length > 1 ? showQuickPick(links, { placeHolder }) : links[0];

/** Without a target the task that is selected; else only tasks that have a link are offered. */
const linkedTask = async (
  engine: DuelineEngine,
  targets: TargetResolver,
  target: Parameters<TargetResolver['task']>[0],
  placeholder: string,
) =>
  target !== undefined || (await targets.selection.current()).length > 0
    ? targets.task(target, placeholder)
    : pickTask(engine, placeholder, '(has:url or has:link) sort:due,priority', t('No open tasks have a link.'));
