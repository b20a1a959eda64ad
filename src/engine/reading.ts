import type { ExchangeFormat, WidgetKind, WidgetOptions, WidgetSnapshot } from '../api';
import { agendaOf } from '../core/agenda';
import type { Clock } from '../core/clock';
import { DuelineError } from '../core/errors';
import type { QueryContext } from '../core/filter/context';
import { runQuery } from '../core/filter/run';
import type { EpochMs, Id, Occurrence } from '../core/model';
import type { EngineSettings } from '../core/settings';
import { decodeTags } from '../core/tags';
import type { StoreChange, TaskStore } from '../store/types';

/** What the rows say in answer to queries and widgets. */
export class Reading {
  constructor(
    readonly store: TaskStore,
    readonly clock: Clock,
    readonly locale: string,
    readonly settings: () => EngineSettings,
  ) {}

  query(text: string, options: { lists?: readonly Id[]; limit?: number } = {}): readonly Occurrence[] {
    return runQuery(this.store, text, this.#context(options));
  }

  widget(kind: WidgetKind, options: WidgetOptions = {}): WidgetSnapshot {
    return agendaOf(kind, this.store, options, this.#context());
  }

  alarmsBetween(_from: EpochMs, _to: EpochMs): never {
    throw new DuelineError('unsupported', 'Reminders are not built yet.');
  }

  exportTasks(_format: ExchangeFormat, _query?: string): never {
    throw new DuelineError('unsupported', 'Export is not built yet.');
  }

  tags(): readonly { name: string; count: number }[] {
    const rows = this.store.select<{ categories: string; count: number }>(
      "SELECT categories, count(*) AS count FROM tasks WHERE is_deleted = 0 AND status < 2 AND categories <> '' GROUP BY categories",
    );
    const counts = new Map<string, number>();
    for (const row of rows)
      for (const tag of decodeTags(row.categories)) counts.set(tag, (counts.get(tag) ?? 0) + row.count);
    const collator = new Intl.Collator(this.locale);
    return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => collator.compare(a.name, b.name));
  }

  openCounts(): ReadonlyMap<Id, number> {
    const rows = this.store.select<{ list: Id; count: number }>(
      'SELECT list_id AS list, count(*) AS count FROM tasks WHERE is_deleted = 0 AND status < 2 AND master_id IS NULL GROUP BY list_id',
    );
    return new Map(rows.map(({ list, count }) => [list, count]));
  }

  noteChange(_change: StoreChange): void {}

  reset(): void {}

  #context(narrow: Pick<QueryContext, 'lists' | 'limit'> = {}): QueryContext {
    return { clock: this.clock, settings: this.settings(), locale: this.locale, ...narrow };
  }
}
