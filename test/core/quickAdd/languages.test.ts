import assert from 'node:assert/strict';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';
import type { Clock } from '../../../src/core/time/clock';
import { fromWall, wallOf } from '../../../src/core/time/dates';

/** Wednesday, 18 November 2026, 10:30 in Berlin. */
const zone = 'Europe/Berlin';
const clock: Clock = { now: () => fromWall(Date.UTC(2026, 10, 18, 10, 30), zone), timeZone: zone };

function read(text: string, locale: string): (string | undefined)[] {
  const context: QuickAddContext = { clock, locale };
  const { input, title } = parseQuickAdd(text, context);
  const { due, isAllDay } = input;
  const shown = due == null ? undefined : new Date(isAllDay ? due : wallOf(due, zone)).toISOString();
  return [title, shown?.slice(0, isAllDay ? 10 : 16), ...(input.rrule ? [input.rrule] : [])];
}

type Case = readonly [text: string, title: string, due: string | undefined, rrule?: string];

const cases: Readonly<Record<string, readonly Case[]>> = {
  'de-DE': [
    ['Miete zahlen morgen', 'Miete zahlen', '2026-11-19'],
    ['Miete zahlen morgen um 9', 'Miete zahlen', '2026-11-19T09:00'],
    ['Miete zahlen morgen früh', 'Miete zahlen', '2026-11-19T09:00'],
    ['Anruf heute Abend', 'Anruf', '2026-11-18T18:00'],
    ['Zahnarzt am Freitag um 14 Uhr', 'Zahnarzt', '2026-11-20T14:00'],
    ['Zahnarzt am Freitag um 14.30 Uhr', 'Zahnarzt', '2026-11-20T14:30'],
    ['Zahnarzt nächsten Freitag', 'Zahnarzt', '2026-11-27'],
    ['Zahnarzt Freitag nächste Woche', 'Zahnarzt', '2026-11-27'],
    ['Zahnarzt Mo 9:15', 'Zahnarzt', '2026-11-23T09:15'],
    ['Steuer bis 24.12.', 'Steuer', '2026-12-24'],
    ['Steuer bis zum 24.12.2027', 'Steuer', '2027-12-24'],
    ['Steuer am 5. Dezember', 'Steuer', '2026-12-05'],
    ['Steuer am 5.', 'Steuer', '2026-12-05'],
    ['Steuer in drei Tagen', 'Steuer', '2026-11-21'],
    ['Steuer in einer Woche', 'Steuer', '2026-11-25'],
    ['Steuer in 2 Stunden', 'Steuer', '2026-11-18T12:30'],
    ['Steuer übermorgen', 'Steuer', '2026-11-20'],
    ['Steuer bis Monatsende', 'Steuer', '2026-11-30'],
    ['Steuer Ende des Monats', 'Steuer', '2026-11-30'],
    ['Steuer nächste Woche', 'Steuer', '2026-11-23'],
    ['Treffen halb 10', 'Treffen', '2026-11-19T09:30'],
    ['Anruf um 3 Uhr nachts', 'Anruf', '2026-11-19T03:00'],
    ['Müll jeden Tag', 'Müll', '2026-11-18', 'FREQ=DAILY'],
    ['Müll jeden zweiten Dienstag', 'Müll', '2026-11-24', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['Müll alle 2 Wochen am Dienstag', 'Müll', '2026-11-24', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['Müll jeden Montag und Freitag um 8 Uhr', 'Müll', '2026-11-20T08:00', 'FREQ=WEEKLY;BYDAY=MO,FR'],
    ['Müll jeden Monat am letzten Freitag', 'Müll', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Müll am letzten Freitag jedes Monats', 'Müll', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Müll jeden 15. um 8 Uhr', 'Müll', '2026-12-15T08:00', 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['Müll jeden Werktag', 'Müll', '2026-11-18', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['Müll montags', 'Müll', '2026-11-23', 'FREQ=WEEKLY;BYDAY=MO'],
    ['Müll täglich', 'Müll', '2026-11-18', 'FREQ=DAILY'],
    ['Müll jedes Jahr am 24. Dezember', 'Müll', '2026-12-24', 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24'],
    ['Filter 3 Tage nach Erledigung', 'Filter', '2026-11-18', 'FREQ=DAILY;INTERVAL=3'],
    ['Mach das so', 'Mach das so', undefined],
    ['Paprika und Maismehl', 'Paprika und Maismehl', undefined],
    ['Alle Rechnungen prüfen', 'Alle Rechnungen prüfen', undefined],
    ['Pay rent tomorrow', 'Pay rent', '2026-11-19'],
  ],
  'fr-FR': [
    ['Payer le loyer demain', 'Payer le loyer', '2026-11-19'],
    ['Payer le loyer demain à 9h', 'Payer le loyer', '2026-11-19T09:00'],
    ['Payer le loyer demain à 9h30', 'Payer le loyer', '2026-11-19T09:30'],
    ['Payer demain matin', 'Payer', '2026-11-19T09:00'],
    ['Appeler ce soir', 'Appeler', '2026-11-18T20:00'],
    ['Dentiste vendredi à 14 heures', 'Dentiste', '2026-11-20T14:00'],
    ['Dentiste vendredi prochain', 'Dentiste', '2026-11-27'],
    ['Dentiste après-demain à midi', 'Dentiste', '2026-11-20T12:00'],
    ['Impôts le 24 décembre', 'Impôts', '2026-12-24'],
    ['Impôts le 1er janvier 2028', 'Impôts', '2028-01-01'],
    ['Impôts le 5', 'Impôts', '2026-12-05'],
    ['Impôts 24/12', 'Impôts', '2026-12-24'],
    ['Impôts dans 3 jours', 'Impôts', '2026-11-21'],
    ['Impôts dans deux semaines', 'Impôts', '2026-12-02'],
    ['Impôts la semaine prochaine', 'Impôts', '2026-11-23'],
    ['Impôts le mois prochain', 'Impôts', '2026-12-01'],
    ['Impôts avant la fin du mois', 'Impôts', '2026-11-30'],
    ['Réunion demain à 9 heures et demie', 'Réunion', '2026-11-19T09:30'],
    ['Réunion demain à 9 heures du soir', 'Réunion', '2026-11-19T21:00'],
    ['Plantes tous les jours', 'Plantes', '2026-11-18', 'FREQ=DAILY'],
    ['Plantes un mardi sur deux', 'Plantes', '2026-11-24', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['Plantes tous les deux mardis', 'Plantes', '2026-11-24', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['Plantes tous les lundis et jeudis à 8h', 'Plantes', '2026-11-19T08:00', 'FREQ=WEEKLY;BYDAY=MO,TH'],
    ['Plantes chaque lundi', 'Plantes', '2026-11-23', 'FREQ=WEEKLY;BYDAY=MO'],
    ['Plantes toutes les 2 semaines', 'Plantes', '2026-11-18', 'FREQ=WEEKLY;INTERVAL=2'],
    ['Plantes tous les mois le dernier vendredi', 'Plantes', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Plantes le dernier vendredi de chaque mois', 'Plantes', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Plantes le dernier vendredi du mois', 'Plantes', '2026-11-27'],
    ['Plantes tous les jours ouvrés', 'Plantes', '2026-11-18', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['Plantes tous les ans le 24 décembre', 'Plantes', '2026-12-24', 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24'],
    ['Filtre 3 jours après achèvement', 'Filtre', '2026-11-18', 'FREQ=DAILY;INTERVAL=3'],
    ['Il y a mon chat', 'Il y a mon chat', undefined],
    ['Nager en mer calme', 'Nager en mer calme', undefined],
    ['Travailler 2 heures', 'Travailler 2 heures', undefined],
  ],
  'pt-BR': [
    ['Pagar aluguel amanhã', 'Pagar aluguel', '2026-11-19'],
    ['Pagar aluguel amanhã às 9h', 'Pagar aluguel', '2026-11-19T09:00'],
    ['Pagar aluguel amanhã de manhã', 'Pagar aluguel', '2026-11-19T09:00'],
    ['Pagar aluguel hoje às 15:30', 'Pagar aluguel', '2026-11-18T15:30'],
    ['Pagar na sexta-feira', 'Pagar', '2026-11-20'],
    ['Pagar na sexta', 'Pagar', '2026-11-20'],
    ['Pagar sexta que vem', 'Pagar', '2026-11-27'],
    ['Pagar na próxima segunda', 'Pagar', '2026-11-23'],
    ['Pagar até dia 5', 'Pagar', '2026-12-05'],
    ['Pagar em 24 de dezembro', 'Pagar', '2026-12-24'],
    ['Pagar 24 de dezembro de 2027', 'Pagar', '2027-12-24'],
    ['Pagar 24/12/2026', 'Pagar', '2026-12-24'],
    ['Pagar daqui a 3 dias', 'Pagar', '2026-11-21'],
    ['Pagar em duas semanas', 'Pagar', '2026-12-02'],
    ['Pagar depois de amanhã', 'Pagar', '2026-11-20'],
    ['Pagar semana que vem', 'Pagar', '2026-11-23'],
    ['Pagar no fim do mês', 'Pagar', '2026-11-30'],
    ['Jantar amanhã às 9 da noite', 'Jantar', '2026-11-19T21:00'],
    ['Regar todos os dias', 'Regar', '2026-11-18', 'FREQ=DAILY'],
    ['Regar todo dia às 8h', 'Regar', '2026-11-19T08:00', 'FREQ=DAILY'],
    ['Regar toda segunda', 'Regar', '2026-11-23', 'FREQ=WEEKLY;BYDAY=MO'],
    ['Regar toda segunda, quarta e sexta', 'Regar', '2026-11-18', 'FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['Regar a cada 2 semanas', 'Regar', '2026-11-18', 'FREQ=WEEKLY;INTERVAL=2'],
    ['Regar a cada duas terças', 'Regar', '2026-11-24', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['Regar todo mês na última sexta-feira', 'Regar', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Regar toda última sexta do mês', 'Regar', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Regar na última sexta de cada mês', 'Regar', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Regar todo dia 15', 'Regar', '2026-12-15', 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['Regar todo dia útil', 'Regar', '2026-11-18', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['Filtro 3 dias após conclusão', 'Filtro', '2026-11-18', 'FREQ=DAILY;INTERVAL=3'],
    ['Pedir segunda via da conta', 'Pedir segunda via da conta', undefined],
    ['Ter paciência', 'Ter paciência', undefined],
    ['Comprar 3 livros', 'Comprar 3 livros', undefined],
  ],
  ar: [
    ['ادفع الإيجار غدا', 'ادفع الإيجار', '2026-11-19'],
    ['ادفع الإيجار غدًا الساعة 9', 'ادفع الإيجار', '2026-11-19T09:00'],
    ['ادفع الإيجار غدا الساعة ٩:٣٠ مساءً', 'ادفع الإيجار', '2026-11-19T21:30'],
    ['ادفع الإيجار غدا ٩ صباحا', 'ادفع الإيجار', '2026-11-19T09:00'],
    ['ادفع الإيجار يوم الجمعة', 'ادفع الإيجار', '2026-11-20'],
    ['ادفع الإيجار الجمعة القادمة', 'ادفع الإيجار', '2026-11-27'],
    ['اجتماع بعد ثلاثة أيام', 'اجتماع', '2026-11-21'],
    ['اجتماع بعد يومين', 'اجتماع', '2026-11-20'],
    ['اجتماع بعد أسبوع', 'اجتماع', '2026-11-25'],
    ['اجتماع بعد ٣ أيام', 'اجتماع', '2026-11-21'],
    ['اجتماع بعد غد', 'اجتماع', '2026-11-20'],
    ['اجتماع ٢٤ ديسمبر', 'اجتماع', '2026-12-24'],
    ['اجتماع في 24 كانون الأول 2027', 'اجتماع', '2027-12-24'],
    ['اجتماع ٢٤/١٢/٢٠٢٦', 'اجتماع', '2026-12-24'],
    ['اجتماع يوم ٥', 'اجتماع', '2026-12-05'],
    ['اجتماع الأسبوع القادم', 'اجتماع', '2026-11-22'],
    ['اجتماع الليلة', 'اجتماع', '2026-11-18T20:00'],
    ['اسق النباتات كل يوم', 'اسق النباتات', '2026-11-18', 'FREQ=DAILY'],
    ['اسق النباتات يوميا', 'اسق النباتات', '2026-11-18', 'FREQ=DAILY'],
    ['اسق النباتات كل اثنين', 'اسق النباتات', '2026-11-23', 'FREQ=WEEKLY;BYDAY=MO'],
    ['اسق النباتات كل يوم اثنين وخميس', 'اسق النباتات', '2026-11-19', 'FREQ=WEEKLY;BYDAY=MO,TH'],
    ['اسق النباتات كل أسبوعين يوم الثلاثاء', 'اسق النباتات', '2026-11-24', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['اسق النباتات بكره الصبح', 'اسق النباتات', '2026-11-19T09:00'],
    ['اسق النباتات كل شهر في آخر جمعة', 'اسق النباتات', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['اسق النباتات آخر جمعة من كل شهر', 'اسق النباتات', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['اسق النباتات الجمعة الأخيرة من كل شهر', 'اسق النباتات', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['اسق النباتات كل ٣ أشهر', 'اسق النباتات', '2026-11-18', 'FREQ=MONTHLY;INTERVAL=3'],
    ['اسق النباتات كل يوم عمل', 'اسق النباتات', '2026-11-18', 'FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH'],
    ['بدل الفلتر بعد 3 أيام من الإنجاز', 'بدل الفلتر', '2026-11-18', 'FREQ=DAILY;INTERVAL=3'],
    ['اشتر 3 كتب', 'اشتر 3 كتب', undefined],
  ],
};

for (const [locale, lines] of Object.entries(cases)) {
  describe(`quick add in ${locale}`, () => {
    for (const [text, ...expected] of lines) {
      it(text, () => assert.deepEqual(read(text, locale), expected));
    }
  });
}
