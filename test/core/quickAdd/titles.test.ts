import assert from 'node:assert/strict';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';
import { fromWall, wallOf } from '../../../src/core/time/dates';

const zone = 'Europe/Berlin';
const wednesday = fromWall(Date.UTC(2026, 10, 18, 10, 30), zone);
const here = (locale: string): QuickAddContext => ({ clock: { now: () => wednesday, timeZone: zone }, locale });

const shown = (value: number | null | undefined, isAllDay: boolean | undefined) =>
  value == null
    ? undefined
    : isAllDay
      ? new Date(value).toISOString().slice(0, 10)
      : new Date(wallOf(value, zone)).toISOString().slice(0, 16);

/** Title and due, with the start if there is one. */
function read(text: string, locale: string) {
  const { title, input } = parseQuickAdd(text, here(locale));
  const start = shown(input.dtstart, input.isAllDay);
  return [title, shown(input.due, input.isAllDay), ...(start === undefined ? [] : [start])];
}

const titles: Readonly<Record<string, readonly string[]>> = {
  'en-US': [
    'Read “The Day After Tomorrow” and take notes',
    'Review "Weekly plan, every Monday" text',
    'Watch «Friday Night» again',
    'Translate "tomorrow at 9am #later"',
    'Fix the today view crash',
    'Rename Sunday tab in settings',
    'Collect Friday standup notes',
    'Print noon bus plan',
    'Memorize Romans Rom 8:28',
    'Bible study Luke 2:14',
    'Proofread chapter 5.',
    'Edit page 3 of the report',
    'Build 3D model in 3D',
    'Tickets for Friday the 13th show',
    'Mon Petit Chou: cancel order',
    'Thu Ha: send photos',
    'Noon Records invoice',
    'Around the world map',
    'Black Friday',
    'Buy a TV on Black Friday',
    'Order eggs for Easter Sunday',
    'Call mom about Friday',
    'Ask Bob about next Friday',
    'Call tom',
    'Call Tom on Skype',
    'Buy tom yum soup',
    'Meet tom at home',
    'Closed since Monday',
    'Dinner after Friday',
    'Enjoy the Sunday',
  ],
  'en-GB': ['Notes of Tuesday', 'Water the plants every day except the first'],
  'de-DE': [
    'Fr. Schulze zurückrufen',
    'Sa. Gomes schreiben',
    'Mo. Farah Biografie',
    'Die 5. Jahreszeit planen',
    'Das 3. Kapitel kürzen',
    'Paragraf 7.2. lesen',
    'Seite 12. scannen',
    'Jeder Montag zählt Kampagne',
    'Alle Jahre wieder üben',
    'Kaffee Morgen Tasse bestellen',
    'Lied „Jeden Montag“ üben',
    'Der Sonntag gehört mir',
    'Ein Sonntag auf dem Lande',
    'Anna anrufen wegen Dienstag',
    'Der Tag nach morgen',
    'Guten Morgen',
    'Schönen Sonntag wünschen',
    'Sich über jeden Tag freuen',
  ],
  'fr-FR': [
    'Lire « Demain » et « Vendredi »',
    'Relire chapitre 5.',
    'Chanter "tous les jours" en chœur',
    'Un dimanche à la campagne',
    'Note sur lundi',
    'Fermé depuis lundi',
  ],
  'pt-BR': ['Revisar capítulo 5.', 'Cantar «todo dia» em coro', 'Um domingo no parque', 'Falar sobre segunda'],
  ar: ['اقرأ «غدا» مرة', 'راجع "كل يوم"', 'التحدث عن الأحد', 'مغلق منذ الأحد'],
};

const dates: Readonly<
  Record<string, readonly (readonly [text: string, title: string, due: string, start?: string])[]>
