import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { Disposables } from '../core/events';
import type { Id } from '../core/model';
import { isolate, t } from '../shared/l10n';
import { titleOf } from '../ui/text/taskText';

type Engine = Pick<DuelineEngine, 'task' | 'findByShortId'>;

interface ShortId {
  readonly from: number;
  readonly text: string;
  readonly task: Id;
  readonly tooltip: string;
}

const maxCharacters = 1024 * 1024;

/** Short IDs of tasks that are here; other words look like one too. */
export function shortIdsIn(engine: Engine, text: string): ShortId[] {
  if (text.length > maxCharacters) return [];
  return [...text.matchAll(/\bdl-[a-z\d]{4,}\b/g)].flatMap(({ 0: found, index }) => {
    try {
      const task = engine.findByShortId(found);
      return [{ from: index, text: found, task, tooltip: t('Open {0}', isolate(titleOf(engine.task(task)!))) }];
    } catch {
      return [];
    }
  });
}

interface TerminalId extends vscode.TerminalLink {
  readonly task: Id;
}

/** Short IDs in files, commit messages and terminals open their tasks. */
export function shortIdLinks(engine: Engine): vscode.Disposable {
  const owned = new Disposables();
  owned.add(
    vscode.languages.registerDocumentLinkProvider(
      { pattern: '**' },
      {
        provideDocumentLinks: document =>
          shortIdsIn(engine, document.getText()).map(({ from, text, task, tooltip }) => {
            const range = new vscode.Range(document.positionAt(from), document.positionAt(from + text.length));
            const args = encodeURIComponent(JSON.stringify([task]));
            const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:dueline.open?${args}`));
            link.tooltip = tooltip;
            return link;
          }),
      },
    ),
  );
  owned.add(
    vscode.window.registerTerminalLinkProvider({
      provideTerminalLinks: ({ line }): TerminalId[] =>
        shortIdsIn(engine, line).map(({ from, text, task, tooltip }) => ({
          startIndex: from,
          length: text.length,
          tooltip,
          task,
        })),
      handleTerminalLink: async ({ task }: TerminalId) => {
        await vscode.commands.executeCommand('dueline.open', task);
      },
    }),
  );
  return owned;
}
