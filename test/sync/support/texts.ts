/** Calendar texts for tests: one VTODO with these lines, CRLF at every end. */
export const todoText = (uid: string, ...lines: string[]): string => calendar(todo(uid, ...lines));

export const todo = (uid: string, ...lines: string[]): string[] => [
  'BEGIN:VTODO',
  `UID:${uid}`,
  ...(lines.some(line => line.startsWith('DTSTAMP')) ? [] : ['DTSTAMP:20261120T080000Z']),
  ...lines,
  'END:VTODO',
];

export const calendar = (...components: string[][]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Peer//Peer 1.0//EN', ...components.flat(), 'END:VCALENDAR', ''].join(
    '\r\n',
  );

/** The unfolded lines of a text. */
export const linesOf = (text: string): string[] =>
  text
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .filter(line => line !== '');
