/** How dates are written: "Tomorrow", "21 Nov", "2026-11-21". */
export type DateFormat = 'relative' | 'short' | 'iso';

/** How times are written; `auto` follows the locale. */
export type TimeFormat = 'auto' | '12h' | '24h';

export const hourCycle = (format: TimeFormat): Intl.DateTimeFormatOptions =>
  format === 'auto' ? {} : { hourCycle: format === '24h' ? 'h23' : 'h12' };

/** A time of day: "9:00", "09:00", "9:00 AM". */
export const timeOptions = (format: TimeFormat): Intl.DateTimeFormatOptions => ({
  hour: format === '24h' ? '2-digit' : 'numeric',
  minute: '2-digit',
  ...hourCycle(format),
});
