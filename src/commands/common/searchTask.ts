import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isDuelineError } from '../../core/kernel/errors';
import type { Occurrence, Task } from '../../core/kernel/model';
import { similarQuery } from '../../query/help/similar';
import { t } from '../../shared/l10n';
import { ask, type QuestionHandle } from '../../ui/dialogs';
import { explain, showError } from '../../ui/errors';
import { operatorHint, querySuggestions, withSuggestion } from '../../ui/querySuggestions';
import { dateStyle } from '../../ui/settings/settings';
import { withIcon } from '../../ui/withIcon';
import { insertedText } from './literalWords';
import { type QueryItem, suggestionItem } from './queryItem';
import { listsById, taskChoice } from './taskChoice';

interface Search {
  readonly title?: string;
  readonly placeholder: string;
  readonly start?: string;
  /** A query that all results match as well; its first results are shown before anything is typed. */
  readonly among?: string;
  /** Shown while nothing is typed. */
  readonly groups?: () => readonly { readonly label: string; readonly rows: readonly Occurrence[] }[];
  /** The chosen task is shown elsewhere: the view that asked does not take the focus back. */
  readonly leaves?: true;
  /** The buttons of each found task. */
  readonly actions?: readonly SearchAction[];
  /** The button for what is typed. It ends the search. */
  readonly queryAction?: QueryAction;
}

/** An action on a found task. */
export interface SearchAction {
  readonly icon: string;
  readonly label: string;
  /** True if the action ends the search. */
  readonly closes: boolean;
  run(task: Task): unknown;
}

interface QueryAction {
  readonly icon: string;
  readonly label: string;
  run(query: string): unknown;
}

interface SearchItem extends QueryItem {
  readonly task?: Task;
}

/** The tasks that match a text, and a hint about it. */
interface Found {
  readonly items: readonly SearchItem[];
  readonly hint: string | undefined;
}

const maxResults = 200;
const maxNames = 8;
const typingMs = 80;

/** Live results of a query; plain words search titles, notes and tags. */
export async function searchTask(engine: DuelineEngine, search: Search): Promise<Task | undefined> {
  const { title, placeholder, start: value = '' } = search;
  let left: Task | undefined;
  const leave = (task: Task) => {
    left = task;
  };
  const task = await ask<SearchItem, Task>(
    { title, placeholder, value },
    (pick, question) => new SearchPicker(engine, search, pick, question, leave),
  );
  return task ?? left;
}

const buttonOf = ({ icon, label }: Pick<QueryAction, 'icon' | 'label'>): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip: label,
});

class SearchPicker {
  readonly #buttons: readonly { readonly button: vscode.QuickInputButton; readonly action: SearchAction }[];
  #text: string;
  #caret: number;
  #waiting: NodeJS.Timeout | undefined;
  #searching: Promise<void> = Promise.resolve();

  constructor(
    private readonly engine: DuelineEngine,
    private readonly search: Search,
    private readonly pick: vscode.QuickPick<SearchItem>,
    private readonly question: QuestionHandle<Task>,
    private readonly leave: (task: Task) => void,
  ) {
    const { actions = [], queryAction } = search;
    this.#buttons = actions.map(action => ({ button: buttonOf(action), action }));
    if (queryAction) pick.buttons = [buttonOf(queryAction)];
    this.#text = pick.value;
    this.#caret = pick.value.length;
    this.#search();
  }

  onType(text: string): void {
    this.#caret = insertedText(this.#text, text).caret;
    this.#text = text;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#search(), typingMs);
  }

  async onAccept(): Promise<Task | undefined> {
    // Enter right after the last letter means its first result, which the editor has not highlighted yet.
    if (this.#waiting !== undefined) this.#search();
    await this.#searching;
    const { items, activeItems } = this.pick;
    const isLine = ({ task, completes }: SearchItem) => task !== undefined || completes !== undefined;
    const chosen = items.find(item => item === activeItems[0]) ?? items.find(isLine);
    if (chosen?.completes) this.#take(chosen);
    if (!chosen?.task || !this.search.leaves) return chosen?.task;
    this.leave(chosen.task);
    this.pick.hide();
    return undefined;
  }

  async onButton(): Promise<undefined> {
    this.pick.hide();
    await this.search.queryAction?.run(this.#text.trim());
  }

  async onItemButton({ task }: SearchItem, button: vscode.QuickInputButton): Promise<undefined> {
    const action = this.#buttons.find(one => one.button === button)?.action;
    if (!task || !action) return;
    if (action.closes) this.pick.hide();
    await action.run(task);
    if (!action.closes) this.#search();
  }

  onEnd(): void {
    clearTimeout(this.#waiting);
  }

  onTab(): void {
    this.#take(this.pick.items.find(({ completes }) => completes));
  }

  #search(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    const { items, preselectsFirst } = querySuggestions(this.engine, this.#text, this.#caret);
    const names = preselectsFirst ? items.slice(0, maxNames).map(suggestionItem) : [];
    this.pick.busy = true;
    this.#searching = this.question.newest
      .ask(signal => this.#results(signal))
      .then(found => found && this.#show(names, found))
      .catch(showError);
  }

  #show(names: readonly SearchItem[], { items, hint }: Found): void {
    this.pick.busy = false;
    this.pick.items = [...names, ...items];
    // The editor shows no headings among the lines while the user types.
    this.pick.title = [this.search.title, hint].filter(Boolean).join(' · ');
    if (names.length > 0) this.pick.activeItems = names.slice(0, 1);
    this.question.setOffered(names.length > 0);
  }

  #take(item: SearchItem | undefined): void {
    if (!item?.completes) return;
    const { query, caret } = withSuggestion(this.#text, item.completes);
    [this.#text, this.#caret] = [query, caret];
    this.pick.value = query;
    this.#search();
  }

  async #results(signal: AbortSignal): Promise<Found> {
    const { among = '', groups } = this.search;
    const text = this.#text;
    const hint = operatorHint(text);
    if (text.trim() === '' && groups)
      return { hint, items: groups().flatMap(({ label, rows }) => this.#group(label, rows)) };
    if (`${text}${among}`.trim() === '') return { hint, items: [] };
    try {
      const found = await this.engine.find(`${among} ${text}`, { limit: maxResults, signal });
      if (found.length > 0) return { hint, items: this.#items(found) };
      const similar = await this.#similar(among, text, signal);
      if (similar.length === 0) return { hint, items: [{ label: t('No tasks found.'), alwaysShow: true }] };
      return { hint: t('No exact match; these are similar'), items: this.#items(similar) };
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      return { hint, items: [{ ...withIcon('warning', explain(error)), alwaysShow: true }] };
    }
  }

  /** The results if a mistyped word is replaced by one of the tasks' words. */
  async #similar(among: string, text: string, signal: AbortSignal): Promise<readonly Occurrence[]> {
    const query = similarQuery(text, await this.engine.wordsIn(among, { signal }));
    return query === undefined ? [] : this.engine.find(`${among} ${query}`, { limit: maxResults, signal });
  }

  #group(label: string, rows: readonly Occurrence[]): SearchItem[] {
    return rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...this.#items(rows)];
  }

  #items(rows: readonly Occurrence[]): SearchItem[] {
    const lists = listsById(this.engine);
    const style = dateStyle(this.engine);
    const buttons = this.#buttons.map(({ button }) => button);
    const parentOf = ({ task: { parentId } }: Occurrence) =>
      parentId === null ? undefined : this.engine.task(parentId);
    return rows.map(row => ({ ...taskChoice(row, style, lists, parentOf(row)), buttons, alwaysShow: true }));
  }
}
