import type { DuelineEngine, QuickAddOptions } from '../../api';
import { bucketOf, priorityOf } from '../../core/fields/priority';
import { type DetailName, detailNames, textFacts } from '../../core/fields/table';
import type { TaskEdit } from '../../core/fields/values';
import type { Id, TaskInput } from '../../core/kernel/model';
import { priorityNamed } from '../../core/quickAdd/sigils';
import { sanitize } from '../../core/text/cleanText';
import { countOfTasks } from '../../core/text/issueLinks';
import { type TaskLine, taskLines } from '../../core/text/taskLines';
import { CliError, refusalError } from '../../programs/cliError';
import { clearWord, datesOf } from '../../programs/dates';
import { listId, taskId } from '../../programs/tasks';
import { textIn } from '../input';
import { printResult } from '../rows';
import type { Command, Option, Session } from '../session';

const text = (help: string, takes = 'TEXT'): Option => ({ type: 'string', takes, help });

/** The options for the list and the parent of a task, and for its dependencies. */
export const targetOptions: Readonly<Record<string, Option>> = {
  list: { type: 'string', short: 'l', takes: 'LIST', help: 'The list, by its name or ID' },
  parent: text('The task that it is a subtask of', 'ID'),
  after: { ...text('A task that it depends on', 'ID'), multiple: true },
};

/** The option of a detail: the name of its field, with hyphens between words. */
const optionOf = (name: DetailName) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

const detailOption = (name: DetailName): Option => {
  const { isUri, name: word } = textFacts[name];
  return isUri ? text('The URL', 'URL') : text(`The ${word}`);
};

/** The options for values that are written as they are, whatever signs are in them. */
export const fieldOptions: Readonly<Record<string, Option>> = {
  title: text('The title, taken literally'),
  due: text('The due date, such as “friday 9am”', 'DATE'),
  start: text('The start date', 'DATE'),
  priority: { ...text('high, medium, low, none or 0 to 9', 'PRIORITY'), choices: Object.keys(priorityOf) },
  notes: text('The notes; --note does the same'),
  note: text('The notes'),
  ...Object.fromEntries(detailNames.map(name => [optionOf(name), detailOption(name)])),
  estimate: text('How long it takes, such as 30m or 1h30', 'TIME'),
  tag: { ...text('A tag to add', 'TAG'), multiple: true },
};

/** The values of {@link fieldOptions} other than dates, tags and the title. */
export function optionFields(session: Session): TaskEdit {
  const fields: TaskEdit = {};
  for (const [option, field] of [
    ['notes', 'description'],
    ['note', 'description'],
    ...detailNames.map(name => [optionOf(name), name] as const),
  ] as const) {
    const value = session.text(option);
    if (value !== undefined) fields[field] = value === '' ? null : value;
  }
  const estimate = session.text('estimate');
  if (estimate !== undefined) fields.estimate = clearWord.test(estimate) ? null : estimate;
  const priority = session.text('priority');
  if (priority !== undefined) {
    const value = Object.hasOwn(priorityOf, priority) ? priorityOf[priority as 'high'] : priorityNamed(priority);
    fields.priority = value ?? numberOf(priority, 'priority', 'high, medium, low, none or a number from 0 to 9', 9);
  }
  return fields;
}

export function numberOf(typed: string, option: string, kind: string, most: number): number {
  const value = /^\d{1,3}%?$/.test(typed) ? Number.parseInt(typed, 10) : Number.NaN;
  if (!(value <= most)) throw new CliError('usage', `--${option} takes ${kind}, not ${sanitize(typed)}.`);
  return value;
}

