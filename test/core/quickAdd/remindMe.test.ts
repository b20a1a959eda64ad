import assert from 'node:assert/strict';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';

/** Monday, 23 November 2026, 10:00. */
const monday = Date.UTC(2026, 10, 23, 10);
const here = (locale = 'en-US'): QuickAddContext => ({ clock: { now: () => monday, timeZone: 'UTC' }, locale });

/** Title, due and reminders: minutes before, or a moment. */
function read(text: string, context = here()): readonly [title: string, due: string, reminders: string] {
  const { title, input } = parseQuickAdd(text, context);
  const due = input.due == null ? '' : new Date(input.due).toISOString().slice(0, input.isAllDay ? 10 : 16);
  const reminders = (input.alarms ?? []).map(({ minutesBefore, reference }) =>
    reference === 'ABSOLUTE'
      ? new Date(-minutesBefore * 60_000).toISOString().slice(0, 16)
      : `${minutesBefore} ${reference}`,
  );
  return [title, [due, input.rrule].filter(Boolean).join(' '), reminders.join()];
}

type Lines = Readonly<Record<string, readonly (readonly [text: string, title: string, due: string, alarm: string])[]>>;

function readsAll(cases: Lines): void {
  for (const [locale, lines] of Object.entries(cases))
    for (const [text, ...expected] of lines) assert.deepEqual(read(text, here(locale)), expected, text);
}

const soon = '2026-11-23T10:10';
const tomorrow = '2026-11-24';
const five = '2026-11-23T17:00';
const daily = '2026-11-24T08:00 FREQ=DAILY';
const friday = '2026-11-27';
const thursday = '2026-11-26T09:00';

describe('"remind me to …"', () => {
  it('is a task that is due at that time with a reminder then', () => {
    readsAll({
      'en-US': [
        ['remind me to call bob in 10 minutes', 'call bob', soon, '0 DUE'],
        ['remind me tomorrow to buy milk', 'buy milk', tomorrow, '0 DUE'],
        ['remind me at 5pm to leave', 'leave', five, '0 DUE'],
        ['remind me at 5 about the bus', 'the bus', five, '0 DUE'],
        ['Remind me every day at 8 to stretch', 'stretch', daily, '0 DUE'],
        ['#home please remind me of dinner tomorrow', 'dinner', tomorrow, '0 DUE'],
        ['remind me to see the fair from dec 1 to dec 5', 'see the fair', '2026-12-05', '0 START'],
      ],
      'de-DE': [
        ['Erinnere mich in 10 Minuten an die Wäsche', 'die Wäsche', soon, '0 DUE'],
        ['Erinnere mich morgen daran, Milch zu kaufen', 'Milch zu kaufen', tomorrow, '0 DUE'],
        ['Erinnere mich daran, morgen Bob anzurufen', 'Bob anzurufen', tomorrow, '0 DUE'],
        ['Erinnere mich um 17 Uhr zu gehen', 'gehen', five, '0 DUE'],
        ['Erinnere mich jeden Tag um 8 ans Dehnen', 'Dehnen', daily, '0 DUE'],
      ],
      'fr-FR': [
        ["Rappelle-moi d'appeler Bob dans 10 minutes", 'appeler Bob', soon, '0 DUE'],
        ["Rappelle-moi demain d'acheter du lait", 'acheter du lait', tomorrow, '0 DUE'],
        ['Rappelle-moi à 17h de partir', 'partir', five, '0 DUE'],
        ["Rappelle-moi tous les jours à 8h de m'étirer", "m'étirer", daily, '0 DUE'],
      ],
      'pt-BR': [
        ['Me lembre de ligar para o Bob em 10 minutos', 'ligar para o Bob', soon, '0 DUE'],
        ['Lembre-me amanhã de comprar leite', 'comprar leite', tomorrow, '0 DUE'],
        ['Lembre-me às 17h de sair', 'sair', five, '0 DUE'],
        ['Me lembre todo dia às 8h de alongar', 'alongar', daily, '0 DUE'],
      ],
      ar: [
        ['ذكرني بالاتصال بأحمد بعد 10 دقائق', 'الاتصال بأحمد', soon, '0 DUE'],
        ['ذكرني غدا بشراء الحليب', 'شراء الحليب', tomorrow, '0 DUE'],
        ['ذكرني الساعة 5 بالمغادرة', 'المغادرة', five, '0 DUE'],
        ['ذكرني كل يوم الساعة 8 بالتمدد', 'التمدد', daily, '0 DUE'],
        ['ذكرني أن أتصل بأحمد غدا', 'أتصل بأحمد', tomorrow, '0 DUE'],
      ],
    });
  });

  it('reminds on its own date if the task has another one', () => {
    readsAll({
      'en-US': [
        ['remind me friday 9am to send it on monday', 'send it', '2026-11-30', '2026-11-27T09:00'],
        ['remind me to pay rent friday, remind me 1 hour before', 'pay rent', friday, '60 DUE'],
        ['remind me 1 hour before the meeting friday 3pm', 'the meeting', '2026-11-27T15:00', '60 DUE'],
      ],
    });
  });

  it('stays in the title without a time, inside a sentence, and while it is typed', () => {
    const texts: Readonly<Record<string, readonly string[]>> = {
      'en-US': [
        'remind me to call bob',
        'remind me at 5pm to',
        'Pay rent remind me 1 hour before',
        'Set a second reminder',
      ],
      'de-DE': ['Erinnere mich daran, Bob anzurufen'],
      'fr-FR': ["Rappelle-moi d'appeler Bob"],
      'pt-BR': ['Me lembre de ligar para o Bob'],
      ar: ['ذكرني بالاتصال بأحمد'],
    };
    for (const [locale, lines] of Object.entries(texts))
      for (const text of lines) assert.deepEqual(read(text, here(locale)), [text, '', ''], text);
    readsAll({
      'en-US': [
        ['Tell Bob to remind me tomorrow', 'Tell Bob to remind me', tomorrow, ''],
        ['Call Bob and remind me to pay friday', 'Call Bob and remind me to pay', friday, ''],
      ],
    });
  });
});

