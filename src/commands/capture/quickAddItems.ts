import type * as vscode from 'vscode';
import type { DuelineEngine, ParsedQuickAdd, QuickAddOptions } from '../../api';
import type { CodeLocation } from '../../contributions/commandTargets';
import type { Id } from '../../core/kernel/model';
import type { Range } from '../../core/kernel/range';
import type { TaskLine } from '../../core/text/taskLines';
import { foldCase } from '../../query/eval/foldCase';
import { brief, isolate, listed, t, tn } from '../../shared/l10n';
import { defaultListOf, listInSameAccount, newDefaultListName } from '../../ui/defaultList';
import { type NameSuggestion, nameSuggestions, textTokens } from '../../ui/nameSuggestions';
import { dateStyle } from '../../ui/settings/settings';
import { momentLabel } from '../../ui/text/dateText';
import { repeatText } from '../../ui/text/ruleText';
import { chipLabel, titleOf } from '../../ui/text/taskText';
import { unknownListText } from '../../ui/text/unknownListText';
import { withIcon } from '../../ui/withIcon';

export interface QuickAddItem extends vscode.QuickPickItem {
  /** The effect on the text when the line is chosen; absent on the line that adds. */
  readonly action?:
    | { readonly type: 'keepWords'; readonly range: Range }
    | { readonly type: 'complete'; readonly range: Range; readonly text: string }
    | { readonly type: 'newList'; readonly name: string }
    | { readonly type: 'addToNewList'; readonly list: NonNullable<QuickAddOptions['newList']> }
    | { readonly type: 'link' }
    | { readonly type: 'unlink' }
    | { readonly type: 'addLines' }
    | { readonly type: 'addWithNotes' };
}

const icons: Record<string, string> = {
  due: 'calendar',
  start: 'debug-start',
  repeat: 'sync',
  reminder: 'bell',
  tag: 'tag',
  priority: 'flag',
  list: 'list-unordered',
  note: 'note',
  url: 'link',
  after: 'lock',
  estimate: 'watch',
  template: 'copy',
};

type Engine = Pick<
  DuelineEngine,
  'tags' | 'lists' | 'openCounts' | 'settings' | 'defaultListId' | 'task' | 'clock' | 'locale' | 'parseQuickAdd'
>;

/**
 * The lines that quick add shows below a text: names that complete the one being typed, a list to create, the line that
 * adds, the recognized parts, and those that were meant but have no meaning. Enter takes the first.
 */
export function quickAddItems(
  engine: Engine,
  result: ParsedQuickAdd,
  options: QuickAddOptions,
  text: string,
  caret: number,
): QuickAddItem[] {
  const tags = new Set(engine.tags().map(({ name }) => foldCase(name)));
  const chips = result.tokens.map((token): QuickAddItem => {
    const range = [token.from, token.to] as const;
    const notes = [
      t('from {0}', isolate(text.slice(...range))),
      token.kind === 'tag' && !tags.has(foldCase(token.label)) && t('new tag'),
      ...(token.kind === 'template' ? templateNotes(engine, result.template) : []),
    ];
    return {
      ...withIcon(
        icons[token.kind] ?? 'tag',
        `${chipLabel(token)}${token.kind === 'repeat' ? firstTime(engine, result) : ''}`,
      ),
      description: notes.filter(Boolean).join(' · '),
      alwaysShow: true,
      action: { type: 'keepWords', range },
    };
  });
  const kept = result.tokens.filter(({ kind }) => textTokens.includes(kind)).map(({ from, to }): Range => [from, to]);
  const words = [...(options.rejected ?? []), ...kept];
  const found = nameSuggestions(engine, text, { caret, words, hasFixedList: options.parentId !== undefined }, result);
  const names = found?.names.map(name => nameItem(name, found.range)) ?? [];
  const [before, after] = found?.preselectsFirst ? [names, []] : [[], names];
  const first = [...before, ...missingList(engine, result, options, text)];
  return [
    ...first,
    addLine(engine, result, options),
    ...after,
    ...chips,
    ...strangePriorities(engine, result, options.rejected ?? [], text),
  ];
}

/** The parts that a template adds to a task in addition to the line's own. */
function templateNotes({ settings }: Engine, name: string | undefined): string[] {
  const template = settings.templates.find(one => one.name.toLowerCase() === name?.toLowerCase());
  const count = template?.subtasks?.length ?? 0;
  return [
    ...(template?.repeat ? [repeatText(template.repeat)] : []),
    ...(count > 0 ? [tn(count, '{0} subtask', '{0} subtasks')] : []),
  ];
}

/** The code location that the task is linked to; Enter on an empty line must not choose it. */
export const locationItem = ({ label }: CodeLocation, isShownOnly: boolean): QuickAddItem => ({
  ...withIcon('check', isolate(label)),
  description: t('linked to this line'),
  alwaysShow: true,
  ...(isShownOnly ? {} : { action: { type: 'unlink' } }),
});

/** The line that the cursor is on in the editor: linked only if the user asks for it. */
export const offeredLocationItem = ({ label }: CodeLocation): QuickAddItem => ({
  ...withIcon('link', t('Link to {0}?', isolate(label))),
  alwaysShow: true,
  action: { type: 'link' },
});

