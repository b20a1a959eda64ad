import type { DateFormat, TimeFormat } from './dateFormats';
import type { AlarmInput } from './model';

/** A filter that the user named; lives in the setting `dueline.filters`. */
export interface SavedFilter {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly icon?: string;
  readonly color?: string;
  readonly pinned?: boolean;
}

/**
 * A task with its subtasks, to be created again: stored in the setting `dueline.templates`, where people can read it.
 */
export interface TemplateTask {
  readonly title: string;
  readonly notes?: string;
  readonly location?: string;
  readonly url?: string;
  readonly tags?: readonly string[];
  readonly priority?: number;
  /** `1h30m`. */
  readonly estimate?: string;
  /** `+3d`, `+3d 09:00`: after the first date of the whole template. */
  readonly start?: string;
  readonly due?: string;
  /** An RRULE. */
  readonly repeat?: string;
  /** The last day of the repeat, such as `+30d`. */
  readonly until?: string;
  readonly fromCompletion?: boolean;
  /** The tasks of the template that it waits for, by their titles. */
  readonly after?: readonly string[];
  readonly reminders?: readonly AlarmInput[];
  readonly subtasks?: readonly TemplateTask[];
}

export interface Template extends TemplateTask {
  readonly name: string;
}

export type CompletionMode = 'auto' | 'override' | 'advance';
/**
 * The fate of an edit that a merge did not keep: shown for a decision (`ask`: with the question at once), or decided.
 */
export type ConflictPolicy = 'merge' | 'ask' | 'keepBoth' | 'serverWins' | 'localWins';
export type TodayPart = 'overdue' | 'due' | 'startingToday';
/** How requests leave the machine; the editor's `http.*` settings fill it. */
export interface ProxySettings {
  /** No proxy at all, whatever the environment says. */
  readonly isOff: boolean;
  /** `http://user:password@host:port`; if empty, the environment's HTTPS_PROXY and HTTP_PROXY count. */
  readonly url: string;
  /** Hosts that are reached without the proxy, in addition to the environment's NO_PROXY. */
  readonly noProxy: readonly string[];
  /** A whole Proxy-Authorization header for `url`. */
  readonly authorization: string | null;
  /** True if the certificate of an https proxy must be valid. Says nothing about servers. */
  readonly isStrict: boolean;
  /** The global `fetch` already follows these settings. */
  readonly isKnownToFetch: boolean;
}

/** The settings that sync must know. */
export interface SyncTuning {
  readonly timeoutMs: number;
  /** The fate of an edit that a merge did not keep: stored for the user to review, or decided at once. */
  readonly conflictPolicy: ConflictPolicy;
  /** SHA-256 fingerprints that every account trusts. */
  readonly trustedCertificates: readonly string[];
  readonly proxy: ProxySettings;
}

type DefaultReminder = 'off' | 'timed' | 'all';
export type FirstDay = 'locale' | 'monday' | 'sunday' | 'saturday';

