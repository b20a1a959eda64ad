import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { SettingId } from '../../contributions/ids';
import type { DateFormat, TimeFormat } from '../../core/dateFormats';
import {
  type CompletionMode,
  defaultSettings,
  type EngineSettings,
  type FirstDay,
  type SavedFilter,
} from '../../core/settings';
import type { Clock } from '../../core/time/clock';
import { firstDayOf } from '../../core/time/weekStart';
import { baseOf, localeOf } from '../../shared/language';
import { DeclaredSettings, type DeclaringManifest } from './declaredSettings';
import { serverSettings } from './syncSettings';

/** What is set; where that is not such as package.json declares, since people write settings by hand, the default. */
export function setting<T>(id: SettingId): T {
  const value = vscode.workspace.getConfiguration().get(id);
  return (declared ? declared.valid(id, value) : value) as T;
}

let declared: DeclaredSettings | undefined;

/** Once, before the first setting is read. */
export function declareSettings(manifest: DeclaringManifest): void {
  declared = new DeclaredSettings(manifest);
}

export const writeSetting = (id: SettingId, value: unknown, target = vscode.ConfigurationTarget.Global) =>
  vscode.workspace.getConfiguration().update(id, value, target);

/** The part of the settings that the engine works by. */
export function engineSettings(): EngineSettings {
  return {
    ...defaultSettings,
    dayStartHour: setting<number>('dueline.day.startHour'),
    firstDay: setting<FirstDay>('dueline.week.firstDay'),
    onCompleteRecurring: setting<CompletionMode>('dueline.recurrence.onComplete'),
    resetSubtasks: setting<boolean>('dueline.recurrence.resetSubtasks'),
    horizonDays: setting<number>('dueline.recurrence.horizonDays'),
    allDayAlarmTime: setting<string>('dueline.reminders.allDayTime'),
    defaultAlarms: setting<number[]>('dueline.defaults.reminderMinutes').map(minutesBefore => ({ minutesBefore })),
    defaultPriority: setting<number>('dueline.defaults.priority'),
    upNextDays: setting<number>('dueline.upNext.days'),
    sortDefault: setting<string>('dueline.sort.default'),
    defaultList: setting<string>('dueline.defaultList'),
    filters: savedFilters(),
    ...serverSettings(setting),
    locale: displayLocale(),
    ...dateFormats(),
    quickAddLanguage: setting<EngineSettings['quickAddLanguage']>('dueline.quickAdd.language'),
    quickAddDates: setting<boolean>('dueline.quickAdd.parseDates'),
    quickAddSyntax: setting<EngineSettings['quickAddSyntax']>('dueline.quickAdd.syntax'),
    todayIncludes: setting<EngineSettings['todayIncludes']>('dueline.today.include'),
    trashRetentionDays: setting<number>('dueline.trash.retentionDays'),
    backupDaily: setting<boolean>('dueline.backup.enabled'),
    backupDaysKept: setting<number>('dueline.backup.keep'),
  };
}

export const savedFilters = (): SavedFilter[] => wholeFilters(setting<unknown[]>('dueline.filters'));

/** Saved filters that are whole; a hand-edited entry without a name or a query is passed over. */
export const wholeFilters = (entries: readonly unknown[]): SavedFilter[] =>
  entries
    .map(entry => entry as Partial<SavedFilter> | null)
    .filter(entry => typeof entry?.name === 'string' && typeof entry?.query === 'string')
    .map(entry => ({ ...(entry as SavedFilter), id: typeof entry!.id === 'string' ? entry!.id : entry!.name! }));

export const systemLocale = () => Intl.DateTimeFormat().resolvedOptions().locale;

/**
 * The locale of dates and numbers: the setting, else the words' own where it names a region, else the system's where that
 * speaks the language of the words.
 */
export function displayLocale(): string {
  const chosen = localeOf(setting<string>('dueline.display.locale'));
  if (chosen !== undefined) return chosen;
  const wanted = setting<string>('dueline.display.language');
  const words = wanted === 'auto' ? vscode.env.language : wanted;
  const namesRegion = words.includes('-');
  return !namesRegion && baseOf(systemLocale()) === baseOf(words) ? systemLocale() : words;
}

/** How dates are put into words; the same for trees, widgets and pickers. */
export interface DateStyle {
  readonly clock: Clock;
  readonly startHour: number;
  /** 0 Sunday … 6 Saturday. */
  readonly firstDay: number;
  readonly dateFormat: DateFormat;
  readonly timeFormat: TimeFormat;
}

export const dateStyle = (engine: Pick<DuelineEngine, 'clock'>): DateStyle => ({
  clock: engine.clock,
  startHour: setting<number>('dueline.day.startHour'),
  firstDay: firstDayOf(setting<FirstDay>('dueline.week.firstDay'), displayLocale()),
  ...dateFormats(),
});

const dateFormats = () => ({
  dateFormat: setting<DateFormat>('dueline.display.dateFormat'),
  timeFormat: setting<TimeFormat>('dueline.display.timeFormat'),
});
