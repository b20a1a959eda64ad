import type { DuelineEngine, QuickAddOptions } from '../../api';
import type { Id, Task, TaskInput } from '../../core/kernel/model';
import { taskLines, withoutMark } from '../../core/text/taskLines';
import { civilMs, type Day } from '../../core/time/dates';
import { t } from '../../shared/l10n';
import type { FromPage } from '../../shared/readFromPage';
import type { DropValues, LineSuggestions, ToPage } from '../../shared/widgetProtocol';
import { type Announcement, perform } from '../../ui/announcements';
import { createDefaultList } from '../../ui/defaultList';
import { type NameSuggestions, nameSuggestions, textTokens } from '../../ui/nameSuggestions';
import { addedLinesText } from '../../ui/text/addedText';
import { chipLabel } from '../../ui/text/taskText';
import { unknownListText } from '../../ui/text/unknownListText';

type Asked<Type extends FromPage['type']> = Extract<FromPage, { type: Type }>;

const maxNames = 8;

/** The chips that quick add makes of a line, and the names that can follow at the caret. */
export function quickAddPreview(
  engine: DuelineEngine,
  { text, rejected, request, caret }: Omit<Asked<'parse'>, 'type'>,
  options: Pick<QuickAddOptions, 'parentId' | 'defaults'> = {},
): ToPage {
  const parsed = engine.parseQuickAdd(text, { rejected, ...options });
  const { tokens, noList } = parsed;
  const strange = unknownListText(engine, noList, text);
  const hint = strange && t('{0}. The name stays in the title.', strange);
  const chips = tokens.map(token => ({ from: token.from, to: token.to, kind: token.kind, label: chipLabel(token) }));
  const words = tokens.filter(({ kind }) => textTokens.includes(kind)).map(({ from, to }) => [from, to] as const);
  const hasFixedList = options.parentId !== undefined;
  const names = nameSuggestions(engine, text, { caret, words: [...rejected, ...words], hasFixedList }, parsed);
  return {
    type: 'parsed',
    request,
    chips,
    ...(hint && { hint }),
    ...(names && { suggestions: namesFor(names) }),
    ...(noList?.why === 'unknown' &&
      !hasFixedList && { unknownList: { name: noList.name, from: noList.from, to: noList.to } }),
  };
}

const namesFor = ({ names, range: [from, to], preselectsFirst }: NameSuggestions): LineSuggestions => ({
  from,
  to,
  items: names.slice(0, maxNames).map(({ label, detail, text }) => ({ label, detail, text })),
  preselectsFirst,
});

/** A task added below a day, a list or the like belongs there, unless its words name another; a subtask, below its parent. */
export async function quickAddResult(
  engine: DuelineEngine,
  { text, rejected, as }: Omit<Asked<'add'>, 'request'>,
  dropValues: DropValues = {},
  parent?: Pick<Task, 'id' | 'listId'>,
): Promise<Announcement> {
  const listId = parent?.listId ?? dropValues.listId;
  const options: QuickAddOptions = {
    rejected,
    ...(listId === undefined ? {} : { listId }),
    ...(parent && { parentId: parent.id }),
    defaults: defaultsIn(dropValues),
  };
  const line = as === 'notes' ? withoutMark(text) : text;
  const lines = as === 'lines' ? taskLines(text) : [{ text: line }];
  const add = async (): Promise<readonly Id[]> => {
    const named = as === 'lines' ? undefined : engine.parseQuickAdd(line, options).listId;
    const inList = { ...options, listId: named ?? options.listId ?? (await createDefaultList(engine)) };
    return as === 'lines' ? engine.quickAddLines(lines, inList) : [await engine.quickAdd(line, inList)];
  };
  return perform(engine, add, added => ({ text: addedLinesText(engine, added, lines), added }));
}

export const defaultsIn = ({ day, status, priority, tag }: DropValues): TaskInput => ({
  ...(day == null ? {} : { due: civilMs(day as Day), isAllDay: true, timezone: null }),
  ...(status === undefined ? {} : { status }),
  ...(priority === undefined ? {} : { priority }),
  ...(tag == null ? {} : { tags: [tag] }),
});
