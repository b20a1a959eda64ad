import type * as vscode from 'vscode';
import type { Id } from '../../core/kernel/model';

const key = 'dueline.list';
let memory: vscode.Memento | undefined;

/** The user's choice for a workspace stays on this computer: a file of the workspace would reveal it to others. */
export function keepWorkspaceList(state: vscode.Memento): void {
  memory = state;
}

/** The list for new tasks in this workspace. */
export const workspaceList = (): Id | undefined => memory?.get<Id>(key);

export const useWorkspaceList = async (list: Id | undefined): Promise<void> => memory?.update(key, list);
