/** A file with one task of these lines. */
export const calendarOf = (lines: readonly string[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Peer//EN', 'BEGIN:VTODO', 'DTSTAMP:20261101T080000Z'],
    ...[...lines, 'END:VTODO', 'END:VCALENDAR', ''],
  ].join('\r\n');
