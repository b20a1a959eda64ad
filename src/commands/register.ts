import * as vscode from 'vscode';
import type { CommandArgs, CommandId } from '../ids';
import { showError } from '../views/errors';

/** Registers a command with the arguments that ids.ts gives it; what goes wrong in it is told to the person. */
export const onCommand = <K extends CommandId>(
  id: K,
  run: (...args: CommandArgs<K>) => unknown,
  report: (error: unknown) => unknown = showError,
): vscode.Disposable =>
  vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      return await run(...(args as CommandArgs<K>));
    } catch (error) {
      void report(error);
      return undefined;
    }
  });
