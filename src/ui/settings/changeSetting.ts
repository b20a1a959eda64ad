import * as vscode from 'vscode';
import type { SettingId, SettingValue } from '../../contributions/definitions';
import { setting, writeSetting } from './settings';

/** The last write of each setting, which never fails here. */
const last = new Map<SettingId, Promise<unknown>>();

/**
 * Writes what `change` makes of a setting, where that is: a workspace's own stays its own. One write after the
 * other, each upon what the one before it left: of two quick changes none is lost.
 */
export function changeSetting<K extends SettingId>(
  id: K,
  change: (value: SettingValue<K>) => SettingValue<K>,
): Promise<void> {
  const writing = (last.get(id) ?? Promise.resolve()).then(() => {
    const { workspaceValue } = vscode.workspace.getConfiguration().inspect(id) ?? {};
    const { Workspace, Global } = vscode.ConfigurationTarget;
    return writeSetting(id, change(setting(id)), workspaceValue === undefined ? Global : Workspace);
  });
  last.set(
    id,
    writing.catch(() => {}),
  );
  return writing;
}
