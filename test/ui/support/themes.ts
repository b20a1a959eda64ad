export type Theme = 'light' | 'dark' | 'hc' | 'hc-light';

export const themeNames: Record<Theme, string> = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  hc: 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};

/** The class that the workbench has once a theme of that kind is on. */
export const themeClasses: Record<Theme, string> = {
  light: 'vs',
  dark: 'vs-dark',
  hc: 'hc-black',
  'hc-light': 'hc-light',
};
