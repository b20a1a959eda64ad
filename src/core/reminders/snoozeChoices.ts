import type { EpochMs } from '../kernel/model';
import type { Clock } from '../time/clock';
import { addDays, civilMs, type Day, fromWall, today, weekday } from '../time/dates';
import { timeOfDay } from '../time/timeOfDay';
import { dayMs, hourMs, minuteMs } from '../time/units';

type SnoozeUnit = 'minute' | 'hour' | 'day' | 'week';

/** How long a reminder can be snoozed: `unit` counts from now, a name is a time of a day. */
export type SnoozeChoice = { readonly until: EpochMs } & (
  | { readonly kind: 'in'; readonly count: number; readonly unit: SnoozeUnit }
  | { readonly kind: 'tonight' | 'tomorrow' | 'nextWeek' }
);

export interface SnoozeContext {
  readonly clock: Clock;
  /** Hour at which a day starts. */
  readonly startHour: number;
  /** `HH:MM`: when tomorrow and next week begin. */
  readonly morning: string;
  /** The weekday on which next week begins, 0 Sunday. */
  readonly firstWorkday: 0 | 1;
}

/** The evening of quick add: at eight, in milliseconds after midnight. */
const evening = 20 * hourMs;
const units: Readonly<Record<string, readonly [SnoozeUnit, ms: number]>> = {
  m: ['minute', minuteMs],
  h: ['hour', hourMs],
  d: ['day', dayMs],
  w: ['week', 7 * dayMs],
};

/**
 * The times that the options `10m`, `2h`, `3d`, `1w`, `tonight`, `tomorrow` and `nextWeek` mean now, in their order. An
 * option that says nothing, or a time that is over or nearly here, is left out.
 */
export function snoozeChoices(options: readonly string[], context: SnoozeContext): SnoozeChoice[] {
  const now = context.clock.now();
  const choices = options.flatMap(option => choiceOf(option.trim(), context) ?? []);
  return choices.filter(({ until }, at) => until > now && choices.findIndex(one => one.until === until) === at);
}

function choiceOf(
  option: string,
  { clock, startHour, morning, firstWorkday }: SnoozeContext,
): SnoozeChoice | undefined {
  const now = clock.now();
  const length = /^(\d{1,4})\s*([mhdw])$/i.exec(option);
  if (length) {
    const count = Number(length[1]);
    const [unit, ms] = units[length[2]!.toLowerCase()]!;
    return count === 0 ? undefined : { kind: 'in', count, unit, until: now + count * ms };
  }
  const day = today(clock, startHour);
  const at = (on: Day, time: number) => fromWall(civilMs(on) + time, clock.timeZone);
  const start = timeOfDay(morning);
  switch (option.toLowerCase()) {
    case 'tonight': {
      const until = at(day, evening);
      return until - now < 10 * minuteMs ? undefined : { kind: 'tonight', until };
    }
    case 'tomorrow':
      return { kind: 'tomorrow', until: at(addDays(day, 1), start) };
    case 'nextweek':
      return { kind: 'nextWeek', until: at(addDays(day, (firstWorkday + 7 - weekday(day)) % 7 || 7), start) };
    default:
      return undefined;
  }
}
