import type * as vscode from 'vscode';

type StoredTab<Setup> = readonly [title: string, setup: Setup];

/** A tab whose page has not stored its setup yet. */
export interface UnloadedTab {
  /** Call it when the tab gets another title. */
  retitle(title: string): void;
  /** Call it when the page has stored its setup, or the tab is closed. */
  forget(): void;
}

/**
 * The setups of tabs whose page has not loaded yet. After a reload, VS Code restores the state that a tab's page stored.
 * A page that was hidden before it loaded has stored none: its setup is found here by the title, which VS Code keeps.
 */
export class UnloadedTabs<Setup> {
  constructor(
    private readonly workspaceState: vscode.Memento,
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

  /** Removes the setup of the oldest tab with this title, and returns it. */
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

  #read = () => this.workspaceState.get<readonly StoredTab<Setup>[]>(this.key, []);

  /** Keeps the newest setups only: a tab that was closed while no window listened leaves its setup behind. */
  #write(all: readonly StoredTab<Setup>[]): void {
    void this.workspaceState.update(this.key, all.slice(-20));
  }
}
