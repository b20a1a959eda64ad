import type * as vscode from 'vscode';
import type { DuelineEngine, QuickAddOptions, Understood } from '../../api';
import { foldCase } from '../../core/filter/eval/foldCase';
import { isolate, plain, t } from '../../shared/l10n';
import { defaultListOf, newDefaultListName } from '../../ui/defaultList';
import { dateStyle } from '../../ui/settings/settings';
import { momentLabel } from '../../ui/text/dateText';
import { chipLabel } from '../../ui/text/taskText';
import { unknownListText } from '../../ui/text/unknownListText';
import { withIcon } from '../../ui/withIcon';

type Range = readonly [from: number, to: number];

export interface QuickAddItem extends vscode.QuickPickItem {
  /** What choosing the line does to the text; absent on the line that adds. */
  readonly does?:
    | { readonly type: 'keepWords'; readonly range: Range }
    | { readonly type: 'complete'; readonly range: Range; readonly text: string }
    | { readonly type: 'newList'; readonly name: string };
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
};

/** What quick add shows below a text: the line that adds, what was understood, and what was meant but means nothing. */
export function quickAddItems(
  engine: DuelineEngine,
  result: Understood,
  options: QuickAddOptions,
  text: string,
): QuickAddItem[] {
  const tags = new Set(engine.tags().map(({ name }) => foldCase(name)));
  const chips = result.tokens.map((token): QuickAddItem => {
    const range = [token.from, token.to] as const;
    const notes = [
      t('from {0}', isolate(text.slice(...range))),
      token.kind === 'tag' && !tags.has(foldCase(token.label)) && t('new tag'),
    ];
    return {
      ...withIcon(
        icons[token.kind] ?? 'tag',
        `${chipLabel(token)}${token.kind === 'repeat' ? firstTime(engine, result) : ''}`,
      ),
      description: notes.filter(Boolean).join(' · '),
      alwaysShow: true,
      does: { type: 'keepWords', range },
    };
  });
  return [
    addLine(engine, result, options),
    ...chips,
    ...completions(engine, result, text),
    ...strangeList(engine, result, text),
    ...strangePriorities(engine, result, options.rejected ?? [], text),
  ];
}

function addLine(engine: DuelineEngine, result: Understood, place: QuickAddOptions): QuickAddItem {
  const listId = result.listId ?? place.listId ?? defaultListOf(engine);
  const list = engine.lists().find(({ id }) => id === listId);
  const to = list
    ? t('to {0}', isolate(list.name))
    : t('to {0}, a new list on this computer', isolate(newDefaultListName(engine)));
  return result.problem
    ? { ...withIcon('edit', t('Keep typing to give the task a title')), alwaysShow: true }
    : {
        ...withIcon('add', t('Add {0}', isolate(result.title))),
        description: to,
        alwaysShow: true,
      };
}

/** A repeat says nothing of its first day and time; where a chip of their own says them, it need not. */
function firstTime(engine: DuelineEngine, { input, tokens }: Understood): string {
  if (typeof input.due !== 'number' || tokens.some(({ kind }) => kind === 'due')) return '';
  const { isAllDay = false, timezone = null } = input;
  return ` · ${momentLabel(input.due, { isAllDay, timezone }, dateStyle(engine))}`;
}

const mostCompletions = 5;

/** Lists and tags that go on where the text ends in the beginning of their name. */
function completions(engine: DuelineEngine, { noList, tokens }: Understood, text: string): QuickAddItem[] {
  const tag = tokens.find(({ kind, to }) => kind === 'tag' && to === text.length);
  const begun = tag ? { ...tag, name: tag.label } : noList?.to === text.length ? noList : undefined;
  if (!begun) return [];
  const names = tag
    ? engine.tags().map(({ name }) => name)
    : engine.lists().flatMap(list => (list.isReadOnly ? [] : list.name));
  const sign = text.slice(begun.from, begun.from + 1);
  return names
    .filter(name => foldCase(name) !== foldCase(begun.name) && foldCase(name).startsWith(foldCase(begun.name)))
    .slice(0, mostCompletions)
    .map(name => ({
      ...withIcon(tag ? 'tag' : 'list-unordered', isolate(`${sign}${plain(name)}`)),
      description: t('select to complete the name'),
      alwaysShow: true,
      does: { type: 'complete', range: [begun.from, begun.to], text: `${sign}${signed(name, tag !== undefined)} ` },
    }));
}

/** A tag of several words needs quotes; a list that there is needs none. */
const signed = (name: string, isTag: boolean) => (isTag && /\s/.test(name) ? `"${name}"` : name);

/** A name that is no list's: a mistyped one, a new one, or words. */
function strangeList(engine: DuelineEngine, { noList }: Understood, text: string): QuickAddItem[] {
  const said = unknownListText(engine, noList, text);
  if (!noList || said === undefined) return [];
  const { name, from, to, isReadOnly } = noList;
  return [
    isReadOnly
      ? { ...withIcon('lock', said), alwaysShow: true, does: { type: 'keepWords', range: [from, to] } }
      : {
          ...withIcon('question', said),
          description: t('select to create the list'),
          alwaysShow: true,
          does: { type: 'newList', name },
        },
  ];
}

/** After the sign of a priority, a word that means none. */
function strangePriorities(
  engine: DuelineEngine,
  { tokens }: Understood,
  rejected: readonly Range[],
  text: string,
): QuickAddItem[] {
  if (engine.settings.quickAddSyntax !== 'default') return [];
  const known = [...tokens.map(({ from, to }): Range => [from, to]), ...rejected];
  return [...text.matchAll(/(?<=^|\s)![\p{L}\p{N}]+(?=\s|$)/gu)]
    .filter(({ index }) => !known.some(([from, to]) => from <= index && index < to))
    .map(({ 0: said, index }) => ({
      ...withIcon('question', t('{0} is not a priority', isolate(said))),
      description: '!high, !medium, !low, !none, !1 – !9',
      alwaysShow: true,
      does: { type: 'keepWords', range: [index, index + said.length] },
    }));
}
