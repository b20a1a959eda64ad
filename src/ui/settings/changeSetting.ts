import * as vscode from 'vscode';
import type { SettingId, SettingValue } from '../../contributions/definitions';
import { setting, writeSetting } from './settings';

/** The last write of each setting, which never fails here. */
const last = new Map<SettingId, Promise<unknown>>();

/**
 * Writes a setting to the scope that it comes from: a workspace's own stays its own. Writes run one after the other,
 * each on the result of the one before: two quick changes are both kept.
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
