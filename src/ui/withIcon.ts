import { ThemeIcon } from 'vscode';
import { withoutIcons } from '../shared/l10n';

/**
 * A picker's line with an icon before its words: an icon within the label would be read out by its name.
 *
 * @example
 * showQuickPick([withIcon('list-unordered', list.name)])
 */
export const withIcon = (icon: string, label: string) => ({
  label: withoutIcons(label),
  iconPath: new ThemeIcon(icon),
});
