const form = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/i;

/** Civil milliseconds and whether there was a time and a Z; undefined where a digit or the calendar is wrong. */
export function parseDigits(text: string): { civil: number; timed: boolean; utc: boolean } | undefined {
  const match = form.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return undefined;
  // A leap second has no place on the epoch's clock: the one before it stands in.
  date.setUTCHours(hour, minute, Math.min(second, 59));
  return { civil: date.getTime(), timed: match[4] !== undefined, utc: match[7] !== undefined };
}
