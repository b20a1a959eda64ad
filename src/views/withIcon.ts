import { ThemeIcon } from 'vscode';

/** A picker's line with an icon before its words: an icon within the label would be read out by its name. */
export const withIcon = (icon: string, label: string) => ({ label, iconPath: new ThemeIcon(icon) });
