import * as vscode from 'vscode';
import type { CommandArgs, CommandId } from '../../contributions/definitions';
import { givingFocusBack, menuDone } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { byKey, isFocusedRow, isMenuOfPage, type TaskSelection } from '../../ui/selection';

/** Registers a command with the arguments that contributions/definitions.ts gives it; what goes wrong in it is told to the person. */
export const onCommand = <K extends CommandId>(
  id: K,
  run: (...args: CommandArgs<K>) => unknown,
  report: (error: unknown) => unknown = showError,
): vscode.Disposable =>
  vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      const work = async () => run(...(args as CommandArgs<K>));
      if (isMenuOfPage(args[0])) return await givingFocusBack(() => menuDone.fire(), work);
      return await (isFocusedRow(args[0]) ? byKey(work) : work());
    } catch (error) {
      void report(error);
      return undefined;
    }
  });

/**
 * The same for what is done to a row that is no task. The menu of a row hands over undefined where the tree is just being
 * redrawn; that row has the focus then.
 */
export const onRowCommand = <K extends CommandId>(
  id: K,
  selection: TaskSelection,
  run: (...args: CommandArgs<K>) => unknown,
): vscode.Disposable =>
  onCommand(id, async (...args) => {
    const isLost = args.length > 0 && args[0] === undefined;
    return run(...((isLost ? [await selection.focusedRow()] : args) as CommandArgs<K>));
  });
