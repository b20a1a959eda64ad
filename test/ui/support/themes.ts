import type { Release } from '../../../scripts/vscode/install';

export type Theme = 'light' | 'dark' | 'hc' | 'hc-light';

const names: Record<Theme, string> = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  hc: 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};
const oldNames: Record<Theme, string> = { ...names, light: 'Default Light Modern', dark: 'Default Dark Modern' };

/**
 * The theme's name in that editor. The newest replaces an old name in the settings some time after each load; a reload or a
 * test's own change meanwhile would find a settings file with unsaved changes.
 */
export const themeName = (theme: Theme, release: Release): string => (release === 'oldest' ? oldNames : names)[theme];

/** The class that the workbench has once a theme of that kind is on. */
export const themeClasses: Record<Theme, string> = {
  light: 'vs',
  dark: 'vs-dark',
  hc: 'hc-black',
  'hc-light': 'hc-light',
};