/** Several lines at once: a task of each, or one with notes. */
export function linesItems(engine: Engine, lines: readonly TaskLine[], target: QuickAddOptions): QuickAddItem[] {
  const unknown = new Map(
    lines.flatMap(({ text }) => {
      const result = engine.parseQuickAdd(text);
      return result.noList ? [[foldCase(result.noList.name), unknownList(engine, result, text)] as const] : [];
    }),
  );
  return [
    {
      ...withIcon('add', tn(lines.length, 'Add {0} Task', 'Add {0} Tasks')),
      description: targetText(engine, target.listId),
      detail: listed(lines.slice(0, maxLinesShown).map(({ text }) => isolate(brief(text)))),
      alwaysShow: true,
      action: { type: 'addLines' },
    },
    {
      ...withIcon('note', t('Add as one task with notes')),
      description: isolate(brief(lines[0]!.text)),
      alwaysShow: true,
      action: { type: 'addWithNotes' },
    },
    ...[...unknown.values()].flat(),
  ];
}

const maxLinesShown = 5;

const targetText = (engine: Engine, listId: Id | undefined): string => {
  const targetList = listId ?? defaultListOf(engine);
  const list = engine.lists().find(({ id }) => id === targetList);
  return list
    ? t('to {0}', isolate(list.name))
    : t('to {0}, a new list on this computer', isolate(newDefaultListName(engine)));
};

/**
 * Its label does not have the title: the editor would mark the typed text in it, which it draws twice for each key, and
 * sort the line above others.
 */
function addLine(engine: Engine, result: ParsedQuickAdd, target: QuickAddOptions): QuickAddItem {
  if (result.problem) return { ...withIcon('edit', t('Keep typing to give the task a title')), alwaysShow: true };
  const parent = target.parentId === undefined ? undefined : engine.task(target.parentId);
  const to = parent
    ? t('subtask of {0}', isolate(titleOf(parent)))
    : targetText(engine, result.listId ?? target.listId);
  return { ...withIcon('add', t('Add Task')), description: `${isolate(result.title)} · ${to}`, alwaysShow: true };
}

/** A repeat's words lack its first day and time; they are added unless a chip of their own shows them. */
function firstTime(engine: Engine, { input, tokens }: ParsedQuickAdd): string {
  if (typeof input.due !== 'number' || tokens.some(({ kind }) => kind === 'due')) return '';
  const { isAllDay = false, timezone = null } = input;
  return ` · ${momentLabel(input.due, { isAllDay, timezone }, dateStyle(engine))}`;
}

const nameIcons = { tag: 'tag', list: 'list-unordered', priority: 'flag', template: 'copy', day: 'calendar' } as const;

/** Its sign is the icon: the editor would sort a line to the top that has the typed text in it. */
const nameItem = ({ kind, name, detail, text }: NameSuggestion, range: Range): QuickAddItem => ({
  ...withIcon(nameIcons[kind], isolate(name)),
  description: detail,
  alwaysShow: true,
  action: { type: 'complete', range, text },
});

/** The offer to create the list that the line names adds the task to it, so a list never comes into being alone. */
function missingList(engine: Engine, result: ParsedQuickAdd, options: QuickAddOptions, text: string): QuickAddItem[] {
  const offers = unknownList(engine, result, text);
  if (result.noList?.why !== 'unknown') return offers;
  const list = listInSameAccount(engine, result.noList.name);
  const { title, problem } = engine.parseQuickAdd(text, { ...options, newList: list });
  const [create, ...others] = offers;
  if (problem) return others;
  return [
    {
      ...create!,
      label: withIcon('new-folder', t('Add Task to New List “{0}”', isolate(list.name))).label,
      description: isolate(title),
      action: { type: 'addToNewList', list },
    },
    ...others,
  ];
}

/** A name that is no list's: a mistyped one, a new one, or words. */
function unknownList(engine: Engine, { noList }: ParsedQuickAdd, text: string): QuickAddItem[] {
  if (!noList) return [];
  const { name, from, to, why } = noList;
  const words = isolate(text.slice(from, to));
  const keep: QuickAddItem = {
    ...withIcon(why === 'readOnly' ? 'lock' : 'text-size', t('Keep {0} in the title', words)),
    description: unknownListText(engine, noList, text) ?? t('No list named {0}', isolate(name)),
    alwaysShow: true,
    action: { type: 'keepWords', range: [from, to] },
  };
  if (why !== 'unknown') return [keep];
  const create: QuickAddItem = {
    ...withIcon('new-folder', t('Create list “{0}”', isolate(name))),
    description: t('No list named {0}', isolate(name)),
    alwaysShow: true,
    action: { type: 'newList', name },
  };
  return [create, { ...keep, description: '' }];
}

/** After the sign of a priority, a word that means none. */
function strangePriorities(
  engine: Engine,
  { tokens, nearPriority }: ParsedQuickAdd,
  rejected: readonly Range[],
  text: string,
): QuickAddItem[] {
  if (engine.settings.quickAddSyntax !== 'default') return [];
  const read = nearPriority ? [...tokens, nearPriority] : tokens;
  const known = [...read.map(({ from, to }): Range => [from, to]), ...rejected];
  return [...text.matchAll(/(?<=^|\s)(?:![\p{L}\p{N}]+|!{1,3}|p[1-4])(?=\s|$)/gu)]
    .filter(({ index }) => !known.some(([from, to]) => from <= index && index < to))
    .map(({ 0: word, index }) => ({
      ...withIcon('question', t('{0} is not a priority', isolate(word))),
      description: '!high, !medium, !low, !none, !1 – !9',
      alwaysShow: true,
      action: { type: 'keepWords', range: [index, index + word.length] },
    }));
}
