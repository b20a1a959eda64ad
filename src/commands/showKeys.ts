import * as vscode from 'vscode';
import { t } from '../shared/l10n';
import type { CommandRunner } from '../ui/commandRunner';
import { ask } from '../ui/dialogs';

interface Binding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
  readonly when?: string;
  readonly args?: unknown;
}

interface Contributed {
  readonly keybindings: readonly Binding[];
  readonly commands: readonly { readonly command: string; readonly title: string }[];
}

/** A line that runs a command, with the arguments of its key. */
interface KeyItem extends vscode.QuickPickItem {
  readonly binding?: Binding;
}

/**
 * The keys outside widgets, which have a list of their own, by the view in which they work; on the task page, its own
 * first.
 */
export const keyCommands = (commands: CommandRunner, extensionId: string): vscode.Disposable =>
  commands.on('dueline.showKeys', async page => {
    const contributed = vscode.extensions.getExtension(extensionId)!.packageJSON.contributes as Contributed;
    const options = {
      title: t('Keyboard shortcuts'),
      placeholder: t('In a widget, press ? for its keys.'),
      matchOnDescription: true,
      items: itemsOf(contributed, page !== undefined),
      buttons: [{ iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Change keyboard shortcuts') }],
    };
    const picked = await ask<KeyItem, KeyItem | 'change'>(options, () => ({
      onButton: () => 'change',
      onAccept: line => line,
    }));
    if (picked === 'change')
      await vscode.commands.executeCommand('workbench.action.openGlobalKeybindings', `@ext:${extensionId}`);
    else if (picked?.binding)
      await vscode.commands.executeCommand(
        picked.binding.command,
        ...(picked.binding.args === undefined ? [] : [picked.binding.args]),
      );
  });

function itemsOf({ keybindings, commands }: Contributed, isOnPage: boolean): readonly KeyItem[] {
  const title = (id: string) => commands.find(({ command }) => command === id)?.title ?? id;
  const [anywhere, inEditor, inTrees] = [
    keybindings.filter(({ when }) => when === undefined),
    keybindings.filter(({ when = '' }) => when.includes('editorTextFocus')),
    keybindings.filter(({ when = '' }) => when.includes('focusedView')),
  ];
  const others = [
    ...section(t('In Lists and Filters'), itemsFor(inTrees, title)),
    ...section(t('Anywhere'), itemsFor(anywhere, title)),
    ...section(t('In an editor'), itemsFor(inEditor, title)),
  ];
  const onPage = section(
    t('On the task page'),
    pageKeys().map(([key, label]) => ({ label, description: shown(key) })),
  );
  return isOnPage ? [...onPage, ...others] : [...others, ...onPage];
}

const section = (label: string, items: readonly KeyItem[]): readonly KeyItem[] =>
  items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];

/** A command with several keys is one line; selecting it runs the last one. */
function itemsFor(bindings: readonly Binding[], title: (id: string) => string): readonly KeyItem[] {
  const commands = new Set(bindings.map(({ command }) => command));
  return [...commands]
    .map(command => [command, bindings.filter(one => one.command === command)] as const)
    .map(([command, all]) => ({
      label: title(command),
      description: all.map(({ key, mac }) => shown(isMac && mac ? mac : key)).join(' · '),
      binding: all.at(-1)!,
    }));
}

const pageKeys = (): readonly (readonly [key: string, label: string])[] => [
  ['enter', t('Change a chip')],
  ['delete', t('Remove a chip’s value')],
  [modified('e'), t('Edit the notes in an editor')],
  [modified('z'), t('Undo')],
  ['escape', t('Go back to where the task was opened')],
  [modified('enter'), t('Close the page')],
  ['?', t('Keyboard shortcuts')],
];

const isMac = process.platform === 'darwin';
const modified = (key: string) => `${isMac ? 'cmd' : 'ctrl'}+${key}`;

/** `ctrl+k ctrl+;` as VS Code writes it. */
const shown = (keys: string): string =>
  keys === 'shift+/' ? '?' : keys.replace(/[a-z]+\d*/g, word => word[0]!.toUpperCase() + word.slice(1));
