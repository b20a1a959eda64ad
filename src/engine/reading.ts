import type { ExchangeFormat, WidgetKind, WidgetOptions, WidgetSnapshot } from '../api';
import { agendaOf } from '../core/agenda';
import type { Clock } from '../core/clock';
import { DuelineError } from '../core/errors';
import type { QueryContext } from '../core/filter/context';
import { runQuery } from '../core/filter/run';
import type { EpochMs, Id, Occurrence } from '../core/model';
import type { EngineSettings } from '../core/settings';
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

  noteChange(_change: StoreChange): void {}

  reset(): void {}

  #context(narrow: Pick<QueryContext, 'lists' | 'limit'> = {}): QueryContext {
    return { clock: this.clock, settings: this.settings(), locale: this.locale, ...narrow };
  }
}
