import assert from 'node:assert/strict';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';
import { parseRepeat, parseWhen } from '../../../src/core/quickAdd/when';

/** Monday, 23 November 2026, 10:00. */
const monday = Date.UTC(2026, 10, 23, 10);
const here = (locale = 'en-US'): QuickAddContext => ({ clock: { now: () => monday, timeZone: 'UTC' }, locale });

/** Title and when: "2026-12-01 → 2026-12-05 FREQ=…". */
function read(text: string, locale?: string): readonly [title: string, when: string] {
  const { title, input } = parseQuickAdd(text, here(locale));
  const shown = (value: number | null | undefined) =>
    value == null ? undefined : new Date(value).toISOString().slice(0, input.isAllDay ? 10 : 16);
  const span = [shown(input.dtstart), shown(input.due)].filter(value => value !== undefined).join(' → ');
  return [title, [span, input.rrule].filter(Boolean).join(' ')];
}

type Cases = Readonly<Record<string, readonly (readonly [text: string, title: string, when: string])[]>>;

function readsAll(cases: Cases): void {
  for (const [locale, lines] of Object.entries(cases))
    for (const [text, ...expected] of lines) assert.deepEqual(read(text, locale), expected, text);
}

function leavesAlone(texts: Readonly<Record<string, readonly string[]>>): void {
  for (const [locale, lines] of Object.entries(texts))
    for (const text of lines) {
      const { title, tokens } = parseQuickAdd(text, here(locale));
      assert.deepEqual({ title, tokens }, { title: text, tokens: [] });
    }
}

const firstWeek = '2026-12-01 → 2026-12-05';
const christmas = '2026-12-20 → 2026-12-27';
const nextWeek = '2026-11-30 → 2026-12-04';