> = {
  'en-US': [
    ['Call mom tomorrow about dinner', 'Call mom about dinner', '2026-11-19'],
    ['Tomorrow buy milk', 'buy milk', '2026-11-19'],
    ['Friday send invoice', 'send invoice', '2026-11-20'],
    ['Pay rent tomorrow online', 'Pay rent online', '2026-11-19'],
    ['Submit on Friday timesheet', 'Submit timesheet', '2026-11-20'],
    ['Call "Aunt May" tomorrow', 'Call "Aunt May"', '2026-11-19'],
    ['Call John 3:15', 'Call John', '2026-11-18T15:15'],
    ['Take the bus 7:42', 'Take the bus', '2026-11-19T07:42'],
    ['Read chapter 3 at 5pm', 'Read chapter 3', '2026-11-18T17:00'],
    ['Fri. dentist', 'dentist', '2026-11-20'],
    ['Call Bob Fri', 'Call Bob', '2026-11-20'],
    ['Meeting 3pm to 4pm', 'Meeting', '2026-11-18T16:00', '2026-11-18T15:00'],
    ['Meeting 3pm to 4pm tomorrow', 'Meeting', '2026-11-19T16:00', '2026-11-19T15:00'],
    ['Meeting tomorrow from 3 to 4pm', 'Meeting', '2026-11-19T16:00', '2026-11-19T15:00'],
    ['Meeting tomorrow 3-4pm', 'Meeting', '2026-11-19T16:00', '2026-11-19T15:00'],
    ['Meeting tomorrow 1:30 to 2:30', 'Meeting', '2026-11-19T14:30', '2026-11-19T13:30'],
    ['Meeting tomorrow 9:00-5:30', 'Meeting', '2026-11-19T17:30', '2026-11-19T09:00'],
    ['Meeting tomorrow 5:30-7am', 'Meeting', '2026-11-19T07:00', '2026-11-19T05:30'],
    ['Meeting 5:30 to 7am tomorrow', 'Meeting', '2026-11-19T07:00', '2026-11-19T05:30'],
    ['Work tomorrow 6:30 to 2:30', 'Work', '2026-11-19T14:30', '2026-11-19T06:30'],
    ['Work tomorrow 6:30 to 3', 'Work', '2026-11-19T15:00', '2026-11-19T06:30'],
    ['Party tomorrow 9pm to 2:30', 'Party', '2026-11-20T02:30', '2026-11-19T21:00'],
    ['Party tomorrow 9pm to 2', 'Party', '2026-11-20T02:00', '2026-11-19T21:00'],
    ['Workshop Friday 9am - 12:30pm', 'Workshop', '2026-11-20T12:30', '2026-11-20T09:00'],
    ['Workshop from 11 to 1pm Friday', 'Workshop', '2026-11-20T13:00', '2026-11-20T11:00'],
    ['Night shift 10pm to 6am', 'Night shift', '2026-11-19T06:00', '2026-11-18T22:00'],
    ['What it was about on Friday', 'What it was about', '2026-11-20'],
    ['Call Bob about rent the day after tomorrow', 'Call Bob about rent', '2026-11-20'],
    ['Shift 9am until noon', 'Shift', '2026-11-19T12:00', '2026-11-19T09:00'],
  ],
  'de-DE': [
    ['Müll morgen rausbringen', 'Müll rausbringen', '2026-11-19'],
    ['Morgen Müll rausbringen', 'Müll rausbringen', '2026-11-19'],
    ['Steuer Freitag abgeben', 'Steuer abgeben', '2026-11-20'],
    ['Am 4. zum Zahnarzt', 'zum Zahnarzt', '2026-12-04'],
    ['Fr. 14 Uhr Zahnarzt', 'Zahnarzt', '2026-11-20T14:00'],
    ['Zahnarzt Fr.', 'Zahnarzt', '2026-11-20'],
    ['5.3. Steuer abgeben', 'Steuer abgeben', '2027-03-05'],
    ['Termin morgen von 15 bis 16 Uhr', 'Termin', '2026-11-19T16:00', '2026-11-19T15:00'],
    ['Tatort am Sonntag', 'Tatort', '2026-11-22'],
    ['Tatort am Sonntag am Montag aufnehmen', 'Tatort am Sonntag aufnehmen', '2026-11-23'],
    ['Jeden Tag eine gute Tat', 'eine gute Tat', '2026-11-18'],
    ['Nach Berlin morgen fahren', 'Nach Berlin fahren', '2026-11-19'],
    ['Termin 15:00 bis 16:30', 'Termin', '2026-11-18T16:30', '2026-11-18T15:00'],
  ],
  'fr-FR': [
    ['Acheter demain le pain', 'Acheter le pain', '2026-11-19'],
    ['Film le dimanche', 'Film', '2026-11-22'],
    ['Rendez-vous après demain', 'Rendez-vous', '2026-11-20'],
    ['Réunion demain de 15h à 16h', 'Réunion', '2026-11-19T16:00', '2026-11-19T15:00'],
  ],
  'pt-BR': [
    ['Comprar amanhã leite', 'Comprar leite', '2026-11-19'],
    ['Missa no domingo', 'Missa', '2026-11-22'],
    ['Reunião depois de amanhã', 'Reunião', '2026-11-20'],
    ['Reunião amanhã das 15h às 16h', 'Reunião', '2026-11-19T16:00', '2026-11-19T15:00'],
  ],
  ar: [
    ['اشتر غدا الحليب', 'اشتر الحليب', '2026-11-19'],
    ['مباراة يوم الأحد', 'مباراة', '2026-11-22'],
  ],
};

