// Texts that a language writes as English does. Every one was checked; any other English text was forgotten.

/** Nothing to translate: signs, digits, names of formats and keys. */
const names = /^(?:[\W\d_]|Dueline|CalDAV|Markdown|URL|UID|RRULE|todo\.txt|Shift|F10|AM|PM)*$/i;

const borrowed: Record<string, string[]> = {
  de: ['Board', 'Code', 'Cyan', 'Details', 'Filter', 'Journal', 'Name', 'Orange', 'Server', 'Status', 'Tag', 'Tags'],
  'pt-br': ['Backups', 'Enter', 'Status', 'Total: {0}', 'link'],
  fr: [
    'Code',
    'Date',
    'Cyan',
    'Dates',
    'Journal',
    'Notes',
    'Orange',
    'Violet',
    'dates',
    'notes',
    '{0} minute',
    '{0} minutes',
  ],
  ar: ['Enter'],
};

export const maySoundTheSame = (locale: string, english: string) =>
  names.test(english.replace(/\{\d\}/g, '')) || Boolean(borrowed[locale]?.includes(english));
