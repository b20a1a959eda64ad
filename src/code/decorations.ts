import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { isClosed } from '../core/fields/status';
import { Disposables } from '../core/kernel/events';
import type { Task } from '../core/kernel/model';
import { momentOf } from '../core/time/dates';
import { occurrence } from '../query/eval/items';
import { brief, isolate, t } from '../shared/l10n';
import { instanceOf } from '../ui/occurrences';
import { dateStyle, setting } from '../ui/settings/settings';
import { treeWhenLabel } from '../ui/text/dateText';
import { appendPlain } from '../ui/text/plainText';
import { titleOf } from '../ui/text/taskText';
import type { OpenFiles, OpenLocation } from './openFiles';
import { todoOn } from './todos/todoTexts';

interface TaskOfLine {
  readonly task: Task;
  /** Only the lines around it are the same. */
  readonly isProbable: boolean;
  /** The line has a TODO comment that says the same as its title. */
  readonly isTitleInComment: boolean;
}

/** The most tasks that are named after a line; its hover lists all. */
const maxNames = 3;
const debounceMs = 30;

/** The tasks of lines: behind the line or above it, in the overview ruler, and on hover. */
export class LineTasks implements vscode.Disposable, vscode.CodeLensProvider {
  readonly #owned = new Disposables();
  readonly #marks = this.#owned.add(
    vscode.window.createTextEditorDecorationType({
      after: { margin: '0 0 0 3ch', color: new vscode.ThemeColor('editorCodeLens.foreground') },
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.infoForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Center,
    }),
  );
  readonly #lenses = this.#owned.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#lenses.event;
  #soon: NodeJS.Timeout | undefined;

  constructor(
    private readonly engine: DuelineEngine,
    private readonly files: OpenFiles,
  ) {
    const draw = () => {
      clearTimeout(this.#soon);
      this.#soon = setTimeout(() => this.#draw(), debounceMs);
    };
    for (const part of [
      files.onDidChange(draw),
      engine.onDidChange(draw),
      vscode.window.onDidChangeVisibleTextEditors(draw),
      vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('dueline') && draw()),
      vscode.languages.registerCodeLensProvider({ pattern: '**' }, this),
      { dispose: () => clearTimeout(this.#soon) },
    ])
      this.#owned.add(part);
  }

  #draw(): void {
    const how = setting('dueline.links.show');
    for (const editor of vscode.window.visibleTextEditors) {
      const marks = how === 'off' ? [] : this.#marksOf(editor.document);
      editor.setDecorations(this.#marks, marks);
    }
    this.#lenses.fire();
  }

  #marksOf(document: vscode.TextDocument): vscode.DecorationOptions[] {
    const isBehind = setting('dueline.links.show') === 'endOfLine';
    return [...this.#byLine(document)].map(([line, tasks]) => ({
      range: document.lineAt(line).range,
      hoverMessage: tasks.map(lineTask => this.#hover(lineTask)),
      ...(isBehind ? { renderOptions: { after: { contentText: this.#words(tasks) } } } : {}),
    }));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (setting('dueline.links.show') !== 'codeLens') return [];
    return [...this.#byLine(document)].flatMap(([line, tasks]) =>
      tasks.map(
        lineTask =>
          new vscode.CodeLens(document.lineAt(line).range, {
            command: 'dueline.open',
            title: this.#words([lineTask]),
            arguments: [lineTask.task.id],
          }),
      ),
    );
  }

  /** Completed tasks are not shown: the code stays, and the line would fill. */
  #byLine(document: vscode.TextDocument): ReadonlyMap<number, readonly TaskOfLine[]> {
    const lines = new Map<number, TaskOfLine[]>();
    for (const location of this.files.in(document.uri)) {
      const task = openTask(this.engine, location);
      if (!task || location.line === undefined || location.line >= document.lineCount) continue;
      const isTitleInComment =
        location.anchor.isTodo === true && !!todoOn(document, location.line)?.text.includes(titleOf(task));
      lines.set(location.line, [
        ...(lines.get(location.line) ?? []),
        { task, isProbable: location.isProbable, isTitleInComment },
      ]);
    }
    return lines;
  }

  #words(tasks: readonly TaskOfLine[]): string {
    const named = tasks.slice(0, maxNames).map(({ task, isTitleInComment }) => {
      const when = whenOf(this.engine, task);
      if (isTitleInComment) return `○ ${when ?? t('task')}`;
      return `○ ${isolate(brief(titleOf(task), 60))}${when ? ` · ${when}` : ''}`;
    });
    return [...named, ...(tasks.length > maxNames ? ['…'] : [])].join('  ');
  }

  /** Titles also come from other programs, so they are shown as text, and the links only contain the task's number. */
  #hover({ task, isProbable }: TaskOfLine): vscode.MarkdownString {
    const text = new vscode.MarkdownString();
    text.isTrusted = { enabledCommands: Object.keys(hoverActs()) };
    const when = whenOf(this.engine, task);
    appendPlain(text.appendMarkdown('**'), isolate(titleOf(task))).appendMarkdown('**');
    if (when) text.appendText(` · ${when}`);
    if (isProbable) text.appendText(` · ${t('Probably here')}`);
    const args = encodeURIComponent(JSON.stringify([task.id]));
    const links = Object.entries(hoverActs()).map(([command, words]) => `[${words}](command:${command}?${args})`);
    return text.appendMarkdown(`\n\n${links.join(' | ')}`);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

/** When a task is due; of a series its next occurrence. */
export function whenOf(engine: DuelineEngine, task: Task): string | undefined {
  const { dtstart, due } = instanceOf(engine, task) ?? task;
  const row = occurrence({ task, dtstart, due }, momentOf(engine.clock, engine.settings.dayStartHour));
  return treeWhenLabel(row, dateStyle(engine));
}

const hoverActs = (): Readonly<Record<string, string>> => ({
  'dueline.complete': t('Complete'),
  'dueline.postpone': t('Postpone…'),
  'dueline.open': t('Open Task'),
  'dueline.pinHere': t('Pin Here'),
  'dueline.removeLink': t('Remove Link'),
});

function openTask(engine: Pick<DuelineEngine, 'task'>, { task: id }: OpenLocation): Task | undefined {
  const task = engine.task(id);
  return task && !isClosed(task) ? task : undefined;
}