/** "Every day except…" is each of the other days. */
const others: Readonly<Record<string, readonly (readonly [text: string, title: string, days: string])[]>> = {
  'en-US': [
    ['Read every day except Sunday', 'Read', 'MO,TU,WE,TH,FR,SA'],
    ['Read every day except weekends', 'Read', 'MO,TU,WE,TH,FR'],
    ['Read every day except on weekends', 'Read', 'MO,TU,WE,TH,FR'],
    ['Read every day except Monday and Friday', 'Read', 'TU,WE,TH,SA,SU'],
    ['Read every day except weekdays', 'Read', 'SA,SU'],
  ],
  'en-GB': [['Water the plants every day except Sundays', 'Water the plants', 'MO,TU,WE,TH,FR,SA']],
  'de-DE': [
    ['Jeden Tag außer Sonntag lesen', 'lesen', 'MO,TU,WE,TH,FR,SA'],
    ['Jeden Tag außer am Sonntag lesen', 'lesen', 'MO,TU,WE,TH,FR,SA'],
    ['Jeden Tag außer sonntags lesen', 'lesen', 'MO,TU,WE,TH,FR,SA'],
  ],
  'fr-FR': [['Lire tous les jours sauf le dimanche', 'Lire', 'MO,TU,WE,TH,FR,SA']],
  'pt-BR': [['Ler todo dia exceto domingo', 'Ler', 'MO,TU,WE,TH,FR,SA']],
  ar: [['قراءة كل يوم ما عدا الأحد', 'قراءة', 'MO,TU,WE,TH,FR,SA']],
};

describe('quick add titles', () => {
  for (const [locale, cases] of Object.entries(others))
    for (const [text, title, days] of cases)
      it(`do not include the days in: ${text}`, () => {
        const read = parseQuickAdd(text, here(locale));
        assert.deepEqual([read.title, read.input.rrule], [title, `FREQ=WEEKLY;BYDAY=${days}`]);
      });

  for (const [locale, texts] of Object.entries(titles))
    for (const text of texts)
      it(`keep what only looks like a date: ${text}`, () => {
        const { title, tokens } = parseQuickAdd(text, here(locale));
        assert.deepEqual({ title, tokens }, { title: text, tokens: [] });
      });

  for (const [locale, cases] of Object.entries(dates))
    for (const [text, ...expected] of cases)
      it(`do not include the date in: ${text}`, () => assert.deepEqual(read(text, locale), expected));
});

describe('from one time to another', () => {
  it('repeats from its start, and reminds before it', () => {
    const { title, input, tokens, isSpan } = parseQuickAdd(
      'Standup every workday 9am to 9:30am *10 min',
      here('en-US'),
    );
    assert.equal(title, 'Standup');
    assert.equal(input.rrule, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR');
    assert.deepEqual(
      [input.dtstart, input.due].map(value => shown(value, false)),
      ['2026-11-19T09:00', '2026-11-19T09:30'],
    );
    assert.equal(input.timezone, zone);
    assert.deepEqual(input.alarms, [{ minutesBefore: 10, reference: 'START' }]);
    assert.equal(isSpan, true);
    assert.equal(tokens.filter(({ kind }) => kind === 'start').length, 0);
  });

  it('is one chip that names both times', () => {
    const { tokens } = parseQuickAdd('Meeting tomorrow 3pm to 4pm', here('en-US'));
    assert.deepEqual(
      tokens.map(({ label }) => label.replace(/\s/g, ' ')),
      ['Thu, Nov 19, 3:00 PM – 4:00 PM'],
    );
  });

  it('needs times, not just numbers', () => {
    for (const text of ['Check the 9 to 5 soundtrack', 'Read pages 5 to 7', 'Dress size 10-12'])
      assert.equal(parseQuickAdd(text, here('en-US')).title, text);
  });
});
