import type * as vscode from 'vscode';
import { numeral, plain, t } from '../../shared/l10n';
import { filterById } from '../../ui/builtInFilters';
import type { CommandServices } from '../../ui/services';
import { mediumDay } from '../../ui/text/dateText';
import type { ViewController } from '../../ui/viewController';
import { askQuery } from '../common/askQuery';
import { showReport } from '../common/reportDocument';

/** Explains a filter: its conditions in words with how many tasks each lets through, and the conditions that were added. */
export const explainCommands = (
  { commands, engine }: CommandServices,
  viewController: ViewController,
): vscode.Disposable =>
  commands.on('dueline.filter.explain', async target => {
    const id = typeof target === 'string' ? target : target?.filterId;
    const known = id === undefined ? undefined : filterById(id);
    const query = known?.query ?? (await askQuery(engine, t('Explain Filter'), viewController.filter.text ?? ''));
    if (query === undefined) return;
    const found = engine.explain(query, t, day => mediumDay(day as Parameters<typeof mediumDay>[0]));
    const number = (count: number | undefined) => (count === undefined ? '' : ` — ${numeral(count)}`);
    await showReport(known ? plain(known.name) : t('What this filter means'), [
      `\`${query.replace(/`/g, '')}\``,
      '',
      ...found.lines.map(({ depth, words, count }) => `${'  '.repeat(depth)}- ${words}${number(count)}`),
      '',
      ...found.added.map(line => `- ${line}`),
      '',
      `**${t('Matching tasks: {0}', found.count)}**`,
    ]);
  });
