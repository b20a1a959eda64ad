import type { Rule } from './rrule';

/** Calendar maths on day numbers (days since 1970-01-01), and which days of a period a rule picks. */

interface Ymd {
  readonly year: number;
  /** 1 … 12. */
  readonly month: number;
  readonly day: number;
}

/** 0 Sunday … 6 Saturday; 1970-01-01 was a Thursday. */
export const weekdayOfNumber = (dayNumber: number): number => (((dayNumber + 4) % 7) + 7) % 7;

/** Days since 1970-01-01, counted in years that begin in March so that the leap day is a year's last. */
function dayNumberOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function ymdOf(dayNumber: number): Ymd {
  const shifted = dayNumber + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9);
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const yearLength = (year: number): number => (isLeap(year) ? 366 : 365);
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const monthLength = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : monthLengths[month - 1]!;

/** The day number on which week 1 of a year begins: the first week with four days in the year. */
function firstWeekOf(year: number, weekStart: number): number {
  const first = dayNumberOf(year, 1, 1);
  const into = (weekdayOfNumber(first) - weekStart + 7) % 7;
  return first - into + (into > 3 ? 7 : 0);
}

/** Picks days by a rule whose missing parts DTSTART has filled in. */
export class DayPicker {
  readonly #rule: Rule;
  readonly #monthDays: readonly number[];
  readonly #months: readonly number[];
  /** For weekdays without a number; bit 0 is Sunday. */
  readonly #weekdays: number;
  readonly #numbered: Rule['byDay'];
  /** All weekdays that may be picked, with or without a number; 0 if each may. */
  readonly #anyWeekday: number;
  /** True if month and day of the month alone decide, so that no other day need be checked. */
  readonly #byDateAlone: boolean;

  constructor(rule: Rule, start: number) {
    const { year: _, month, day } = ymdOf(start);
    const { freq } = rule;
    const named = rule.byWeekNo.length + rule.byYearDay.length + rule.byMonthDay.length + rule.byDay.length > 0;
    const numberedToo = freq === 'YEARLY' || freq === 'MONTHLY';
    this.#rule = rule;
    this.#monthDays = !named && numberedToo ? [day] : rule.byMonthDay;
    this.#months = rule.byMonth.length === 0 && !named && freq === 'YEARLY' ? [month] : rule.byMonth;
    const byWeekday =
      rule.byDay.length > 0
        ? rule.byDay
        : (freq === 'WEEKLY' && !named) || (freq === 'YEARLY' && rule.byWeekNo.length > 0 && !this.#monthDays.length)
          ? [{ weekday: weekdayOfNumber(start), nth: 0 }]
          : [];
    // Numbers make sense within months and years only; elsewhere the weekday is what remains of them.
    this.#numbered = numberedToo ? byWeekday.filter(({ nth }) => nth !== 0) : [];
    this.#weekdays = byWeekday
      .filter(({ nth }) => nth === 0 || !numberedToo)
      .reduce((mask, { weekday }) => mask | (1 << weekday), 0);
    this.#anyWeekday = byWeekday.reduce((mask, { weekday }) => mask | (1 << weekday), 0);
    this.#byDateAlone =
      this.#monthDays.length > 0 && !byWeekday.length && !rule.byYearDay.length && !rule.byWeekNo.length;
  }

  /** The picked days of a year, ascending. */
  ofYear(year: number): number[] {
    if (this.#byDateAlone) {
      const months = this.#months.length > 0 ? this.#months : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
      return months.flatMap(month => this.#datesOf(year, month));
    }
    const first = dayNumberOf(year, 1, 1);
    return this.#picked(first, first + yearLength(year));
  }

  /** The picked days of a month, ascending. */
  ofMonth(year: number, month: number): number[] {
    if (this.#months.length > 0 && !this.#months.includes(month)) return [];
    if (this.#byDateAlone) return this.#datesOf(year, month);
    const first = dayNumberOf(year, month, 1);
    return this.#picked(first, first + monthLength(year, month));
  }

  /** The picked days of the seven that begin at `first`. */
  ofWeek(first: number): number[] {
    return this.#picked(first, first + 7);
  }

  #datesOf(year: number, month: number): number[] {
    const length = monthLength(year, month);
    const first = dayNumberOf(year, month, 1);
    const days: number[] = [];
    for (const written of this.#monthDays) {
      const day = written > 0 ? written : length + 1 + written;
      if (day >= 1 && day <= length) days.push(first + day - 1);
    }
    return this.#monthDays.length > 1 ? [...new Set(days)].sort((a, b) => a - b) : days;
  }

  #picked(from: number, to: number): number[] {
    const days: number[] = [];
    for (let day = from; day < to; day++) if (this.picks(day)) days.push(day);
    return days;
  }

  picks(dayNumber: number): boolean {
    if (this.#anyWeekday !== 0 && (this.#anyWeekday & (1 << weekdayOfNumber(dayNumber))) === 0) return false;
    if (this.#hasOnlyWeekdays) return true;
    const date = ymdOf(dayNumber);
    const rule = this.#rule;
    return (
      (this.#months.length === 0 || this.#months.includes(date.month)) &&
      (this.#monthDays.length === 0 || hasPosition(this.#monthDays, date.day, monthLength(date.year, date.month))) &&
      (this.#numbered.length === 0 || this.#onWeekday(dayNumber) || this.#onNumbered(dayNumber, date)) &&
      (rule.byYearDay.length === 0 ||
        hasPosition(rule.byYearDay, dayNumber - dayNumberOf(date.year, 1, 1) + 1, yearLength(date.year))) &&
      (rule.byWeekNo.length === 0 || this.#inWeekNumber(dayNumber))
    );
  }

  /** Nothing but weekdays decides. */
  get #hasOnlyWeekdays(): boolean {
    const { byYearDay, byWeekNo } = this.#rule;
    return !(
      this.#months.length ||
      this.#monthDays.length ||
      this.#numbered.length ||
      byYearDay.length ||
      byWeekNo.length
    );
  }

  #onWeekday(dayNumber: number): boolean {
    return (this.#weekdays & (1 << weekdayOfNumber(dayNumber))) !== 0;
  }

  #onNumbered(dayNumber: number, { year, month, day }: Ymd): boolean {
    const weekday = weekdayOfNumber(dayNumber);
    // Within a year the number counts its months' weekdays only if the rule names months.
    const byMonth = this.#rule.freq === 'MONTHLY' || this.#months.length > 0;
    const position = byMonth ? day : dayNumber - dayNumberOf(year, 1, 1) + 1;
    const length = byMonth ? monthLength(year, month) : yearLength(year);
    const fromStart = Math.ceil(position / 7);
    const fromEnd = -Math.ceil((length - position + 1) / 7);
    return this.#numbered.some(day => day.weekday === weekday && (day.nth === fromStart || day.nth === fromEnd));
  }

  #inWeekNumber(dayNumber: number): boolean {
    const { weekStart, byWeekNo } = this.#rule;
    const first = dayNumber - ((weekdayOfNumber(dayNumber) - weekStart + 7) % 7);
    const { year } = ymdOf(first + 3);
    const yearStart = firstWeekOf(year, weekStart);
    return hasPosition(byWeekNo, (first - yearStart) / 7 + 1, (firstWeekOf(year + 1, weekStart) - yearStart) / 7);
  }
}

/** True if a list that also counts from the end contains the position. */
const hasPosition = (list: readonly number[], position: number, length: number): boolean =>
  list.includes(position) || list.includes(position - length - 1);
