import { readEstimate } from '../core/fields/estimate';
import { namesOfKind, taskFields, textFacts, textNames } from '../core/fields/table';
import type { TaskEdit } from '../core/fields/values';
import { DuelineError } from '../core/kernel/errors';
import type { Message } from '../core/kernel/message';
import type { AlarmInput, EpochMs, Task } from '../core/kernel/model';
import { checkRule } from '../core/recurrence/instances';
import { firstMs, lastMs } from '../core/time/dates';
import { dayMs } from '../core/time/units';
import { resolveZone } from '../core/time/zones';
import { engineMessage } from './messages';

const invalid = (message: Message | string) => new DuelineError('invalid', message);

/** RFC 5545 3.3.5 knows no part of a second: an occurrence with one would have another name on the server than here. */
export const wholeSeconds = (value: EpochMs): EpochMs => Math.floor(value / 1000) * 1000;

/**
 * An input or a row with its dates in whole seconds, and no rule in place of an empty one. Dates that are not numbers
 * stay, and are refused later.
 */
export function asStored<Values extends { dtstart?: unknown; due?: unknown; recurrenceId?: unknown; rrule?: unknown }>(
  values: Values,
): Values {
  const found = { ...values };
  for (const field of ['dtstart', 'due', 'recurrenceId'] as const)
    if (Number.isInteger(found[field])) Object.assign(found, { [field]: wholeSeconds(found[field] as EpochMs) });
  if (found.rrule === '') found.rrule = null;
  return found;
}

/**
 * Refuses values that no VTODO can have, naming the field. `current` is the task that a patch changes: its values are
 * not checked again, since another program may have written them.
 *
 * @throws DuelineError `invalid`
 */
export function checkInput(input: TaskEdit, current?: Task): void {
  checkTexts(input);
  checkNumbers(input);
  if (input.url && /[\r\n]/.test(input.url)) throw invalid(engineMessage('urlLineBreak'));
  if (input.timezone && input.timezone !== current?.timezone && !resolveZone(input.timezone))
    throw invalid(engineMessage('timeZoneUnknown', input.timezone));
  if (input.rrule && input.rrule !== current?.rrule) {
    const problem = checkRule(input.rrule);
    if (problem) throw invalid(problem);
  }
  if (input.duration && input.duration !== current?.duration) checkDuration(input.duration);
  if (input.alarms !== undefined) {
    if (!Array.isArray(input.alarms)) throw invalid('"alarms" must be a list.');
    for (const alarm of input.alarms) checkAlarm(alarm);
  }
  checkAllDay(input, current);
}

function checkText(field: string, value: unknown): void {
  if (value !== undefined && value !== null && typeof value !== 'string') throw invalid(`"${field}" must be text.`);
}

function checkTexts(input: TaskEdit): void {
  for (const field of namesOfKind('text')) checkText(field, input[field]);
  for (const name of textNames) {
    const text = input[name];
    if (textFacts[name].isDuration && text && readEstimate(text) === undefined)
      throw invalid(engineMessage('estimateInvalid', text));
  }
  const tags: unknown = input.tags;
  if (tags !== undefined && !(Array.isArray(tags) && tags.every(tag => typeof tag === 'string')))
    throw invalid('"tags" must be a list of texts.');
  if (input.isAllDay !== undefined && typeof input.isAllDay !== 'boolean')
    throw invalid('"isAllDay" must be true or false.');
}

function checkNumbers(input: TaskEdit): void {
  if (input.priority === null || input.status === null) throw invalid('Priority and status cannot be empty.');
  for (const field of namesOfKind('number')) {
    const [least, most] = taskFields[field].range;
    checkInteger(field, input[field], least, most);
  }
  for (const field of namesOfKind('time')) checkInteger(field, input[field], firstMs, lastMs);
  checkInteger('parentId', input.parentId, 1, Number.MAX_SAFE_INTEGER);
}

export function checkInteger(field: string, value: number | null | undefined, from: number, to: number): void {
  if (value === undefined || value === null) return;
  if (!Number.isInteger(value) || value < from || value > to)
    throw invalid(`"${field}" must be a whole number from ${from} to ${to}, not ${describe(value)}.`);
}

function checkDuration(duration: string): void {
  if (!/^[+-]?P(?:\d+W|(?=\d|T\d)(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(duration))
    throw invalid(engineMessage('durationInvalid', duration));
}

function checkAlarm(alarm: AlarmInput): void {
  if (!Number.isSafeInteger(alarm?.minutesBefore)) throw invalid('A reminder needs a whole number of minutes.');
  const { reference, message } = alarm as { reference?: unknown; message?: unknown };
  checkText('message', message);
  if (reference !== undefined && !['DUE', 'START', 'ABSOLUTE'].includes(reference as string))
    throw invalid(`"${describe(reference)}" is no reference of a reminder; use DUE, START or ABSOLUTE.`);
}

function checkAllDay(input: TaskEdit, current: Task | undefined): void {
  if (!(input.isAllDay ?? current?.isAllDay)) return;
  for (const field of ['dtstart', 'due'] as const) {
    const value = input[field] ?? null;
    if (value !== null && value % dayMs !== 0)
      throw invalid(`"${field}" of an all-day task is its date's 00:00 UTC; set isAllDay to false to give a time.`);
  }
}

/** Not every value can be converted to text: an object without a prototype cannot. */
const describe = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(value);
