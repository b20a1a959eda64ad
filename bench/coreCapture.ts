import * as de from 'chrono-node/de';
import * as en from 'chrono-node/en';
import * as fr from 'chrono-node/fr';
import * as pt from 'chrono-node/pt';
import { parseQuickAdd } from '../src/core/quickAdd/parseQuickAdd';
import { type Report, timed } from './reference/figure';

const now = Date.parse('2026-11-18T09:30:00Z');
const clock = { now: () => now, timeZone: 'Europe/Berlin' };

const lines = {
  'en-US': [
    'Pay rent tomorrow 9am #home !high @Bills every month',
    'Call the dentist next Friday at 3pm *10 min',
    'Water plants every other Tuesday',
    'Write the report by Dec 24 //see the shared folder',
    'Buy milk, eggs and a new lamp for the kitchen',
  ],
  'de-DE': [
    'Miete zahlen morgen um 9 Uhr #haus !hoch jeden Monat',
    'Zahnarzt nächsten Freitag um 15:00 *10 min',
    'Müll jeden zweiten Dienstag',
    'Bericht schreiben bis 24.12.2026',
    'Milch, Eier und eine neue Lampe für die Küche kaufen',
  ],
  'fr-FR': [
    'Payer le loyer demain à 9h #maison tous les mois',
    'Dentiste vendredi prochain à 15h',
    'Plantes un mardi sur deux',
    'Écrire le rapport avant le 24 décembre',
    'Acheter du lait, des œufs et une lampe pour la cuisine',
  ],
  'pt-BR': [
    'Pagar aluguel amanhã às 9h #casa todo mês',
    'Dentista na sexta-feira às 15h',
    'Regar a cada duas terças',
    'Escrever o relatório até 24 de dezembro',
    'Comprar leite, ovos e uma lâmpada para a cozinha',
  ],
} as const;

const references = { 'en-US': en.casual, 'de-DE': de.casual, 'fr-FR': fr.casual, 'pt-BR': pt.casual } as const;

/** A line to a task (dates, repeats, signs, chips) against chrono-node's search for dates alone in the same lines. */
export async function run(report: Report): Promise<void> {
  const locales = Object.keys(references) as (keyof typeof references)[];
  const reference = { instant: new Date(now), timezone: 60 };
  const measured = locales.map(locale => ({
    locale,
    ours: timed(1000, () => lines[locale].map(text => parseQuickAdd(text, { clock, locale })), 200),
    theirs: timed(
      1000,
      () => lines[locale].map(text => references[locale].parse(text, reference, { forwardDate: true })),
      200,
    ),
  }));
  const sum = (side: 'ours' | 'theirs') => measured.reduce((total, figures) => total + figures[side], 0);
  const each = (ms: number) => ((ms * 1000) / 5).toFixed(0);
  report({
    name: 'quick add, a line',
    ratio: sum('ours') / sum('theirs'),
    goal: 1.5,
    detail: measured.map(({ locale, ours, theirs }) => `${locale} ${each(ours)} µs (${each(theirs)} µs)`).join(', '),
  });
}
