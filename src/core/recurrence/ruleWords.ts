type RuleUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** A language's words for rules. Whole phrases, so that each language keeps its own order and endings. */
export interface RuleWords {
  /** BCP 47 tag for names, dates and lists. */
  readonly locale: string;
  every(unit: RuleUnit, n: number): string;
  readonly everyWeekday: string;
  onDays(names: string): string;
  /** The nth such weekday of the month: 1 first … -1 last, -2 the one before. `weekday` is 0 Sunday … 6 Saturday. */
  onNth(n: number, name: string, weekday: number): string;
  /** The nth working day of the month. */
  onNthWorkday(n: number): string;
  onMonthDays(days: string): string;
  readonly onLastDay: string;
  inMonths(names: string): string;
  onDate(date: string): string;
  until(date: string): string;
  /** Before the number of times. */
  readonly comma: string;
  times(n: number): string;
  readonly afterCompletion: string;
}

type Forms = Readonly<Record<RuleUnit, readonly [one: string, many: string]>>;

const from = (forms: Forms) => (unit: RuleUnit, n: number) =>
  n === 1 ? forms[unit][0] : forms[unit][1].replace('{n}', String(n));

/** `names` begin with the last one, `fromEnd` with the last but one. */
const nth = (
  { names, fromEnd }: { names: readonly string[]; fromEnd: readonly string[] },
  n: number,
  more: (n: number) => string,
) => (n === -1 ? names[0]! : n < 0 ? (fromEnd[-n - 2] ?? more(n)) : (names[n] ?? more(n)));

const englishOrdinals = {
  names: ['last', 'first', 'second', 'third', 'fourth', 'fifth'],
  fromEnd: ['second-to-last', 'third-to-last', 'fourth-to-last', 'fifth-to-last'],
};
const english: RuleWords = {
  locale: 'en-US',
  every: from({
    minute: ['every minute', 'every {n} minutes'],
    hour: ['every hour', 'every {n} hours'],
    day: ['every day', 'every {n} days'],
    week: ['every week', 'every {n} weeks'],
    month: ['every month', 'every {n} months'],
    year: ['every year', 'every {n} years'],
  }),
  everyWeekday: 'every weekday',
  onDays: names => `on ${names}`,
  onNth: (n, name) => `on the ${nth(englishOrdinals, n, String)} ${name}`,
  onNthWorkday: n => `on the ${nth(englishOrdinals, n, String)} weekday`,
  onMonthDays: days => `on day ${days}`,
  onLastDay: 'on the last day',
  inMonths: names => `in ${names}`,
  onDate: date => `on ${date}`,
  until: date => `until ${date}`,
  comma: ',',
  times: n => (n === 1 ? 'once' : `${n} times`),
  afterCompletion: 'after completion',
};

const germanOrdinals = {
  names: ['letzten', 'ersten', 'zweiten', 'dritten', 'vierten', 'fünften'],
  fromEnd: ['vorletzten', 'drittletzten', 'viertletzten', 'fünftletzten'],
};
const german: RuleWords = {
  locale: 'de-DE',
  every: from({
    minute: ['jede Minute', 'alle {n} Minuten'],
    hour: ['jede Stunde', 'alle {n} Stunden'],
    day: ['jeden Tag', 'alle {n} Tage'],
    week: ['jede Woche', 'alle {n} Wochen'],
    month: ['jeden Monat', 'alle {n} Monate'],
    year: ['jedes Jahr', 'alle {n} Jahre'],
  }),
  everyWeekday: 'jeden Werktag',
  onDays: names => `am ${names}`,
  onNth: (n, name) => `am ${nth(germanOrdinals, n, k => `${k}.`)} ${name}`,
  onNthWorkday: n => `am ${nth(germanOrdinals, n, k => `${k}.`)} Werktag`,
  onMonthDays: days => `am Tag ${days}`,
  onLastDay: 'am letzten Tag',
  inMonths: names => `im ${names}`,
  onDate: date => `am ${date}`,
  until: date => `bis ${date}`,
  comma: ',',
  times: n => `${n}-mal`,
  afterCompletion: 'nach Erledigung',
};

const frenchOrdinals = {
  names: ['dernier', 'premier', 'deuxième', 'troisième', 'quatrième', 'cinquième'],
  fromEnd: ['avant-dernier', 'antépénultième'],
};
const french: RuleWords = {
  locale: 'fr-FR',
  every: from({
    minute: ['chaque minute', 'toutes les {n} minutes'],
    hour: ['toutes les heures', 'toutes les {n} heures'],
    day: ['tous les jours', 'tous les {n} jours'],
    week: ['toutes les semaines', 'toutes les {n} semaines'],
    month: ['tous les mois', 'tous les {n} mois'],
    year: ['tous les ans', 'tous les {n} ans'],
  }),
  everyWeekday: 'tous les jours ouvrés',
  onDays: names => `le ${names}`,
  onNth: (n, name) => `le ${nth(frenchOrdinals, n, k => `${k}e`)} ${name}`,
  onNthWorkday: n => `le ${nth(frenchOrdinals, n, k => `${k}e`)} jour ouvré`,
  onMonthDays: days => `le ${days}`,
  onLastDay: 'le dernier jour',
  inMonths: names => `en ${names}`,
  onDate: date => `le ${date}`,
  until: date => `jusqu’au ${date}`,
  comma: ',',
  times: n => `${n} fois`,
  afterCompletion: 'après achèvement',
};