describe('"…, remind me 1 hour before"', () => {
  it('is the same as `*1 hour before`', () => {
    readsAll({
      'en-US': [
        ['Pay rent tomorrow 9am remind me 1 hour before', 'Pay rent', '2026-11-24T09:00', '60 DUE'],
        ['Report friday, remind me 2 days before', 'Report', friday, '2880 DUE'],
        ['Report friday, and remind me an hour earlier', 'Report', friday, '60 DUE'],
        ['Report friday reminder 10 min before', 'Report', friday, '10 DUE'],
        ['Pay rent friday remind me thursday 9am', 'Pay rent', friday, thursday],
        ['Pay rent friday remind me', 'Pay rent', friday, '0 DUE'],
        ['Buy milk, remind me thursday 9am', 'Buy milk', '', thursday],
      ],
      'de-DE': [
        ['Miete Freitag, erinnere mich 1 Stunde vorher', 'Miete', friday, '60 DUE'],
        ['Miete Freitag, eine Stunde vorher erinnern', 'Miete', friday, '60 DUE'],
        ['Bericht Freitag Erinnerung 10 Min vorher', 'Bericht', friday, '10 DUE'],
        ['Miete Freitag erinnere mich daran am Donnerstag um 9', 'Miete', friday, thursday],
      ],
      'fr-FR': [
        ['Loyer vendredi rappelle-moi 1 heure avant', 'Loyer', friday, '60 DUE'],
        ['Rapport vendredi, rappel 10 min avant', 'Rapport', friday, '10 DUE'],
        ['Loyer vendredi rappelle-moi jeudi à 9h', 'Loyer', friday, thursday],
      ],
      'pt-BR': [
        ['Aluguel sexta-feira me lembre 1 hora antes', 'Aluguel', friday, '60 DUE'],
        ['Relatório sexta-feira, lembrete 10 min antes', 'Relatório', friday, '10 DUE'],
        ['Aluguel sexta-feira lembre-me na quinta às 9h', 'Aluguel', friday, thursday],
      ],
      ar: [
        ['تقرير الجمعة ذكرني قبل ساعة', 'تقرير', friday, '60 DUE'],
        ['تقرير الجمعة، ذكرني قبلها بساعة', 'تقرير', friday, '60 DUE'],
        ['تقرير الجمعة تذكير قبل 10 دقائق', 'تقرير', friday, '10 DUE'],
        ['الإيجار الجمعة ذكرني الخميس الساعة 9', 'الإيجار', friday, thursday],
      ],
    });
  });
});

describe('the chip of a request', () => {
  const chips = (text: string, context = here()) =>
    parseQuickAdd(text, context).tokens.map(({ from, to, kind }) => [kind, text.slice(from, to)]);

  it('has its words', () => {
    assert.deepEqual(chips('remind me to call bob tomorrow'), [
      ['reminder', 'remind me to'],
      ['due', 'tomorrow'],
    ]);
    assert.deepEqual(chips('remind me tomorrow to call bob'), [
      ['reminder', 'remind me'],
      ['due', 'tomorrow to'],
    ]);
    const { tokens } = parseQuickAdd('remind me tomorrow to call bob', here());
    assert.equal(tokens[0]!.label.replace(/\s/g, ' '), 'Tue, Nov 24, 9:00 AM');
  });

  it('turns back into words when it is rejected', () => {
    const request = (text: string, rejected: number) => read(text, { ...here(), rejected: [rejected] });
    const text = 'remind me tomorrow to buy milk';
    assert.deepEqual(request(text, 0), ['remind me to buy milk', tomorrow, '']);
    assert.deepEqual(request(text, 1), [text, '', '']);
    const behind = 'Pay rent friday remind me 1 hour before';
    assert.deepEqual(request(behind, 1), ['Pay rent remind me 1 hour before', friday, '']);
    assert.deepEqual(read(text, { ...here(), parseDates: false }), [text, '', '']);
  });
});