describe('from one day to another', () => {
  it('is a start and a due date in every language', () => {
    readsAll({
      'en-US': [
        ['trip from dec 1 to dec 5', 'trip', firstWeek],
        ['trip dec 1 - dec 5', 'trip', firstWeek],
        ['trip dec 1 through dec 5 #fun', 'trip', firstWeek],
        ['trip from the 1st to the 5th', 'trip', firstWeek],
        ['trip between dec 1 and dec 5', 'trip', firstWeek],
        ['trip 1-5 dec', 'trip', firstWeek],
        ['trip 12/20-12/27', 'trip', christmas],
        ['trip 2026-12-20–2026-12-27', 'trip', christmas],
        ['Vacation Dec 20–27', 'Vacation', christmas],
        ['Vacation from dec 20 to 27 skiing', 'Vacation skiing', christmas],
        ['trip from monday to friday', 'trip', nextWeek],
        ['trip tomorrow to friday', 'trip', '2026-11-24 → 2026-11-27'],
        ['gym sat - sun', 'gym', '2026-11-28 → 2026-11-29'],
        ['trip friday to friday', 'trip', '2026-11-27 → 2026-12-04'],
      ],
      'en-GB': [['trip 20/12 to 27/12', 'trip', christmas]],
      'de-DE': [
        ['Urlaub von Montag bis Freitag', 'Urlaub', nextWeek],
        ['Urlaub vom 1. bis 5. Dezember', 'Urlaub', firstWeek],
        ['Urlaub 1.12. bis 5.12.', 'Urlaub', firstWeek],
        ['Urlaub ab 20.12. bis zum 27.12.', 'Urlaub', christmas],
        ['Urlaub 20.–27.12.', 'Urlaub', christmas],
        ['Urlaub 20.-27. Dezember', 'Urlaub', christmas],
        ['Urlaub zwischen Montag und Freitag', 'Urlaub', nextWeek],
      ],
      'fr-FR': [
        ['Vacances du 20 au 27 décembre', 'Vacances', christmas],
        ['Vacances du 1er décembre au 5 décembre', 'Vacances', firstWeek],
        ['Vacances de lundi à vendredi', 'Vacances', nextWeek],
        ["Vacances du 20/12 jusqu'au 27/12", 'Vacances', christmas],
        ['Vacances entre lundi et vendredi', 'Vacances', nextWeek],
      ],
      'pt-BR': [
        ['Férias de 20 a 27 de dezembro', 'Férias', christmas],
        ['Férias de 20 de dezembro a 5 de janeiro', 'Férias', '2026-12-20 → 2027-01-05'],
        ['Férias da segunda à sexta', 'Férias', nextWeek],
        ['Férias do dia 1 ao dia 5', 'Férias', firstWeek],
        ['Férias de 20/12 até 27/12', 'Férias', christmas],
      ],
      ar: [
        ['إجازة من 20 إلى 27 ديسمبر', 'إجازة', christmas],
        ['إجازة من 1 ديسمبر حتى 5 ديسمبر', 'إجازة', firstWeek],
        ['إجازة من يوم الأحد إلى الخميس', 'إجازة', '2026-11-29 → 2026-12-03'],
      ],
    });
  });

  it('takes the year from the other date, and continues in the next year or month', () => {
    readsAll({
      'en-US': [
        ['trip from dec 20 to jan 5', 'trip', '2026-12-20 → 2027-01-05'],
        ['trip dec 20 - dec 27 2027', 'trip', '2027-12-20 → 2027-12-27'],
        ['trip Dec 20–27, 2027', 'trip', '2027-12-20 → 2027-12-27'],
        ['Vacation Nov 20–27', 'Vacation', '2026-11-20 → 2026-11-27'],
        ['Vacation from nov 20 to nov 27', 'Vacation', '2026-11-20 → 2026-11-27'],
        ['Vacation Nov 1–7', 'Vacation', '2027-11-01 → 2027-11-07'],
      ],
    });
  });

  it('may have times', () => {
    readsAll({
      'en-US': [
        ['Fair from monday 9am to friday 5pm', 'Fair', '2026-11-30T09:00 → 2026-12-04T17:00'],
        ['Fair from friday 5pm to sunday', 'Fair', '2026-11-27T17:00 → 2026-11-29T23:59'],
      ],
    });
  });

  it('is one chip, repeats as a whole, and reminds before its start', () => {
    const { tokens, input, isSpan } = parseQuickAdd('Trip dec 1 - dec 5 every year *1 day', here());
    assert.deepEqual(
      tokens.map(({ kind, label }) => [kind, label]),
      [
        ['due', 'Tue, Dec 1 – Sat, Dec 5'],
        ['repeat', 'every year'],
        ['reminder', '1 day'],
      ],
    );
    assert.deepEqual(input.alarms, [{ minutesBefore: 1440, reference: 'START' }]);
    assert.deepEqual(
      { isSpan, rrule: input.rrule, isAllDay: input.isAllDay },
      { isSpan: true, rrule: 'FREQ=YEARLY', isAllDay: true },
    );
  });

  it('stays in the title if it is none', () => {
    leavesAlone({
      'en-US': [
        'trip dec 5 - dec 1 2025',
        'trip friday to tomorrow',
        'Class from monday to friday at 9am',
        'Meet friday or saturday',
        'Buy 2-3 apples',
        'Buy 1/2 to 3/4 cup',
        'Buy 1/2 - 3/4 cup',
        'Compare 3rd to 5th',
        'Mon - Fri standup',
        'Party on dec 24 and 25',
        '2 to 3 weeks from now',
        'Read 20-27 pages',
      ],
      'de-DE': ['Bericht vom Freitag', 'Freitag oder Samstag treffen'],
      'fr-FR': ['Rapport de vendredi'],
      'pt-BR': ['Relatório de sexta'],
      ar: ['تقرير من الجمعة'],
    });
    readsAll({
      'en-US': [
        ['Party dec 1 - bring eggs', 'Party - bring eggs', '2026-12-01'],
        ['Send tomorrow to Tuesday group', 'Send to Tuesday group', '2026-11-24'],
        ['Call mom tomorrow to ask about dinner', 'Call mom to ask about dinner', '2026-11-24'],
        ['Send at 3pm to 4 people', 'Send to 4 people', '2026-11-23T15:00'],
      ],
    });
  });
});

