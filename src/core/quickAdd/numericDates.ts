import { fromWall, wallOf } from '../time/dates';
import { minuteMs } from '../time/units';
import { realDate, yearOf } from './calendar';
import type { ParseContext } from './parseContext';
import type { PhraseMatch } from './phrases';
import type { PhraseTime } from './types';

/** `2026-12-24`, `2026/12/24`. */
const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
/** `2026-12-24t15:00`, `2026-12-24t15:00:00z`. */
const isoTime = /^(\d{4})-(\d{2})-(\d{2})t(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(z|[+-]\d{2}:?\d{2})?$/;
/** `24.12.2026`, `12/24/26`: the same sign twice. */
const threeParts = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/;
/** `12/24`. */
const slashed = /^(\d{1,2})\/(\d{1,2})$/;
/** `24.12`. */
const dotted = /^(\d{1,2})\.(\d{1,2})$/;

/** A date in digits alone. `short` marks one without a year, which could also be a fraction or a version. */
export function numericDateAt(
  context: ParseContext,
  at: number,
  prefixed: boolean,
): (PhraseMatch<PhraseTime> & { short: boolean }) | undefined {
  const { phrases } = context;
  const word = phrases.words[at];
  if (!word || !/^\d/.test(word.norm)) return undefined;
  const found = (day: number | undefined, short = false) =>
    day === undefined ? undefined : { value: { day }, next: at + 1, short };

  const stamp = phrases.match(at, isoTime);
  if (stamp) return isoMoment(context, stamp, at);
  const whole = phrases.match(at, iso);
  if (whole) return found(realDate(Number(whole[1]), Number(whole[2]), Number(whole[3])));
  const three = phrases.match(at, threeParts);
  if (three) {
    const year = Number(three[4]) + (three[4]!.length === 2 ? 2000 : 0);
    return found(ordered(context, Number(three[1]), Number(three[3]), year, three[2] === '/'));
  }
  const two = phrases.match(at, slashed);
  if (two) return found(coming(context, Number(two[1]), Number(two[2]), true), true);
  // "1.12." has its full stop outside the word; without it "1.12" may be any number.
  const dots = word.tail.startsWith('.') || prefixed ? phrases.match(at, dotted) : undefined;
  // Lines that put the month first know it too if no month has that number, and more follows the full stop.
  const isDay = !context.monthFirst || (Number(dots?.[1]) > 12 && at + 1 < phrases.words.length);
  if (dots && isDay) return found(coming(context, Number(dots[1]), Number(dots[2]), false), true);
  return undefined;
}

const ordered = (context: ParseContext, a: number, b: number, year: number, slash: boolean) =>
  context.monthFirst && slash ? realDate(year, a, b) : realDate(year, b, a);

function coming(context: ParseContext, a: number, b: number, slash: boolean): number | undefined {
  const year = yearOf(context.today);
  // Eight years hold at least one Feb 29.
  for (let ahead = 0; ahead <= 8; ahead++) {
    const day = ordered(context, a, b, year + ahead, slash);
    if (day !== undefined && day >= context.today) return day;
  }
  return undefined;
}

function isoMoment(
  context: ParseContext,
  parts: RegExpExecArray,
  at: number,
): (PhraseMatch<PhraseTime> & { short: boolean }) | undefined {
  const day = realDate(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  const minutes = Number(parts[4]) * 60 + Number(parts[5]);
  if (day === undefined || minutes > 1440 || Number(parts[5]) > 59) return undefined;
  const offset = parts[6];
  if (!offset) return { value: { day, minutes }, next: at + 1, short: false };
  const east =
    offset === 'z' ? 0 : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2)));
  const instant = day + (minutes - east) * minuteMs;
  const wall = wallOf(instant, context.zone);
  return Number.isFinite(fromWall(wall, context.zone)) ? { value: { instant }, next: at + 1, short: false } : undefined;
}
