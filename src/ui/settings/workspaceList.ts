import type * as vscode from 'vscode';
import type { Id } from '../../core/kernel/model';

const key = 'dueline.list';
let workspaceState: vscode.Memento | undefined;

/** The user's choice for a workspace stays on this computer: a file of the workspace would reveal it to others. */
export function keepWorkspaceList(state: vscode.Memento): void {
  workspaceState = state;
}

/** The list for new tasks in this workspace. */
export const workspaceList = (): Id | undefined => workspaceState?.get<Id>(key);

export const useWorkspaceList = async (list: Id | undefined): Promise<void> => workspaceState?.update(key, list);
