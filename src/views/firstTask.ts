import type * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import type { Disposable, Event } from '../core/kernel/events';
import type { Announcement } from '../ui/announcements';
import type { ViewController } from '../ui/viewController';

const shownKey = 'dueline.firstTaskShown';

type Engine = Pick<DuelineEngine, 'openCounts' | 'doneCounts' | 'task'>;

/** The first task that is ever added is revealed in its list, once: for later ones the user knows where they are. */
export function showFirstTask(
  engine: Engine,
  views: Pick<ViewController, 'reveal'>,
  state: Pick<vscode.Memento, 'get' | 'update'>,
  onDidAnnounce: Event<Announcement>,
): Disposable {
  let isShown = state.get<boolean>(shownKey, false) || countOf(engine) > 0;
  return onDidAnnounce(({ added = [] }) => {
    const [first] = added;
    const task = first === undefined ? undefined : engine.task(first);
    if (isShown || !task) return;
    isShown = true;
    void state.update(shownKey, true);
    if (countOf(engine) === added.length) void views.reveal(task, false);
  });
}

const countOf = (engine: Engine) =>
  [...engine.openCounts().values(), ...engine.doneCounts().values()].reduce((sum, count) => sum + count, 0);