describe('from one time to another', () => {
  it('needs both times, and stays in the title until they are there', () => {
    leavesAlone({
      'en-US': [
        'Meeting from 3pm',
        'Meeting from 3pm to',
        'Meeting 3pm to',
        'Dinner at 5 to 7',
        'Do it every day until',
      ],
      'de-DE': ['Treffen von 15 Uhr bis', 'Treffen 15 Uhr bis'],
      'fr-FR': ['Réunion de 15h à', 'Réunion 15h à'],
      'pt-BR': ['Reunião das 15h às'],
      ar: ['اجتماع من الساعة 3 إلى'],
    });
    const afternoon = '2026-11-23T15:00 → 2026-11-23T16:00';
    readsAll({
      'en-US': [
        ['Meeting 3pm to 4', 'Meeting', afternoon],
        ['Meeting between 3pm and 4pm', 'Meeting', afternoon],
        ['Shift from 10pm to 6', 'Shift', '2026-11-23T22:00 → 2026-11-24T06:00'],
      ],
      'de-DE': [
        ['Treffen 15:00 bis 16', 'Treffen', afternoon],
        ['Treffen zwischen 15 und 16 Uhr', 'Treffen', afternoon],
      ],
      'fr-FR': [['Réunion entre 15h et 16h', 'Réunion', afternoon]],
      'pt-BR': [['Reunião das 15 às 16', 'Reunião', afternoon]],
      ar: [['اجتماع من الساعة 3 إلى الساعة 4', 'اجتماع', afternoon]],
    });
  });

  it('keeps the date next to it', () => {
    const eve = '2026-12-24T15:00 → 2026-12-24T16:00';
    readsAll({
      'en-US': [
        ['Meet 12/24 3-4pm', 'Meet', eve],
        ['Meet 12/24 3pm-4pm', 'Meet', eve],
        ['Meet 12/24 3p-4p', 'Meet', eve],
        ['Meet 12/24 3-4 pm', 'Meet', eve],
        ['Meet 12/24 from 3-4pm', 'Meet', eve],
        ['Meet 12/24 between 3 and 4pm', 'Meet', eve],
        ['Meet 12/24 between 3pm and 4pm', 'Meet', eve],
      ],
      'en-GB': [
        ['Meet 24/12 3pm-4pm', 'Meet', eve],
        ['Meet 24/12 15:00-16:00', 'Meet', eve],
      ],
      'de-DE': [
        ['Treffen 24/12 15-16 Uhr', 'Treffen', eve],
        ['Treffen 24.12. 15–16 Uhr', 'Treffen', eve],
      ],
      'fr-FR': [['Réunion 24/12 15h-16h', 'Réunion', eve]],
      'pt-BR': [['Reunião 24/12 15h-16h', 'Reunião', eve]],
      ar: [['اجتماع 24/12 15:00-16:00', 'اجتماع', eve]],
    });
    leavesAlone({ 'en-US': ['Split 1/2 between 3 teams', 'Mix 1/2 3-4 eggs'] });
  });

  it('may be given by its duration', () => {
    const hours = '2026-11-23T15:00 → 2026-11-23T17:00';
    readsAll({
      'en-US': [
        ['Meet 3pm for 2 hours', 'Meet', hours],
        ['Meet at 3pm for 2h with Bob', 'Meet with Bob', hours],
        ['Meet 3pm for an hour and a half tomorrow', 'Meet', '2026-11-24T15:00 → 2026-11-24T16:30'],
        ['Run every day at 7am for 30 min', 'Run', '2026-11-24T07:00 → 2026-11-24T07:30 FREQ=DAILY'],
        ['Call 3pm for 2 hours of work', 'Call for 2 hours of work', '2026-11-23T15:00'],
        ['Call 3pm for 2 days', 'Call for 2 days', '2026-11-23T15:00'],
      ],
      'de-DE': [
        ['Treffen 15 Uhr für 2 Stunden', 'Treffen', hours],
        ['Treffen 15 Uhr 2 Stunden lang', 'Treffen', hours],
      ],
      'fr-FR': [['Réunion à 15h pendant 2 heures', 'Réunion', hours]],
      'pt-BR': [['Reunião às 15h por 2 horas', 'Reunião', hours]],
      ar: [['اجتماع الساعة 3 مساء لمدة ساعتين', 'اجتماع', hours]],
    });
  });

  it('may be written "3p" next to a date, "at" and "from", in English', () => {
    readsAll({
      'en-US': [
        ['call tmr 3p', 'call', '2026-11-24T15:00'],
        ['gym fri 5p', 'gym', '2026-11-27T17:00'],
        ['gym sat 5p', 'gym', '2026-11-28T17:00'],
        ['Wake me tomorrow 7a', 'Wake me', '2026-11-24T07:00'],
        ['call at 5p', 'call', '2026-11-23T17:00'],
        ['run every day 7a', 'run', '2026-11-24T07:00 FREQ=DAILY'],
        ['meet from 3p to 5p', 'meet', '2026-11-23T15:00 → 2026-11-23T17:00'],
        ['meet tomorrow 3p-5p', 'meet', '2026-11-24T15:00 → 2026-11-24T17:00'],
        ['meet 3-4p tmr', 'meet', '2026-11-24T15:00 → 2026-11-24T16:00'],
        ['meet 3p to 4p on friday', 'meet', '2026-11-27T15:00 → 2026-11-27T16:00'],
        ['Section 7a tomorrow', 'Section 7a', '2026-11-24'],
        ['Section 3-4p tomorrow', 'Section 3-4p', '2026-11-24'],
        ['Compare 3a to 5a tomorrow', 'Compare 3a to 5a', '2026-11-24'],
      ],
      'de-DE': [['call morgen 5p', 'call 5p', '2026-11-24']],
    });
    leavesAlone({ 'en-US': ['Section 7a', 'call mom 5p', 'Compare 3a to 5a'] });
  });
});

