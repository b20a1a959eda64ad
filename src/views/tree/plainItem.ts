import * as vscode from 'vscode';

/** A row of a tree that says something and stands for no task. */
export function plainItem(id: string, label: string, icon?: string, command?: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = id;
  if (icon) item.iconPath = new vscode.ThemeIcon(icon);
  if (command) item.command = { command, title: label };
  return item;
}
