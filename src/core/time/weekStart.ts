import type { FirstDay } from '../kernel/settings';
import { addDays, type Day, daysBetween, startOfWeek } from './dates';

const byName = { sunday: 0, monday: 1, saturday: 6 } as const;

const territories = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Territories whose week does not begin on Monday (CLDR 48, `weekData`, `firstDay`). */
const firstDays: readonly (readonly [day: number, ReadonlySet<string>])[] = [
  [
    0,
    territories(
      'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE ' +
        'PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW',
    ),
  ],
  [5, territories('MV')],
  [6, territories('AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY')],
];

/** Territories in which Friday is the day of rest, and work begins on Sunday (`weekendStart` Thursday or Friday). */
const restOnFriday = territories('AF BH DZ EG IL IQ IR JO KW LY OM QA SA SD SY YE');

const territoryByLocale = new Map<string, string | undefined>();

/** The likely one if the locale names none. Quick add asks at each key; Intl takes a fifth of its time. */
function territoryOf(locale: string): string | undefined {
  if (!territoryByLocale.has(locale)) territoryByLocale.set(locale, readTerritory(locale));
  return territoryByLocale.get(locale);
}

function readTerritory(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).maximize().region;
  } catch {
    return undefined;
  }
}

/** Territories in which the first week of a year has at least four days of it, not one (CLDR 48, `minDays`). */
const fourDays = territories(
  'AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL PT RE RU SE ' +
    'SJ SK SM VA',
);

/** The number of the week that begins with a day, by the territory's custom. */
export function weekNumber(first: Day, firstDay: number, locale = 'en-US'): number {
  const minimalDays = fourDays.has(territoryOf(locale) ?? '') ? 4 : 1;
  const year = addDays(first, 7 - minimalDays).slice(0, 4);
  return daysBetween(startOfWeek(`${year}-01-0${minimalDays}` as Day, firstDay), first) / 7 + 1;
}

/** 0 Sunday … 6 Saturday. If the setting is `locale`: the territory's custom. */
export function firstDayOf(setting: FirstDay, locale = 'en-US'): number {
  if (setting !== 'locale') return byName[setting];
  const territory = territoryOf(locale);
  return firstDays.find(([, those]) => territory !== undefined && those.has(territory))?.[0] ?? 1;
}

/** The day on which work begins again: Monday, or Sunday if the week ends with Friday and Saturday. */
export function firstWorkdayOf(setting: FirstDay, locale = 'en-US'): 0 | 1 {
  return setting === 'saturday' || restOnFriday.has(territoryOf(locale) ?? '') ? 0 : 1;
}
