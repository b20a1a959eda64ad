import type * as vscode from 'vscode';

type Kept<Setup> = readonly [title: string, setup: Setup];

/**
 * What tabs show whose page has not loaded yet. After a reload the editor gives a tab what its page kept, and a page that was
 * hidden before it loaded has kept nothing: the title, which the editor does keep, leads to it here.
 */
export class UnloadedTabs<Setup> {
  constructor(
    private readonly memory: vscode.Memento,
    private readonly key: string,
  ) {}

  /** Calls the returned function once the page keeps its setup itself, or the tab is closed. */
  add(title: string, setup: Setup): () => void {
    const entry: Kept<Setup> = [title, setup];
    this.#write([...this.#read(), entry]);
    let isKept = true;
    return () => {
      if (isKept) this.#remove(entry);
      isKept = false;
    };
  }

  /** The oldest with this title. */
  take(title: string): Setup | undefined {
    const entry = this.#read().find(([known]) => known === title);
    if (entry) this.#remove(entry);
    return entry?.[1];
  }

  #remove(entry: Kept<Setup>): void {
    const wanted = JSON.stringify(entry);
    const all = this.#read();
    const at = all.findIndex(one => JSON.stringify(one) === wanted);
    if (at >= 0) this.#write(all.toSpliced(at, 1));
  }

  #read = () => this.memory.get<readonly Kept<Setup>[]>(this.key, []);

  /** Tabs that were closed while nobody listened leave theirs behind: only the newest stay. */
  #write(all: readonly Kept<Setup>[]): void {
    void this.memory.update(this.key, all.slice(-20));
  }
}
