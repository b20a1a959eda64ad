import type * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { Disposables } from '../core/kernel/events';
import { setting } from '../ui/settings/settings';
import { countSentence, todayCount } from '../ui/todayCount';

/** Today's count on the activity bar. A tree bears it: the editor takes none from a webview that was not opened yet. */
export class Badge implements vscode.Disposable {
  readonly #owned = new Disposables();

  constructor(
    private readonly engine: DuelineEngine,
    private readonly view: Pick<vscode.TreeView<unknown>, 'badge'>,
  ) {
    this.#owned.add(engine.onDidChange(() => this.update()));
    this.update();
  }

  update(): void {
    const which = setting('dueline.badge.count');
    const { open, overdue } = todayCount(this.engine);
    const value = which === 'off' ? 0 : which === 'overdue' ? overdue : open;
    this.view.badge = value > 0 ? { value, tooltip: countSentence(open, overdue) } : undefined;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