describe('a day after "at" and after "a week on"', () => {
  it('is read as a whole', () => {
    const eve = '2026-12-24';
    readsAll({
      'en-US': [
        ['at 24 Dec lunch', 'lunch', eve],
        ['Party at 24 Dec 7pm', 'Party', `${eve}T19:00`],
        ['Party at 24 Dec', 'Party', eve],
        ['Pack a week on friday', 'Pack', '2026-12-04'],
        ['Run twice a week on friday', 'Run twice a week', '2026-11-27'],
        ['Run 3 times a week on friday', 'Run 3 times a week', '2026-11-27'],
        ['Work 2 days a week on friday', 'Work 2 days a week', '2026-11-27'],
      ],
      'pt-BR': [['Festa às 24 de dezembro 19h', 'Festa', `${eve}T19:00`]],
    });
  });
});

describe('until a date', () => {
  it('is the due date of the task', () => {
    const friday = '2026-11-27';
    readsAll({
      'en-US': [
        ['Read until friday', 'Read', friday],
        ['Read till 5pm', 'Read', '2026-11-23T17:00'],
      ],
      'de-DE': [['Lesen bis Freitag', 'Lesen', friday]],
      'fr-FR': [["Lire jusqu'à vendredi", 'Lire', friday]],
      'pt-BR': [['Ler até sexta', 'Ler', friday]],
      ar: [
        ['اقرأ حتى الجمعة', 'اقرأ', friday],
        ['اقرأ لغاية الجمعة', 'اقرأ', friday],
      ],
    });
    leavesAlone({ 'en-US': ['Read until done', 'Move meeting to friday'] });
  });
});

