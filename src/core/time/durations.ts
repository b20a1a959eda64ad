/** A DURATION (RFC 5545 3.3.6): days are nominal and move the wall clock, the rest is exact. */
interface Duration {
  /** Weeks included; negative for a duration that counts back. */
  readonly days: number;
  readonly ms: number;
}

/** `P1W`, `-PT15M`, `P1DT2H`. */
const form = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;

/** Days; 27 centuries. A longer duration leads out of the calendar, and no date can be shown for it. */
const longest = 1_000_000;

/**
 * Undefined if the text is not a duration (ical.js accepts `PT-5M`, and reads `PT1.5H` as an hour) or is beyond all
 * dates. Several units may be combined, more than the grammar allows.
 *
 * @example
 * parseDuration('-PT15M') // { days: 0, ms: -900_000 }
 */
export function parseDuration(text: string): Duration | undefined {
  const match = form.exec(text.trim());
  if (!match) return undefined;
  const [, sign, ...units] = match;
  if (units.every(unit => unit === undefined)) return undefined;
  const [weeks, days, hours, minutes, seconds] = units.map(unit => Number(unit ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (weeks * 7 + days + hours / 24 + minutes / 1440 + seconds / 86_400 > longest) return undefined;
  const factor = sign === '-' ? -1 : 1;
  const exact = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return { days: factor * (weeks * 7 + days) + 0, ms: factor * exact + 0 };
}

/** The shortest form; whole seconds, since RFC 5545 has nothing finer. */
export function formatDuration({ days, ms }: Duration): string {
  const sign = days < 0 || ms < 0 ? '-' : '';
  const wholeDays = Math.abs(days);
  const seconds = Math.round(Math.abs(ms) / 1000);
  if (wholeDays === 0 && seconds === 0) return 'PT0S';
  if (seconds === 0 && wholeDays % 7 === 0) return `${sign}P${wholeDays / 7}W`;
  const time = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  // The grammar has no PT1H5S: a unit between two others is written even if it is zero.
  const first = time.findIndex(([count]) => count > 0);
  const last = time.findLastIndex(([count]) => count > 0);
  const clock =
    first < 0
      ? ''
      : `T${time
          .slice(first, last + 1)
          .map(part => part.join(''))
          .join('')}`;
  return `${sign}P${wholeDays > 0 ? `${wholeDays}D` : ''}${clock}`;
}
