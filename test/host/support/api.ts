import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineApi } from '../../../src/api';
import type { CommandArgs, CommandId } from '../../../src/contributions/definitions';

/** The installed package of either flavor, or the extension under development. */
export const extensionId = process.env.DUELINE_ID ?? 'dueline.dueline';
export const isOffline = extensionId.endsWith('-offline');

/** The API as another extension gets it. */
export async function duelineApi(): Promise<DuelineApi> {
  const api = await vscode.extensions.getExtension<DuelineApi>(extensionId)?.activate();
  assert.ok(api, 'activate() gives the API');
  return api;
}

export const run = <K extends CommandId>(id: K, ...args: CommandArgs<K>): Thenable<unknown> =>
  vscode.commands.executeCommand(id, ...args);

/** Tries until it holds: the screen follows a change after a moment. */
type Outcome<T> = T | undefined | false;

export async function eventually<T>(subject: string, check: () => Outcome<T> | Promise<Outcome<T>>): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await check();
    if (found) return found;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  throw new Error(`never came: ${subject}`);
}

/** Accepts the open quick input as Enter does, once it is there. */
export async function accept(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 400));
  await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
}

/** Enter until a command has all its answers: a busy editor may not have marked a line yet when it comes. */
export async function acceptAll(running: Thenable<unknown>): Promise<void> {
  const ended = Promise.resolve(running).then(() => true);
  while (!(await Promise.race([ended, accept().then(() => false)])));
}

export async function dismiss(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 400));
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
}
