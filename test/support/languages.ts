/** The languages that tests use the extension in, each as its users set it up. */
export interface Walk {
  /** The name in VS Code and in our files. */
  readonly locale: string;
  readonly settings?: Record<string, unknown>;
  /** The editor's own language if the setting or the system, not the editor, asks for ours. */
  readonly editor?: string;
  readonly env?: Record<string, string>;
  /** Quick add in the user's words, the title that remains, and how tomorrow at nine is shown. */
  readonly add: readonly [words: string, title: string, when: RegExp];
  readonly releaseNotes: string;
  readonly direction: 'ltr' | 'rtl';
}

export const walks: readonly Walk[] = [
  {
    locale: 'de',
    add: ['Miete zahlen morgen um 9 #wohnung', 'Miete zahlen', /^Morgen/],
    releaseNotes: 'Neu in Dueline 1.1.0',
    direction: 'ltr',
  },
  {
    locale: 'pt-br',
    add: ['Pagar aluguel amanhã às 9h #casa', 'Pagar aluguel', /^Amanhã/],
    releaseNotes: 'Novidades do Dueline 1.1.0',
    direction: 'ltr',
  },
  {
    locale: 'fr',
    add: ['Payer le loyer demain à 9h #maison', 'Payer le loyer', /^Demain/],
    releaseNotes: 'Nouveautés de Dueline 1.1.0',
    direction: 'ltr',
  },
  {
    locale: 'ar',
    add: ['ادفع الإيجار غدا الساعة 9 #بيت', 'ادفع الإيجار', /^غدًا/],
    releaseNotes: 'ما الجديد في Dueline 1.1.0',
    direction: 'rtl',
  },
  {
    // The editor has one kind of English; the system's region decides which one the user means.
    locale: 'en-gb',
    editor: 'en',
    env: { LC_ALL: 'en_GB.UTF-8' },
    add: ['Pay the rent tomorrow at 9:00 #home', 'Pay the rent', /^Tomorrow/],
    releaseNotes: 'What’s New in Dueline 1.1.0',
    direction: 'ltr',
  },
  {
    locale: 'ar',
    editor: 'en',
    settings: { 'dueline.display.language': 'ar' },
    add: ['ادفع الإيجار غدا الساعة 9 #بيت', 'ادفع الإيجار', /^غدًا/],
    releaseNotes: 'ما الجديد في Dueline 1.1.0',
    direction: 'rtl',
  },
];