export const tagsIn = (session: Session, option: string): readonly string[] =>
  session.all(option).map(tag => tag.replace(/^#/, ''));

const undated = { due: null, dtstart: null, isAllDay: false, timezone: null, rrule: null, masterId: null };

/** A rule such as “every month”, and its first date unless the user gives one. */
function repeatIn(engine: DuelineEngine, typed: string, hasDate: boolean): TaskInput {
  const { input, fromCompletion } = engine.parseQuickAdd(`x ${typed}`, { onlyDates: true });
  if (input.rrule == null || input.title !== 'x' || fromCompletion)
    throw refusalError(`“${sanitize(typed)}” is not a repeat. Use one such as “every month” or “every 2 weeks”.`);
  const { rrule, due, isAllDay = true, timezone = null } = input;
  return { rrule, ...(hasDate || due == null ? {} : { due, isAllDay, timezone }) };
}

function inputOf(session: Session, engine: DuelineEngine): TaskInput {
  const words = { due: session.text('due'), start: session.text('start') };
  const dates = datesOf(engine, undated, words, field => `--${field}`);
  const repeat = session.text('repeat');
  const tags = tagsIn(session, 'tag');
  return {
    ...dates,
    ...(repeat === undefined ? {} : repeatIn(engine, repeat, dates.due != null || dates.dtstart != null)),
    ...optionFields(session),
    ...(tags.length > 0 ? { tags } : {}),
  };
}

function targetOf(session: Session, engine: DuelineEngine): QuickAddOptions {
  const [list, parent] = [session.text('list'), session.text('parent')];
  const parentId = parent === undefined ? undefined : taskId(engine, parent);
  return {
    after: session.all('after').map(word => taskId(engine, word)),
    ...(parentId === undefined ? {} : { parentId, listId: engine.task(parentId)!.listId }),
    ...(list === undefined ? {} : { listId: listId(engine, list) }),
  };
}

/** The lines to add; `isPiped` if they come from standard input. */
function linesOf(session: Session): { readonly lines: readonly TaskLine[]; readonly isPiped: boolean } {
  const { input } = session.surroundings;
  const title = session.text('title')?.trim();
  const typed = session.words.join(' ').trim();
  if (title !== undefined && typed !== '') throw new CliError('usage', 'Give the text or --title, not both.');
  const isPiped = title === undefined && (session.words.length === 0 || typed === '-');
  if (!isPiped && (title ?? typed) === '') throw new CliError('usage', 'The text of the task is empty.');
  if (isPiped && input.isTyped)
    session.out.note('Type one task per line, with indented lines as subtasks. End with Ctrl+D.');
  const lines = isPiped ? taskLines(textIn(input.read())) : [{ text: title ?? typed }];
  if (lines.length === 0) throw new CliError('usage', 'There is nothing to add: standard input is empty.');
  return { lines, isPiped };
}

/** Reports each name or priority that is unknown: it stays in the title. */
function noteUnknown(session: Session, engine: DuelineEngine, line: string, parentId: Id | undefined): void {
  // Only a name has a sign, and only a priority is so short.
  if (!/[@#:]|\bp[1-4]\b|!!/i.test(line)) return;
  const { noList, noTask, nearPriority } = engine.parseQuickAdd(line, parentId === undefined ? {} : { parentId });
  if (noList) {
    const name = sanitize(noList.name);
    const why = noList.why === 'subtask' ? `A subtask is not in ${name}` : `There is no list ${name} to add to`;
    session.out.note(`${why}: these words stay in the title.`);
  }
  if (noTask) session.out.note(`There is no task ${sanitize(noTask.name)}: these words stay in the title.`);
  if (nearPriority) {
    const { from, to, priority } = nearPriority;
    session.out.note(`${line.slice(from, to)} stays in the title. !${bucketOf(priority)} sets the priority.`);
  }
}

async function add(session: Session): Promise<void> {
  const { lines, isPiped } = linesOf(session);
  const engine = await session.open({ mayCreate: true });
  const target = targetOf(session, engine);
  const options = { ...target, defaults: inputOf(session, engine) };
  if (session.text('title') !== undefined) {
    const [{ text: title }] = lines as [TaskLine];
    printResult(session, engine, 'Added', [
      await engine.quickAdd(title, { ...options, rejected: [[0, title.length]] }),
    ]);
    return;
  }
  for (const line of lines) noteUnknown(session, engine, line.text, target.parentId);
  const ids = isPiped ? await engine.quickAddLines(lines, options) : [await engine.quickAdd(lines[0]!.text, options)];
  if (ids.length > 0 || session.is('json')) printResult(session, engine, 'Added', ids);
  const known = countOfTasks(lines) - ids.length;
  if (known > 0) session.out.note(known === 1 ? '1 link already has a task.' : `${known} links already have tasks.`);
}

export const addCommand: Command = {
  usage: '[TEXT]',
  summary: 'Add a task as Quick Add reads it; without a text, one for each line of standard input',
  options: { ...targetOptions, ...fieldOptions, repeat: text('A repeat, such as “every month”', 'RULE') },
  examples: [
    "dueline add 'Pay rent tomorrow 9am #home !high @Bills every month'",
    'dueline add --title "$TITLE" --due friday --priority high --tag rel',
    "dueline add 'Ship' --after dl-k3f9",
    "printf 'Move\\n  Pack\\n  Call the movers\\n' | dueline add",
    'git log --grep TODO --format=%s | dueline add --list Work',
  ],
  run: add,
};