const masculineOrdinals = {
  names: ['último', 'primeiro', 'segundo', 'terceiro', 'quarto', 'quinto'],
  fromEnd: ['penúltimo', 'antepenúltimo'],
};
const feminineOrdinals = {
  names: ['última', 'primeira', 'segunda', 'terceira', 'quarta', 'quinta'],
  fromEnd: ['penúltima', 'antepenúltima'],
};
const portuguese: RuleWords = {
  locale: 'pt-BR',
  every: from({
    minute: ['a cada minuto', 'a cada {n} minutos'],
    hour: ['a cada hora', 'a cada {n} horas'],
    day: ['todos os dias', 'a cada {n} dias'],
    week: ['toda semana', 'a cada {n} semanas'],
    month: ['todo mês', 'a cada {n} meses'],
    year: ['todo ano', 'a cada {n} anos'],
  }),
  everyWeekday: 'todo dia útil',
  onDays: names => `em ${names}`,
  // Saturday and Sunday are masculine, the other days feminine.
  onNth: (n, name, weekday) =>
    weekday === 0 || weekday === 6
      ? `no ${nth(masculineOrdinals, n, k => `${k}º`)} ${name}`
      : `na ${nth(feminineOrdinals, n, k => `${k}ª`)} ${name}`,
  onNthWorkday: n => `no ${nth(masculineOrdinals, n, k => `${k}º`)} dia útil`,
  onMonthDays: days => `no dia ${days}`,
  onLastDay: 'no último dia',
  inMonths: names => `em ${names}`,
  onDate: date => `em ${date}`,
  until: date => `até ${date}`,
  comma: ',',
  times: n => (n === 1 ? '1 vez' : `${n} vezes`),
  afterCompletion: 'após a conclusão',
};

/** One, two, few (3–10), many (11 and more). */
const arabicUnits: Readonly<Record<RuleUnit, readonly [string, string, string, string]>> = {
  minute: ['دقيقة', 'دقيقتين', 'دقائق', 'دقيقة'],
  hour: ['ساعة', 'ساعتين', 'ساعات', 'ساعة'],
  day: ['يوم', 'يومين', 'أيام', 'يومًا'],
  week: ['أسبوع', 'أسبوعين', 'أسابيع', 'أسبوعًا'],
  month: ['شهر', 'شهرين', 'أشهر', 'شهرًا'],
  year: ['سنة', 'سنتين', 'سنوات', 'سنة'],
};

const arabicOrdinals = {
  names: ['آخر', 'أول', 'ثاني', 'ثالث', 'رابع', 'خامس'],
  fromEnd: [],
};
const arabic: RuleWords = {
  locale: 'ar',
  every: (unit, n) => {
    const [one, two, few, many] = arabicUnits[unit];
    if (n === 1) return `كل ${one}`;
    if (n === 2) return `كل ${two}`;
    const hundredth = n % 100;
    return `كل ${n} ${hundredth >= 3 && hundredth <= 10 ? few : hundredth > 10 ? many : one}`;
  },
  everyWeekday: 'كل يوم عمل',
  onDays: names => `يوم ${names}`,
  onNth: (n, name) => `في ${nth(arabicOrdinals, n, String)} يوم ${name.replace(/^ال/, '')}`,
  onNthWorkday: n => `في ${nth(arabicOrdinals, n, String)} يوم عمل`,
  onMonthDays: days => `في اليوم ${days}`,
  onLastDay: 'في آخر يوم',
  inMonths: names => `في ${names}`,
  onDate: date => `في ${date}`,
  until: date => `حتى ${date}`,
  comma: '،',
  times: n => (n === 1 ? 'مرة واحدة' : n === 2 ? 'مرتين' : n <= 10 ? `${n} مرات` : `${n} مرة`),
  afterCompletion: 'بعد الإنجاز',
};

const byLanguage: Readonly<Record<string, RuleWords>> = {
  de: german,
  fr: french,
  pt: portuguese,
  ar: arabic,
};

/** The words of a locale's language, English if there are none; names and dates in the locale itself. */
export const ruleWords = (locale: string): RuleWords => ({
  ...(byLanguage[locale.slice(0, 2).toLowerCase()] ?? english),
  locale,
});