describe('a frequency after its day', () => {
  it('makes that day the day of the rule', () => {
    const first = '2026-12-01 FREQ=MONTHLY;BYMONTHDAY=1';
    const friday = '2026-11-27 FREQ=WEEKLY;BYDAY=FR';
    readsAll({
      'en-US': [
        ['Pay rent on the 1st monthly', 'Pay rent', first],
        ['Pay rent on the 31st, monthly', 'Pay rent', '2026-12-31 FREQ=MONTHLY;BYMONTHDAY=31'],
        ['Pay rent on the 1st at 9am every month', 'Pay rent', '2026-12-01T09:00 FREQ=MONTHLY;BYMONTHDAY=1'],
        ['gym on friday weekly', 'gym', friday],
        ['gym on friday every 2 weeks', 'gym', '2026-11-27 FREQ=WEEKLY;INTERVAL=2;BYDAY=FR'],
        ['gym fridays weekly', 'gym', friday],
        ['party on feb 29 yearly', 'party', '2028-02-29 FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
        ['review on the last friday monthly', 'review', '2026-11-27 FREQ=MONTHLY;BYDAY=-1FR'],
      ],
      'de-DE': [
        ['Miete am 1. monatlich', 'Miete', first],
        ['Sport am Freitag wöchentlich', 'Sport', friday],
      ],
      'fr-FR': [
        ['Loyer le 1er mensuellement', 'Loyer', first],
        ['Sport le vendredi hebdomadaire', 'Sport', friday],
      ],
      'pt-BR': [
        ['Aluguel dia 1 mensalmente', 'Aluguel', first],
        ['Esporte na sexta semanalmente', 'Esporte', friday],
      ],
      ar: [
        ['الإيجار يوم 1 شهريا', 'الإيجار', first],
        ['رياضة يوم الجمعة أسبوعيا', 'رياضة', friday],
      ],
    });
  });
});

describe('a repeat for a limited time', () => {
  it('counts the time from its first occurrence', () => {
    const fortnight = '2026-11-23 FREQ=DAILY;UNTIL=20261206';
    const mondays = '2026-11-23 FREQ=WEEKLY;BYDAY=MO;UNTIL=20261213';
    const week = '2026-11-23 FREQ=DAILY;UNTIL=20261129';
    readsAll({
      'en-US': [
        ['run every day for 2 weeks', 'run', fortnight],
        ['run every monday for 3 weeks', 'run', mondays],
        ['run daily for a week', 'run', week],
        ['run every day for 10 days', 'run', '2026-11-23 FREQ=DAILY;UNTIL=20261202'],
        ['run every day at 9am for 10 days', 'run', '2026-11-24T09:00 FREQ=DAILY;UNTIL=20261203T235959Z'],
        ['run every friday for a month', 'run', '2026-11-27 FREQ=WEEKLY;BYDAY=FR;UNTIL=20261226'],
        ['ping every hour for 8 hours', 'ping', '2026-11-23T11:00 FREQ=HOURLY;UNTIL=20261123T185959Z'],
        ['Practice every day for 2 hours', 'Practice for 2 hours', '2026-11-23 FREQ=DAILY'],
      ],
      'de-DE': [
        ['Laufen jeden Tag für 2 Wochen', 'Laufen', fortnight],
        ['Laufen jeden Tag 2 Wochen lang', 'Laufen', fortnight],
        ['Laufen jeden Montag für 3 Wochen', 'Laufen', mondays],
        ['Laufen täglich für eine Woche', 'Laufen', week],
      ],
      'fr-FR': [
        ['Courir tous les jours pendant 2 semaines', 'Courir', fortnight],
        ['Courir chaque lundi pendant 3 semaines', 'Courir', mondays],
        ['Courir quotidiennement pendant une semaine', 'Courir', week],
      ],
      'pt-BR': [
        ['Correr todo dia por 2 semanas', 'Correr', fortnight],
        ['Correr toda segunda por 3 semanas', 'Correr', mondays],
        ['Correr diariamente por uma semana', 'Correr', week],
      ],
      ar: [
        ['اركض كل يوم لمدة أسبوعين', 'اركض', fortnight],
        ['اركض كل اثنين لمدة 3 أسابيع', 'اركض', mondays],
        ['اركض كل يوم لمدة أسبوع', 'اركض', week],
      ],
    });
    assert.equal(parseRepeat('every day for 2 weeks', here())?.rrule, 'FREQ=DAILY;UNTIL=20261206');
  });
});

describe('numbers and signs', () => {
  it('follow the order of day and month in the region', () => {
    readsAll({
      'en-US': [['Pay 1/2/2027', 'Pay', '2027-01-02']],
      'en-GB': [['Pay 1/2/2027', 'Pay', '2027-02-01']],
      'de-DE': [['Zahlen 1/2/2027', 'Zahlen', '2027-02-01']],
    });
    assert.equal(parseWhen('until 1/2/2027', here())?.due, Date.UTC(2027, 0, 2));
  });

  it('of Todoist stay in the title unless that syntax is chosen', () => {
    leavesAlone({ 'en-US': ['Fix p1 bug', 'Fix bug p4', 'Fix !! bug', 'pills twice a day'] });
  });
});
