import type * as vscode from 'vscode';

type StoredTab<Setup> = readonly [title: string, setup: Setup];

/** One tab, until its page keeps its setup itself. */
export interface UnloadedTab {
  /** The tab has another title now. */
  retitle(title: string): void;
  /** The page keeps its setup itself from now on, or the tab is closed. */
  forget(): void;
}

/**
 * The setups of tabs whose page has not loaded yet. After a reload the editor gives a tab the state that its page kept,
 * and a page that was hidden before it loaded has kept none: the title, which the editor does keep, leads to it here.
 */
export class UnloadedTabs<Setup> {
  constructor(
    private readonly memory: vscode.Memento,
    private readonly key: string,
  ) {}

  add(title: string, setup: Setup): UnloadedTab {
    let entry: StoredTab<Setup> | undefined = [title, setup];
    this.#write([...this.#read(), entry]);
    return {
      retitle: title => {
        if (!entry || entry[0] === title) return;
        const next: StoredTab<Setup> = [title, setup];
        this.#replace(entry, next);
        entry = next;
      },
      forget: () => {
        if (entry) this.#replace(entry);
        entry = undefined;
      },
    };
  }

  /** The oldest with this title. */
  take(title: string): Setup | undefined {
    const entry = this.#read().find(([known]) => known === title);
    if (entry) this.#replace(entry);
    return entry?.[1];
  }

  #replace(entry: StoredTab<Setup>, ...others: StoredTab<Setup>[]): void {
    const key = JSON.stringify(entry);
    const all = this.#read();
    const at = all.findIndex(one => JSON.stringify(one) === key);
    if (at >= 0) this.#write(all.toSpliced(at, 1, ...others));
  }

  #read = () => this.memory.get<readonly StoredTab<Setup>[]>(this.key, []);

  /** Tabs that were closed while no window listened leave their setups behind: only the newest are kept. */
  #write(all: readonly StoredTab<Setup>[]): void {
    void this.memory.update(this.key, all.slice(-20));
  }
}
