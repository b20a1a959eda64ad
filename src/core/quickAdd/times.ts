import type { PhraseMatch, Phrases } from './phrases';

/** `9:30`, `15:00:00`, `9:30pm`, `15h30`. */
const clockForm = /^(\d{1,2})(?:[:h٫])(\d{2})(?::\d{2})?(am|pm|a|p|h|uhr)?$/;
/** `9.30`, `9.30pm`. */
const dottedForm = /^(\d{1,2})\.(\d{2})(am|pm|h|uhr)?$/;
/** `9am`, `15h`, `9uhr`. */
const hourForm = /^(\d{1,2})(am|pm|a\.m|p\.m|h|uhr|hs)$/;

/** `3p`, `7a`. */
const shortForm = /^(\d{1,2})([ap])$/;

/** `isGuess`: in the afternoon, unless a part of the day or the other end of a span says something else. */
export interface ClockTime extends PhraseMatch<number> {
  readonly isGuess?: boolean;
}

/** Minutes since midnight (1440 is the midnight that ends the day). `isAfterDate` if a date or "from" is before it. */
export function timeAt(phrases: Phrases, at: number, isAfterDate = false): ClockTime | undefined {
  const afterMarker = phrases.skip(at, 'at');
  const named = phrases.find(afterMarker, 'clock') ?? phrases.find(at, 'clock');
  if (named) return { value: named.value.hour * 60, next: named.next };
  if (afterMarker > at) return clockAt(phrases, afterMarker, true, true) ?? clockAt(phrases, at, false, isAfterDate);
  return clockAt(phrases, at, false, isAfterDate);
}

function clockAt(phrases: Phrases, at: number, isMarked: boolean, isAfterDate: boolean): ClockTime | undefined {
  const past = phrases.find(at, 'past');
  const hourAt = past ? past.next : at;
  const start =
    digitsAt(phrases, hourAt, isAfterDate) ??
    (isMarked || past ? bareHour(phrases, hourAt) : suffixedHour(phrases, hourAt, false));
  if (!start) return undefined;
  let { hour, minute, next, half } = start;
  if (past) minute += past.value.minutes;
  const fraction = phrases.find(next, 'fraction');
  if (fraction) {
    minute += fraction.value.minutes;
    next = fraction.next;
  }
  if (!half) {
    const suffix = halfOfDay(phrases, next);
    half = suffix?.value;
    next = suffix?.next ?? next;
  }
  if (half === 'night') half = hour < 6 || hour === 12 ? 'am' : 'pm';
  // "Halb drei" is only said on a clock of twelve hours, by people who write 14:30.
  const isGuess = !half && start.bare && (past || phrases.lexicon.twelveHours) && hour >= 1 && hour <= 6;
  if (isGuess || (half === 'pm' && hour < 12)) hour += 12;
  else if (half === 'am' && hour === 12) hour = 0;
  const minutes = hour * 60 + minute;
  if (half && start.hour > 12 && start.half) return undefined;
  return hour <= 24 && start.minute < 60 && minutes >= 0 && minutes <= 1440
    ? { value: minutes, next, isGuess }
    : undefined;
}

type Half = 'am' | 'pm' | 'night' | undefined;

interface Start {
  hour: number;
  minute: number;
  next: number;
  half: Half;
  /** "3", "3 o'clock", "2:30": nothing says which half of the day. "02:30" is on a clock of 24 hours. */
  bare: boolean;
}

const halfOf = (suffix: string | undefined): Half =>
  suffix?.startsWith('a') ? 'am' : suffix?.startsWith('p') ? 'pm' : undefined;

