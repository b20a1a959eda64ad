import type { AlarmInput } from './model';

/** A filter that a person named; lives in the setting `dueline.filters`. */
export interface SavedFilter {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly icon?: string;
  readonly color?: string;
  readonly pinned?: boolean;
}

export type CompletionMode = 'auto' | 'override' | 'advance';
/** What becomes of an edit that a merge did not take over: shown to decide about, or decided at once. */
export type ConflictPolicy = 'merge' | 'keepBoth' | 'serverWins' | 'localWins';
export type TodayPart = 'overdue' | 'due' | 'startingToday';
export type FirstDay = 'locale' | 'monday' | 'sunday' | 'saturday';

/** What a person may tune and the engine must know; the editor's settings fill it, a headless caller may. */
export interface EngineSettings {
  /** Hour (0–6) at which a day starts: tasks after midnight still count as today's. */
  readonly dayStartHour: number;
  readonly firstDay: FirstDay;
  readonly onCompleteRecurring: CompletionMode;
  readonly resetSubtasks: boolean;
  /** Wall time `HH:MM` given to alarms of all-day tasks. */
  readonly allDayAlarmTime: string;
  /** Alarms that a new task with a due value gets. */
  readonly defaultAlarms: readonly AlarmInput[];
  readonly defaultPriority: number;
  readonly horizonDays: number;
  readonly upNextDays: number;
  readonly sortDefault: string;
  /** The Inbox where empty: a list's name or id. */
  readonly defaultList: string;
  readonly filters: readonly SavedFilter[];
  /** Languages quick add understands, first one first; 'auto' follows the locale. */
  readonly quickAddLanguage: 'auto' | 'en' | 'de' | 'fr' | 'pt' | 'ar';
  /** False: quick add leaves words about time in the title. */
  readonly quickAddDates: boolean;
  /** `todoist`: `#List`, `@tag`, `p1` to `p4`. */
  readonly quickAddSyntax: 'default' | 'todoist';
  /** What Today holds. */
  readonly todayIncludes: readonly TodayPart[];
  readonly trashRetentionDays: number;
  readonly syncTimeoutSeconds: number;
  readonly conflictPolicy: ConflictPolicy;
  /** SHA-256 fingerprints that every account trusts beside what the system trusts. */
  readonly trustedCertificates: readonly string[];
}

export const defaultSettings: EngineSettings = {
  dayStartHour: 0,
  firstDay: 'locale',
  onCompleteRecurring: 'auto',
  resetSubtasks: true,
  allDayAlarmTime: '09:00',
  defaultAlarms: [],
  defaultPriority: 0,
  horizonDays: 365,
  upNextDays: 7,
  sortDefault: 'due,priority,title',
  defaultList: '',
  filters: [],
  quickAddLanguage: 'auto',
  quickAddDates: true,
  quickAddSyntax: 'default',
  todayIncludes: ['overdue', 'due', 'startingToday'],
  trashRetentionDays: 30,
  syncTimeoutSeconds: 30,
  conflictPolicy: 'merge',
  trustedCertificates: [],
};
