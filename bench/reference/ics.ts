/** The lines of a task as a user's calendar has it; `word` distinguishes its versions. */
export const aTask = (at: number, word: string): readonly string[] => [
  'CREATED:20261101T080000Z',
  `SUMMARY:Task ${at} ${word}`,
  'DESCRIPTION:Something to do\\, in a few words\\nand a second line.',
  `DUE;VALUE=DATE:202612${String((at % 28) + 1).padStart(2, '0')}`,
  `PRIORITY:${at % 10}`,
  'CATEGORIES:home,errand',
  ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Reminder', 'TRIGGER:-PT15M', 'END:VALARM'],
];
