import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { isolate, t } from '../shared/l10n';
import { type Announce, perform } from '../ui/announcements';
import { readTaskIds, taskMime } from '../ui/draggedTasks';
import { inSeries } from '../ui/occurrences';
import type { CodeLinks } from '../ui/text/codeLinks';
import { titleOf } from '../ui/text/taskText';

/** Links tasks to the line that they are dropped on. The text of the file stays as it is. */
export class TaskDrop implements vscode.DocumentDropEditProvider, vscode.Disposable {
  readonly #registered = vscode.languages.registerDocumentDropEditProvider({ pattern: '**' }, this);

  constructor(
    private readonly engine: Pick<DuelineEngine, 'task' | 'apply' | 'stepOf'>,
    private readonly links: Pick<CodeLinks, 'link'>,
    private readonly announce: Announce,
  ) {}

  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    { line }: vscode.Position,
    data: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const dragged = await data.get(taskMime)?.asString();
    const tasks = (dragged === undefined ? [] : readTaskIds(dragged)).flatMap(id => this.engine.task(id) ?? []);
    const series = [
      ...new Map(tasks.map(task => inSeries(this.engine, task).task).map(task => [task.id, task])).values(),
    ];
    const edits = await Promise.all(series.map(task => this.links.link(task, document, line)));
    const changes = series.flatMap(({ id }, at) =>
      edits[at] ? [{ type: 'anchors', id, edit: edits[at] } as const] : [],
    );
    if (changes.length === 0) return undefined;
    const text = t('Linked {0}', series.map(task => isolate(titleOf(task))).join(', '));
    const work = () => this.engine.apply(changes);
    this.announce(await perform(this.engine, work, () => text));
    return new vscode.DocumentDropEdit('');
  }

  dispose(): void {
    this.#registered.dispose();
  }
}
