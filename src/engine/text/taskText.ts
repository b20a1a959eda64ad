import type { DuelineEngine } from '../../api';
import type { Disposable } from '../../core/kernel/events';
import { columnOf, readLine } from '../../core/text/document/line';
import { withoutBackslashes } from '../../core/text/document/literal';
import type { EditedText, LineMeaning, SavedText, TasksAsText, TextTarget } from '../../core/text/document/types';
import type { TaskEdits } from '../taskEditor';
import { recognizeLines } from './recognizeLines';
import { saveText } from './saveText';
import { layoutOf, TextPlanner } from './textPlan';

/** The tasks of a list, a task or a query as a text. */
export class TaskText implements TasksAsText {
  readonly #planner: TextPlanner;
  readonly #listening: Disposable;

  constructor(
    private readonly engine: DuelineEngine & TaskEdits,
    private readonly target: TextTarget,
  ) {
    this.#planner = new TextPlanner(engine, target);
    this.#listening = engine.onDidChange(() => this.#planner.forget());
  }

  dispose(): void {
    this.#listening.dispose();
  }

  write(base?: string): { readonly text: string; readonly isReadOnly: boolean } {
    return this.#planner.write(base);
  }

  check(base: string, mine: string, isUndone = false): ReturnType<TasksAsText['check']> {
    const { problems, vanished, written } = this.#planner.plan({ base, mine, isUndone });
    return { problems, vanished: vanished.map(({ id }) => written.tasks.get(id!)?.task.title ?? '') };
  }

  save(text: EditedText): Promise<SavedText> {
    return saveText(this.engine, this.#planner, text);
  }

  saveFile(text: string): Promise<SavedText> {
    const mine = recognizeLines(this.#planner, text);
    return this.save({ base: this.#planner.write(mine).text, mine, isFile: true });
  }

  read(raw: string): LineMeaning | undefined {
    const line = readLine(raw, 0);
    if (!line || (line.indent === 0 && layoutOf(this.target) === 'headings')) return undefined;
    const parsed = this.#planner.parse(line.words);
    const { outer } = withoutBackslashes(line.words);
    const column = (offset: number) => columnOf(line, outer(offset));
    const tokens = parsed.tokens.map(token => ({ ...token, from: column(token.from), to: column(token.to) }));
    const { words, from, id, idFrom } = line;
    return { ...parsed, tokens, words, from, ...(id !== undefined && { id, idFrom }) };
  }
}
