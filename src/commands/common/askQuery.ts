import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isDuelineError } from '../../core/kernel/errors';
import { t, tn, unlinked } from '../../shared/l10n';
import { ask, type QuestionHandle } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { explainQuery, operatorHint, querySuggestions, withSuggestion } from '../../ui/querySuggestions';
import { withIcon } from '../../ui/withIcon';
import { insertedText } from './literalWords';
import { type QueryItem, suggestionItem } from './queryItem';

type Engine = Pick<DuelineEngine, 'query' | 'count' | 'completeQuery'>;

const maxSuggestions = 12;

/** A query with what may come next and its count while it is typed; one that cannot be read is not accepted. */
export const askQuery = (engine: Engine, title: string, value: string): Promise<string | undefined> =>
  ask<QueryItem, string>(
    { title, value, placeholder: 'due:<=today #work !high' },
    (pick, question) => new QueryPicker(engine, pick, question),
  );

class QueryPicker {
  #text: string;
  #caret: number;
  /** The result of the last query that was counted: the lines stay while the next one is counted. */
  #verdict: vscode.QuickPickItem | undefined;

  constructor(
    private readonly engine: Engine,
    private readonly pick: vscode.QuickPick<QueryItem>,
    private readonly question: QuestionHandle<string>,
  ) {
    this.#text = pick.value;
    this.#caret = pick.value.length;
    this.#show();
  }

  onType(text: string): void {
    this.#caret = insertedText(this.#text, text).caret;
    this.#text = text;
    this.#show();
  }

  onAccept(line = this.pick.items[0]): string | undefined {
    if (line?.completes) this.#take(line);
    else if (problemOf(this.engine, this.#text) === undefined) return this.#text.trim();
    return undefined;
  }

  onTab(): void {
    this.#take(this.#suggested());
  }

  #show(): void {
    const [text, problem] = [this.#text, problemOf(this.engine, this.#text)];
    this.pick.busy = !problem;
    this.#draw(problem ?? this.#verdict ?? withIcon('check', unlinked(text)));
    if (problem) this.question.newest.end();
    else
      void this.question.newest
        .ask(signal => this.engine.count(text, { signal }))
        .then(count => {
          if (count === undefined) return;
          this.#verdict = verdictOf(text, count);
          this.pick.busy = false;
          this.#draw(this.#verdict);
        })
        .catch(showError);
  }

  #draw(line: vscode.QuickPickItem): void {
    const { items, preselectsFirst } = querySuggestions(this.engine, this.#text, this.#caret);
    const others = items.filter(({ text, from, to }) => text !== this.#text.slice(from, to));
    const offered = others.slice(0, maxSuggestions).map(suggestionItem);
    const verdict = { ...line, alwaysShow: true };
    this.pick.items = preselectsFirst ? [...offered, verdict] : [verdict, ...offered];
    // A suggestion that has the typed text in it is sorted to the top by the editor.
    this.pick.activeItems = this.pick.items.slice(0, 1);
    this.question.setOffered(offered.length > 0 && this.#text !== '');
  }

  /** The suggestion that is marked, else the first one. */
  #suggested(): QueryItem | undefined {
    const { items, activeItems } = this.pick;
    return items.find(item => item.completes && item === activeItems[0]) ?? items.find(({ completes }) => completes);
  }

  #take(item: QueryItem | undefined): void {
    if (!item?.completes) return;
    const { query, caret } = withSuggestion(this.#text, item.completes);
    [this.#text, this.#caret] = [query, caret];
    this.pick.value = query;
    this.#show();
  }
}

function verdictOf(text: string, count: number): vscode.QuickPickItem {
  const hint = operatorHint(text);
  return {
    ...withIcon('check', tn(count, '{0} task matches', '{0} tasks match')),
    ...(hint ? { description: hint } : {}),
  };
}

/** True of a query that can be read and finds less than everything. */
export const isQuery = (engine: Engine, text: string): boolean => problemOf(engine, text) === undefined;

/** The reason why a query cannot be read; undefined if it can. */
function problemOf(engine: Engine, text: string): vscode.QuickPickItem | undefined {
  if (text.trim() === '') return withIcon('info', t('Type text or a query: due:week #work -is:recurring'));
  try {
    engine.query(text, { limit: 0 });
    return undefined;
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    return withIcon('warning', explainQuery(error, text));
  }
}
