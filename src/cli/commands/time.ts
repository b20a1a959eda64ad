import { type DayRule, type Period, sumBy, sumByDay } from '../../core/code/timeReport';
import { hoursText } from '../../core/code/workTime';
import { safeJson, sanitize } from '../../core/text/cleanText';
import { minuteMs } from '../../core/time/units';
import { firstDayOf } from '../../core/time/weekStart';
import { CliError } from '../../programs/cliError';
import { trackedTime } from '../../query/agenda/trackedTime';
import { padded, widthOf } from '../output';
import { DateWords } from '../rows';
import type { Command, Session } from '../session';

const periods: ReadonlyMap<string, Period> = new Map([
  ['week', 'thisWeek'],
  ['last-week', 'lastWeek'],
  ['month', 'thisMonth'],
  ['last-month', 'lastMonth'],
  ['all', 'all'],
]);

async function time(session: Session): Promise<void> {
  const [word = 'week'] = session.words;
  const period = periods.get(word);
  if (!period)
    throw new CliError('usage', `“${sanitize(word)}” is not a period. Use ${[...periods.keys()].join(', ')}.`);
  const engine = await session.open({ printsTasks: false });
  const { clock, settings, locale } = engine;
  const rule: DayRule = {
    zone: clock.timeZone,
    startHour: settings.dayStartHour,
    firstDay: firstDayOf(settings.firstDay, locale),
  };
  const entries = trackedTime(engine, period, rule);
  const total = entries.reduce((sum, { ms }) => sum + ms, 0);
  const tasks = sumBy(entries, ({ task }) => task);
  const days = period === 'all' ? [] : sumByDay(entries, rule);
  if (session.is('json')) {
    const minutes = (ms: number) => Math.floor(ms / minuteMs);
    const answer = {
      version: 1,
      minutes: minutes(total),
      days: days.map(({ key, ms }) => ({ day: key ?? null, minutes: minutes(ms) })),
      tasks: tasks.map(({ key, ms }) => ({
        id: key.id,
        shortId: engine.shortIdOf(key),
        title: key.title ?? '',
        minutes: minutes(ms),
      })),
    };
    return session.out.print(safeJson(answer, 2));
  }
  const words = new DateWords(engine);
  const dayWords = days.map(({ key, ms }) => [key ? words.day(key) : 'earlier', hoursText(ms)] as const);
  const width = Math.max(0, ...dayWords.map(([day]) => widthOf(day)));
  const parts = [
    [`Total  ${hoursText(total)}`],
    dayWords.map(([day, hours]) => `${padded(day, width)}  ${hours}`),
    tasks.map(
      ({ key, ms }) => `${engine.shortIdOf(key)}  ${hoursText(ms)}  ${sanitize(key.title ?? '') || '(no title)'}`,
    ),
  ];
  session.out.print(parts.flatMap(lines => (lines.length > 0 ? [lines.join('\n')] : [])).join('\n\n'));
}

export const timeCommands: Readonly<Record<string, Command>> = {
  time: {
    usage: '[PERIOD]',
    most: 1,
    choices: [...periods.keys()],
    summary: 'Report the tracked time of this week or another period, by day and by task',
    examples: ['dueline time', 'dueline time last-month --json'],
    run: time,
  },
};
