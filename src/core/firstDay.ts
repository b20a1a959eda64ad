import type { FirstDay } from './settings';

const byName = { sunday: 0, monday: 1, saturday: 6 } as const;

/** Territories whose week does not begin on Monday, as CLDR has them. */
const sunday = new Set(
  (
    'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH ' +
    'PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'
  ).split(' '),
);
const saturday = new Set('AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'.split(' '));

/** 0 Sunday … 6 Saturday. Where the setting says `locale`: the territory's custom, the likely one where none is named. */
export function firstDayOf(setting: FirstDay, locale = 'en-US'): number {
  if (setting !== 'locale') return byName[setting];
  let territory: string | undefined;
  try {
    territory = new Intl.Locale(locale).maximize().region;
  } catch {
    territory = undefined;
  }
  if (territory === undefined || sunday.has(territory)) return 0;
  return saturday.has(territory) ? 6 : 1;
}
