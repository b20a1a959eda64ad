import * as vscode from 'vscode';
import type { CommandArgs, CommandId } from '../contributions/definitions';
import { type Announce, isAnnouncement } from './announcements';
import { restoringFocus } from './dialogs';
import { showError } from './errors';
import { isFocusedRow, isMenuOfRow, type TaskSelection } from './selection';

/**
 * Runs every command: announces its result, shows its errors, and returns the focus to the view that called it, which
 * its first argument names.
 */
export class CommandRunner {
  constructor(
    private readonly selection: TaskSelection,
    private readonly announce: Announce,
  ) {}

  /** Registers a command with the arguments that contributions/definitions.ts gives it. */
  on<K extends CommandId>(id: K, run: (...args: CommandArgs<K>) => unknown): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        const done = await this.#run(args[0], async () => run(...(args as CommandArgs<K>)));
        if (isAnnouncement(done)) this.announce(done);
        return done;
      } catch (error) {
        void showError(error);
        return undefined;
      }
    });
  }

  /**
   * Registers a command on a row that is not a task. While the tree is being redrawn, the menu of a row passes undefined;
   * the row has the focus then.
   */
  onRow<K extends CommandId>(id: K, run: (...args: CommandArgs<K>) => unknown): vscode.Disposable {
    return this.on(id, async (...args) => {
      const isLost = args.length > 0 && args[0] === undefined;
      return run(...((isLost ? [await this.selection.focusedRow()] : args) as CommandArgs<K>));
    });
  }

  #run<T>(calledBy: unknown, work: () => Promise<T>): Promise<T> {
    if (isMenuOfRow(calledBy)) return restoringFocus(() => this.selection.focusPage(), work);
    return isFocusedRow(calledBy) ? this.selection.byKey(work) : work();
  }
}
