import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import type { NamedText } from '../contributions/commandTargets';
import type { CommandArgs } from '../contributions/definitions';
import { textLanguage, textScheme } from '../contributions/ids';
import { Disposables } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import type { TextTarget } from '../core/text/document/types';
import { isolate, plain, t } from '../shared/l10n';
import { filterById, labeledBuiltInFilters } from '../ui/builtInFilters';
import { showQuickPick } from '../ui/dialogs';
import { isFocusedRow } from '../ui/selection';
import type { Services } from '../ui/services';
import { savedFilters } from '../ui/settings/settings';
import { titleOf } from '../ui/text/taskText';
import { withIcon } from '../ui/withIcon';
import { announceSave, askVanished } from './askVanished';
import { TextDiagnostics } from './diagnostics';
import { TextReading } from './reading';
import { TextFiles } from './textFiles';
import { textUri } from './textUri';
import { TextWriting } from './writing';

type TextServices = Pick<Services, 'engine' | 'workspaceState' | 'commands' | 'selection'>;

/**
 * The door of the room of texts: lists, filters and tasks as files of the scheme `dueline`.
 *
 *     open → edit → save: compare with the tasks as they are now → one undo step → write the text again
 *
 * A text is a view. Invariant: a save changes only what the user changed, and deletes nothing without a question.
 */
export function registerText({ engine, workspaceState, commands, selection }: TextServices): vscode.Disposable {
  const owned = new Disposables();
  const files = owned.add(new TextFiles({ engine, workspaceState, ask: askVanished, announce: announceSave }));
  const selector = { scheme: textScheme, language: textLanguage };
  owned.add(new TextDiagnostics(files));
  owned.add(new TextReading(engine, files).register(selector));
  owned.add(new TextWriting(engine, files).register(selector));
  owned.add(
    commands.on('dueline.editAsText', async from => {
      const row = isFocusedRow(from) ? await selection.focusedRow() : from;
      const found = textOf(engine, row) ?? (await pickText(engine));
      if (found) await vscode.window.showTextDocument(textUri(found.name, found.text), { preview: false });
    }),
  );
  return owned;
}

/** The text of the list, filter, task or widget that a row of a tree or a page stands for. */
function textOf(engine: DuelineEngine, row: CommandArgs<'dueline.editAsText'>[0] | unknown): NamedText | undefined {
  const { text, name = '' } = (row ?? {}) as Partial<NamedText>;
  if (text) return { name, text };
  const { listId, filterId, taskId } = (row ?? {}) as { listId?: Id; filterId?: string; taskId?: Id };
  const task = taskId === undefined ? undefined : engine.task(taskId);
  if (task) {
    const series = task.masterId === null ? task : (engine.task(task.masterId) ?? task);
    return { name: titleOf(series), text: { taskId: series.id } };
  }
  const filter = filterId === undefined ? undefined : filterById(filterId);
  if (filter) return { name: filter.name, text: { query: filter.query } };
  const list = engine.lists().find(({ id }) => id === listId);
  return list && { name: list.name, text: { listId: list.id } };
}

async function pickText(engine: DuelineEngine): Promise<NamedText | undefined> {
  const named = (icon: string, name: string, text: TextTarget) => ({
    ...withIcon(icon, isolate(name)),
    name: plain(name),
    text,
  });
  const lists = engine.lists();
  const items = [
    named('list-tree', t('All lists'), { all: true }),
    ...lists.map(({ id, name }) => named('list-unordered', name, { listId: id })),
    ...[...savedFilters(), ...labeledBuiltInFilters()].map(({ name, query }) => named('filter', name, { query })),
  ];
  return showQuickPick(items, { title: t('Edit as Text'), placeHolder: t('Select what to edit') });
}
