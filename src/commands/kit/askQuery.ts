import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isDuelineError } from '../../core/errors';
import { insertedText } from '../../core/literalWords';
import { isolate, t, tn, unlinked } from '../../shared/l10n';
import { Newest } from '../../shared/newest';
import { askWith } from '../../ui/dialogs';
import { explain, showError } from '../../ui/errors';
import { operatorHint, querySuggestions, withSuggestion } from '../../ui/querySuggestions';
import { withIcon } from '../../ui/withIcon';
import { type QueryItem, suggestionItem } from './queryItem';
import { SuggestionKey } from './suggestionKey';

type Engine = Pick<DuelineEngine, 'query' | 'count' | 'completeQuery'>;

const maxSuggestions = 12;

/** A query with what may come next and its count while it is typed; one that cannot be read is not accepted. */
export const askQuery = (engine: Engine, title: string, value: string): Promise<string | undefined> =>
  askWith(resolve => new QueryPicker(engine, title, value, resolve));

class QueryPicker {
  readonly #pick = vscode.window.createQuickPick<QueryItem>();
  readonly #tab = new SuggestionKey(() => this.#take(this.#suggested()));
  #text: string;
  #caret: number;
  #query: string | undefined;
  readonly #newest = new Newest();
  /** Of the last query that was counted: the lines stay as they are while another one is. */
  #verdict: vscode.QuickPickItem | undefined;

  constructor(
    private readonly engine: Engine,
    title: string,
    value: string,
    resolve: (query: string | undefined) => void,
  ) {
    const pick = this.#pick;
    pick.title = title;
    pick.value = value;
    pick.placeholder = 'due:<=today #work !high';
    this.#text = value;
    this.#caret = value.length;
    pick.onDidChangeValue(text => {
      this.#caret = insertedText(this.#text, text).caret;
      this.#text = text;
      this.#show();
    });
    pick.onDidAccept(() => this.#accept());
    pick.onDidHide(() => {
      this.#newest.end();
      this.#tab.dispose();
      pick.dispose();
      resolve(this.#query);
    });
    this.#show();
    pick.show();
  }

  #show(): void {
    const [text, problem] = [this.#text, problemOf(this.engine, this.#text)];
    this.#pick.busy = !problem;
    this.#draw(problem ?? this.#verdict ?? withIcon('check', unlinked(text)));
    if (problem) this.#newest.end();
    else
      void this.#newest
        .ask(signal => this.engine.count(text, { signal }))
        .then(count => {
          if (count === undefined) return;
          this.#verdict = verdictOf(text, count);
          this.#pick.busy = false;
          this.#draw(this.#verdict);
        })
        .catch(showError);
  }

  #draw(line: vscode.QuickPickItem): void {
    const { items, isFirstTaken } = querySuggestions(this.engine, this.#text, this.#caret);
    const others = items.filter(({ text, from, to }) => text !== this.#text.slice(from, to));
    const offered = others.slice(0, maxSuggestions).map(suggestionItem);
    const verdict = { ...line, alwaysShow: true };
    this.#pick.items = isFirstTaken ? [...offered, verdict] : [verdict, ...offered];
    // A suggestion that has the typed text in it is sorted to the top by the editor.
    this.#pick.activeItems = this.#pick.items.slice(0, 1);
    this.#tab.offers(offered.length > 0 && this.#text !== '');
  }

  #accept(): void {
    const chosen = this.#chosen();
    if (chosen?.completes) this.#take(chosen);
    else if (problemOf(this.engine, this.#text) === undefined) {
      this.#query = this.#text.trim();
      this.#pick.hide();
    }
  }

  /** Right after the last letter the editor has not marked a line yet: it is the first one then. */
  #chosen(): QueryItem | undefined {
    const { items, activeItems } = this.#pick;
    return items.find(item => item === activeItems[0]) ?? items[0];
  }

  #suggested(): QueryItem | undefined {
    const chosen = this.#chosen();
    return chosen?.completes ? chosen : this.#pick.items.find(({ completes }) => completes);
  }

  #take(item: QueryItem | undefined): void {
    if (!item?.completes) return;
    const { query, caret } = withSuggestion(this.#text, item.completes);
    [this.#text, this.#caret] = [query, caret];
    this.#pick.value = query;
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

/** What keeps a query from being read; undefined where it can be. */
function problemOf(engine: Engine, text: string): vscode.QuickPickItem | undefined {
  if (text.trim() === '') return withIcon('info', t('Type text or a query: due:week #work -is:recurring'));
  try {
    engine.query(text, { limit: 0 });
    return undefined;
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    const where = error.range ? ` ${t('At: {0}', isolate(text.slice(...error.range)))}` : '';
    return withIcon('warning', unlinked(explain(error) + where));
  }
}
