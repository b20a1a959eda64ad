import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isDuelineError } from '../../core/errors';
import { insertedText } from '../../core/keptWords';
import type { Task } from '../../core/model';
import { t } from '../../shared/l10n';
import { asked } from '../../ui/dialogs';
import { explain } from '../../ui/errors';
import { operatorHint, querySuggestions, withSuggestion } from '../../ui/querySuggestions';
import { dateStyle } from '../../ui/settings/settings';
import { withIcon } from '../../ui/withIcon';
import { type QueryItem, suggestionItem } from './queryItem';
import { SuggestionKey } from './suggestionKey';
import { listsOf, taskChoice } from './taskChoice';

interface Search {
  readonly title?: string;
  readonly placeholder: string;
  readonly start?: string;
  /** A query that everything found matches too; what it finds first is shown before anything is typed. */
  readonly among?: string;
}

interface SearchItem extends QueryItem {
  readonly task?: Task;
}

const mostFound = 200;
const mostNames = 8;
const typingMs = 80;

/** Live results of a query; plain words search titles, notes and tags. */
export const searchTask = (engine: DuelineEngine, search: Search): Promise<Task | undefined> =>
  asked(resolve => new SearchPicker(engine, search, resolve));

class SearchPicker {
  readonly #pick = vscode.window.createQuickPick<SearchItem>();
  readonly #tab = new SuggestionKey(() => this.#take(this.#pick.items.find(({ completes }) => completes)));
  readonly #among: string;
  readonly #title: string | undefined;
  #text: string;
  #caret: number;
  #waiting: NodeJS.Timeout | undefined;
  #task: Task | undefined;

  constructor(
    private readonly engine: DuelineEngine,
    { title, placeholder, start = '', among = '' }: Search,
    resolve: (task: Task | undefined) => void,
  ) {
    const pick = this.#pick;
    pick.placeholder = placeholder;
    pick.value = start;
    this.#among = among;
    this.#title = title;
    this.#text = start;
    this.#caret = start.length;
    pick.onDidChangeValue(text => {
      this.#caret = insertedText(this.#text, text).caret;
      this.#text = text;
      clearTimeout(this.#waiting);
      this.#waiting = setTimeout(() => this.#look(), typingMs);
    });
    pick.onDidAccept(() => this.#accept());
    pick.onDidHide(() => {
      clearTimeout(this.#waiting);
      this.#tab.dispose();
      pick.dispose();
      resolve(this.#task);
    });
    this.#look();
    pick.show();
  }

  #look(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    const { items, isFirstTaken } = querySuggestions(this.engine, this.#text, this.#caret);
    const names = isFirstTaken ? items.slice(0, mostNames).map(suggestionItem) : [];
    this.#pick.title = [this.#title, operatorHint(this.#text)].filter(Boolean).join(' · ');
    this.#pick.items = [...names, ...this.#results()];
    if (names.length > 0) this.#pick.activeItems = names.slice(0, 1);
    this.#tab.offers(names.length > 0);
  }

  #accept(): void {
    // Enter right after the last letter means what that finds; the editor has not marked a line of it yet.
    if (this.#waiting !== undefined) this.#look();
    const { items, activeItems } = this.#pick;
    const chosen = items.find(item => item === activeItems[0]) ?? items[0];
    if (chosen?.completes) this.#take(chosen);
    else if (chosen?.task) {
      this.#task = chosen.task;
      this.#pick.hide();
    }
  }

  #take(item: SearchItem | undefined): void {
    if (!item?.completes) return;
    const { query, caret } = withSuggestion(this.#text, item.completes);
    [this.#text, this.#caret] = [query, caret];
    this.#pick.value = query;
    this.#look();
  }

  #results(): SearchItem[] {
    if (`${this.#text}${this.#among}`.trim() === '') return [];
    const lists = listsOf(this.engine);
    const style = dateStyle(this.engine);
    try {
      const found = this.engine.query(`${this.#among} ${this.#text}`, { limit: mostFound });
      if (found.length === 0) return [{ label: t('No tasks found.'), alwaysShow: true }];
      return found.map(row => ({ ...taskChoice(row, style, lists), alwaysShow: true }));
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      return [{ ...withIcon('warning', explain(error)), alwaysShow: true }];
    }
  }
}