function digitsAt(phrases: Phrases, at: number, isAfterDate: boolean): Start | undefined {
  const clock = phrases.match(at, clockForm);
  if (clock) {
    const bare = phrases.lexicon.twelveHours && /^\d[:٫]\d{2}$/.test(clock[0]);
    return { ...startOf(clock[1]!, clock[2]!, at + 1, clock[3]), bare };
  }
  const dotted = phrases.match(at, dottedForm);
  if (
    dotted &&
    (dotted[3] || phrases.has(at + 1, 'oclock') || phrases.has(at + 1, 'am') || phrases.has(at + 1, 'pm'))
  ) {
    return startOf(dotted[1]!, dotted[2]!, dotted[3] ? at + 1 : phrases.skip(at + 1, 'oclock'), dotted[3]);
  }
  // "Section 7a" is not a time.
  const isShort = isAfterDate && phrases.lexicon.shortHalves;
  const hour = phrases.match(at, hourForm) ?? (isShort ? phrases.match(at, shortForm) : undefined);
  // On a clock of twelve hours "2h" is a duration.
  if (hour?.[2] === 'h' && phrases.lexicon.twelveHours && Number(hour[1]) <= 12) return undefined;
  return hour && startOf(hour[1]!, '0', at + 1, hour[2]);
}

const startOf = (hour: string, minute: string, next: number, suffix: string | undefined): Start => ({
  hour: Number(hour),
  minute: Number(minute),
  next,
  half: halfOf(suffix),
  bare: false,
});

/** "9 am", "9 Uhr 30", "9 heures": a number that a word after it makes an hour. */
function suffixedHour(phrases: Phrases, at: number, isMarked: boolean): Start | undefined {
  const digits = phrases.match(at, /^\d{1,2}$/);
  const hour = digits ? { value: Number(digits[0]), next: at + 1 } : phrases.number(at);
  if (!hour || phrases.words[hour.next - 1]!.gap) return undefined;
  const oclock = phrases.find(hour.next, 'oclock');
  if (oclock) {
    const minute = phrases.match(oclock.next, /^[0-5]\d$/);
    // "2 heures" alone is a duration.
    if (!isMarked && !minute && phrases.has(hour.next, 'unit') && !halfOfDay(phrases, oclock.next)) return undefined;
    return {
      hour: hour.value,
      minute: minute ? Number(minute[0]) : 0,
      next: minute ? oclock.next + 1 : oclock.next,
      half: undefined,
      bare: !minute,
    };
  }
  if (!digits) return undefined;
  const half = halfWord(phrases, hour.next);
  return half && { hour: hour.value, minute: 0, next: half.next, half: half.value, bare: false };
}

/** After "at": also a number alone. */
function bareHour(phrases: Phrases, at: number): Start | undefined {
  const suffixed = suffixedHour(phrases, at, true);
  if (suffixed || !phrases.lexicon.bareHours) return suffixed;
  const hour = phrases.number(at);
  if (!hour || hour.value > 24 || phrases.has(hour.next, 'unit')) return undefined;
  // "At 24 Dec" is a day.
  if (phrases.has(phrases.skip(hour.next, 'of'), 'month')) return undefined;
  return { hour: hour.value, minute: 0, next: hour.next, half: undefined, bare: true };
}

/** "pm", or a part of the day that says it: "9 in the evening", "9 Uhr abends", "9 du soir". */
function halfOfDay(phrases: Phrases, at: number): PhraseMatch<Half> | undefined {
  if (phrases.isCut(at)) return undefined;
  const word = halfWord(phrases, at);
  if (word) return word;
  const part = phrases.find(phrases.skip(at, 'partPrefix'), 'part') ?? phrases.find(at, 'part');
  return part && { value: part.value.hour >= 20 ? 'night' : part.value.hour >= 12 ? 'pm' : 'am', next: part.next };
}

function halfWord(phrases: Phrases, at: number): PhraseMatch<'am' | 'pm'> | undefined {
  const pm = phrases.find(at, 'pm');
  if (pm) return { value: 'pm', next: pm.next };
  const am = phrases.find(at, 'am');
  return am && { value: 'am', next: am.next };
}
