import assert from 'node:assert/strict';
import { defaultSettings } from '../../../src/core/kernel/settings';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import { addDays, type Day } from '../../../src/core/time/dates';
import { firstDayOf, firstWorkdayOf, weekNumber } from '../../../src/core/time/weekStart';
import { agendaOf } from '../../../src/query/agenda/agenda';
import { aContext, aFilledStore, civil, type Filled } from '../support/filterStore';

/** CLDR 48, supplemental `weekData`: `firstDay` and `weekendStart`. */
const customs: readonly (readonly [locale: string, firstDay: string, restOnFriday?: true])[] = [
  ['en-US', 'Sunday'],
  ['en', 'Sunday'],
  ['en-GB', 'Monday'],
  ['en-AU', 'Monday'],
  ['en-NZ', 'Monday'],
  ['en-IE', 'Monday'],
  ['en-CA', 'Sunday'],
  ['en-IN', 'Sunday'],
  ['en-ZA', 'Sunday'],
  ['en-SG', 'Sunday'],
  ['en-IL', 'Sunday', true],
  ['en-MV', 'Friday'],
  ['de', 'Monday'],
  ['de-CH', 'Monday'],
  ['de-AT', 'Monday'],
  ['fr-FR', 'Monday'],
  ['fr-CA', 'Sunday'],
  ['fr-BE', 'Monday'],
  ['fr-DJ', 'Saturday'],
  ['pt-BR', 'Sunday'],
  ['pt', 'Sunday'],
  ['pt-PT', 'Sunday'],
  ['es-ES', 'Monday'],
  ['es-MX', 'Sunday'],
  ['es-AR', 'Monday'],
  ['ar', 'Saturday', true],
  ['ar-EG', 'Saturday', true],
  ['ar-SA', 'Sunday', true],
  ['ar-AE', 'Monday'],
  ['ar-MA', 'Monday'],
  ['ar-LB', 'Monday'],
  ['ar-YE', 'Sunday', true],
  ['ar-DZ', 'Saturday', true],
  ['fa-IR', 'Saturday', true],
  ['he-IL', 'Sunday', true],
  ['hi-IN', 'Sunday'],
  ['ja-JP', 'Sunday'],
  ['ko-KR', 'Sunday'],
  ['zh-CN', 'Monday'],
  ['zh-TW', 'Sunday'],
  ['is-IS', 'Sunday'],
  ['ru-RU', 'Monday'],
  ['tr-TR', 'Monday'],
  ['sv', 'Monday'],
  ['und', 'Sunday'],
  ['eo', 'Monday'],
  ['no such locale', 'Monday'],
];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A Wednesday, as all of these tests: the 18th of March 2026. */
const weekFrom = (first: number): Day => addDays('2026-03-18' as Day, -((3 - first + 7) % 7));

describe('the first day of the week', () => {
  let filled: Filled;
  before(async () => {
    filled = await aFilledStore();
    const list = await filled.list('L');
    const dates = Array.from({ length: 21 }, (_, index) => addDays('2026-03-08' as Day, index));
    await filled.tasks(list, ...dates.map(day => ({ title: day, due: civil(day), isAllDay: true })));
  });
  after(() => filled.close());

  const quickAdd = (text: string, locale: string) => {
    const { clock } = aContext();
    return parseQuickAdd(text, { clock, locale, languages: ['en'], settings: defaultSettings });
  };
  const dayOf = (text: string, locale: string) =>
    new Date(quickAdd(text, locale).input.due!).toISOString().slice(0, 10);

  for (const [locale, name, rest] of customs) {
    it(`is ${name} for ${locale}, in Week, filters and quick add alike`, () => {
      const first = days.indexOf(name);
      assert.equal(firstDayOf('locale', locale), first);
      const context = aContext({ locale });
      const from = weekFrom(first);
      assert.equal(agendaOf('week', filled.store, {}, context).groups[0]!.key, from);
      assert.equal(filled.titles('due:week sort:due', context)[0], from);
      assert.deepEqual(filled.titles('due:eow', context), [addDays(from, 6)]);
      assert.equal(dayOf('Report end of the week', locale), addDays(from, 6));
      assert.equal(firstWorkdayOf('locale', locale), rest ? 0 : 1);
      assert.equal(dayOf('Report next week', locale), rest ? '2026-03-22' : '2026-03-23');
      assert.equal(
        quickAdd('Report every workday', locale).input.rrule,
        rest ? 'FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH' : 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      );
    });
  }

  it('is the day of the setting, whatever the locale', () => {
    for (const [locale] of customs) {
      assert.equal(firstDayOf('monday', locale), 1);
      assert.equal(firstDayOf('sunday', locale), 0);
      assert.equal(firstDayOf('saturday', locale), 6);
    }
    assert.equal(firstWorkdayOf('saturday', 'de'), 0);
  });
});

describe('the number of a week', () => {
  for (const [first, firstDay, locale, number] of [
    ['2026-11-23', 1, 'de-DE', 48],
    ['2025-12-29', 1, 'de-DE', 1],
    ['2027-12-27', 1, 'en-GB', 52],
    ['2026-12-28', 1, 'fr-FR', 53],
    ['2025-12-28', 0, 'en-US', 1],
    ['2026-12-27', 0, 'pt-BR', 1],
    ['2026-11-22', 0, 'en-US', 48],
    ['2025-12-27', 6, 'ar', 1],
  ] as const)
    it(`is ${number} from ${first} on in ${locale}`, () =>
      assert.equal(weekNumber(first as Day, firstDay, locale), number));
});
