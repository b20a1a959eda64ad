import { addDays, type Day, dayOf, startOfWeek } from '../../core/time/dates';
import { findFilter } from '../../query/eval/savedFilters';
import { splitQuery } from '../../query/parse/splitQuery';
import { t, tn } from '../../shared/l10n';
import type { DoneMap } from '../../shared/widgetProtocol';
import { longDay, mediumDay, shortMonth, weekdayLabel } from '../../ui/text/dateText';
import { options, scope } from './groups';
import type { WidgetContext } from './widgetContext';

const weeksShown = 53;

/** From this count on, a day has a mark of the next step: the same for everyone, and none to beat. */
const steps = [1, 2, 4, 7];

/** How many of the widget's tasks were completed on each day of the last 53 weeks. */
export function doneMap(context: WidgetContext): DoneMap {
  const { engine, now, style } = context;
  const first = addDays(startOfWeek(now, style.firstDay), -7 * (weeksShown - 1));
  const filter = options(context).filter ?? '';
  const { conditions } = splitQuery(findFilter(filter, engine.settings)?.query ?? filter);
  const query = `done:${first}..${now} ${conditions === '' ? '' : `(${conditions})`}`;
  const counts = new Map<Day, number>();
  for (const { task } of engine.lines(query, scope(context))) {
    const day = dayOf(task.completedAt ?? 0, 'UTC', style.clock.timeZone, style.startHour);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const week = Array.from({ length: 7 }, (_, day) => addDays(first, day));
  return {
    label: tn(all, '{0} task completed in the last year', '{0} tasks completed in the last year'),
    weekdays: week.map(weekdayLabel),
    weeks: Array.from({ length: weeksShown }, (_, index) => {
      const days = week.map(day => addDays(day, 7 * index)).filter(day => day <= now);
      const begins = days.find(day => day.endsWith('-01'));
      return {
        label: t('Week of {0}', longDay(days[0]!)),
        ...(begins ? { month: shortMonth(begins) } : {}),
        days: days.map(day => dayMark(day, counts.get(day) ?? 0)),
      };
    }),
  };
}

const dayMark = (day: Day, count: number): DoneMap['weeks'][number]['days'][number] => ({
  count,
  level: steps.filter(step => count >= step).length,
  ...(count > 0 ? { label: t('{0}: {1}', mediumDay(day), tn(count, '{0} task', '{0} tasks')) } : {}),
});