/** Settings that the engine must know; the editor's settings fill them, and a headless caller may. */
export interface EngineSettings {
  /** Hour (0–6) at which a day starts: tasks after midnight still count as today's. */
  readonly dayStartHour: number;
  readonly firstDay: FirstDay;
  /** The widget Week begins with today. */
  readonly weekStartsToday: boolean;
  readonly onCompleteRecurring: CompletionMode;
  readonly resetSubtasks: boolean;
  /** The open subtasks of a task that the user completes; `ask` leaves them open in programs that cannot ask. */
  readonly completeSubtasks: 'ask' | 'always' | 'never';
  /** The wall time `HH:MM` of alarms of all-day tasks. */
  readonly allDayAlarmTime: string;
  /** Tasks that get an alarm at their due value, together with it: none, those with a time, or all-day tasks as well. */
  readonly defaultReminder: DefaultReminder;
  /** Alarms that replace that one for all tasks that get a due value; if empty, `defaultReminder` decides. */
  readonly defaultAlarms: readonly AlarmInput[];
  readonly defaultPriority: number;
  readonly horizonDays: number;
  readonly upNextDays: number;
  readonly sortDefault: string;
  /** A list's name or id; the Inbox if empty. */
  readonly defaultList: string;
  /** The id of this workspace's list, which counts instead if it is not empty and the list exists. */
  readonly workspaceList: string;
  readonly filters: readonly SavedFilter[];
  readonly templates: readonly Template[];
  /**
   * A BCP 47 tag for the words that Quick Add understands, the labels of its chips, the order of names and the first
   * day of the week.
   */
  readonly locale: string;
  /** The format of dates in quick add's chips; there `relative` and `short` are the same. */
  readonly dateFormat: DateFormat;
  readonly timeFormat: TimeFormat;
  /** The languages that Quick Add understands, most important first; 'auto' follows the locale. */
  readonly quickAddLanguage: 'auto' | 'en' | 'de' | 'fr' | 'pt' | 'ar';
  /** If false, Quick Add leaves dates and times in the title. */
  readonly quickAddDates: boolean;
  /** `todoist`: `#List`, `@tag`, `p1` to `p4`. */
  readonly quickAddSyntax: 'default' | 'todoist';
  /** The parts of Today. */
  readonly todayIncludes: readonly TodayPart[];
  readonly trashRetentionDays: number;
  /** After this many minutes without anyone at a window, the user is asked if they were work; 0 for never. */
  readonly idleMinutes: number;
  /** True if a copy of the whole database is made every day. */
  readonly backupDaily: boolean;
  /** Days for which each day's copy is kept; the copies of four weeks before stay as well. */
  readonly backupDaysKept: number;
  readonly syncTimeoutSeconds: number;
  readonly conflictPolicy: ConflictPolicy;
  readonly proxy: ProxySettings;
  /** SHA-256 fingerprints of certificates that every account trusts, in addition to those that the system trusts. */
  readonly trustedCertificates: readonly string[];
}

export const defaultSettings: EngineSettings = {
  dayStartHour: 0,
  firstDay: 'locale',
  weekStartsToday: false,
  onCompleteRecurring: 'auto',
  resetSubtasks: true,
  completeSubtasks: 'always',
  allDayAlarmTime: '09:00',
  defaultReminder: 'off',
  defaultAlarms: [],
  defaultPriority: 0,
  horizonDays: 365,
  upNextDays: 7,
  sortDefault: 'due,priority,title',
  defaultList: '',
  workspaceList: '',
  filters: [],
  templates: [],
  locale: 'en-US',
  dateFormat: 'relative',
  timeFormat: 'auto',
  quickAddLanguage: 'auto',
  quickAddDates: true,
  quickAddSyntax: 'default',
  todayIncludes: ['overdue', 'due', 'startingToday'],
  trashRetentionDays: 30,
  idleMinutes: 10,
  backupDaily: true,
  backupDaysKept: 14,
  syncTimeoutSeconds: 30,
  conflictPolicy: 'merge',
  proxy: { isOff: false, url: '', noProxy: [], authorization: null, isStrict: true, isKnownToFetch: false },
  trustedCertificates: [],
};

/**
 * The settings that the extension writes into a file next to the store, for the command line and agents. The others
 * concern views and servers; the locale there is that of the terminal.
 */
export const publishedSettings = [
  'dayStartHour',
  'firstDay',
  'onCompleteRecurring',
  'resetSubtasks',
  'completeSubtasks',
  'horizonDays',
  'allDayAlarmTime',
  'defaultReminder',
  'defaultAlarms',
  'defaultPriority',
  'sortDefault',
  'defaultList',
  'templates',
  'dateFormat',
  'timeFormat',
  'quickAddLanguage',
  'quickAddDates',
  'quickAddSyntax',
  'todayIncludes',
  'trashRetentionDays',
  'backupDaily',
  'backupDaysKept',
] as const satisfies readonly (keyof EngineSettings)[];

export const publishedIn = 'dueline-settings.json';
