import type { DuelineEngine, ParsedQuickAdd } from '../api';
import type { Range } from '../core/kernel/range';
import { priorityNamed } from '../core/quickAdd/sigils';
import { foldCase } from '../query/eval/foldCase';
import { isolate, plain, t, tn } from '../shared/l10n';

/** A name that can replace the one that is being typed. */
export interface NameSuggestion {
  readonly kind: 'tag' | 'list' | 'priority' | 'template' | 'day';
  readonly name: string;
  /** The name as it is shown, with its sign. */
  readonly label: string;
  readonly detail: string;
  /** The text that replaces the range, with its sign. */
  readonly text: string;
}

export interface NameSuggestions {
  readonly range: Range;
  readonly names: readonly NameSuggestion[];
  /** Enter takes the first name, and does not add the task. */
  readonly preselectsFirst: boolean;
}

/** A kind whose names begin with a sign. */
type SignedKind = Exclude<NameSuggestion['kind'], 'day'>;

interface NamedThing {
  readonly name: string;
  readonly count?: number;
}

type Engine = Pick<DuelineEngine, 'tags' | 'lists' | 'openCounts' | 'settings'>;

/** Kinds of tokens that are text, whatever signs are in them. */
export const textTokens: readonly string[] = ['note', 'url'];

const maxNames = 20;

/** A sign at the start of a word, and all that is typed after it: "#wo", `@"My li`. */
const begunName = /(?:^|\s)([#@!:])("[^"]*|[^\s"#@!:][^"#@!]*)?$/u;

interface Where {
  readonly caret?: number | undefined;
  /** Ranges without completion: words that the user keeps as text, a note, an address. */
  readonly words?: readonly Range[];
  /** The task has its list already. */
  readonly hasFixedList?: boolean;
}

/** Words of the title that may be meant as something else. */
type NearWords = Pick<ParsedQuickAdd, 'nearDay' | 'nearPriority'>;

/** The names that can replace words, especially the one before the caret. */
export const nameSuggestions = (
  engine: Engine,
  text: string,
  where: Where = {},
  near: NearWords = {},
): NameSuggestions | undefined => completions(engine, text, where) ?? nameInstead(text, near);

function nameInstead(line: string, { nearDay, nearPriority }: NearWords): NameSuggestions | undefined {
  const near = nearDay ?? nearPriority;
  if (!near) return undefined;
  const detail = t('instead of {0}', isolate(line.slice(near.from, near.to)));
  const found = nearDay ? dayNamed(nearDay.text) : priorityOf(nearPriority!.priority);
  return { range: [near.from, near.to], names: [{ ...found, detail }], preselectsFirst: false };
}

const dayNamed = (name: string) => ({ kind: 'day', name, label: name, text: `${name} ` }) as const;

function priorityOf(priority: number) {
  const name = priorityNames().find(word => priorityNamed(word) === priority)!;
  return suggestionOf({ name }, 'priority', '!');
}

/** The names that can complete the one before the caret: tags and lists by how often they are used, or priorities. */
function completions(
  engine: Engine,
  text: string,
  { caret = text.length, words = [], hasFixedList = false }: Where,
): NameSuggestions | undefined {
  const found = begunName.exec(text.slice(0, caret));
  if (!found) return undefined;
  const [, sign = '', begun = ''] = found;
  const start = caret - sign.length - begun.length;
  if (words.some(([from, to]) => from <= start && start < to)) return undefined;
  const typed = foldCase(begun.replace(/^"/, ''));
  const kind = kindOf(sign, engine.settings.quickAddSyntax);
  if (kind === 'list' && hasFixedList) return undefined;
  // Only lists and templates are read over several words without quotes.
  if (/\s/.test(begun) && kind !== 'list' && kind !== 'template' && !begun.startsWith('"')) return undefined;
  const fitting = thingsOf(engine, kind)
    .map(thing => ({ thing, rank: rankOf(foldCase(thing.name), typed) }))
    .filter(({ rank }) => rank < 2)
    .sort((a, b) => a.rank - b.rank);
  const [first] = fitting;
  if (!first) return undefined;
  const isWhole = fitting.some(({ thing }) => foldCase(thing.name) === typed);
  return {
    range: [start, caret],
    names: fitting
      .filter(({ thing }) => foldCase(thing.name) !== typed)
      .slice(0, maxNames)
      .map(({ thing }) => suggestionOf(thing, kind, sign)),
    // Some languages have a space before an exclamation mark and a colon, and a line may end in one.
    preselectsFirst: !isWhole && first.rank === 0 && (typed !== '' || !['priority', 'template'].includes(kind)),
  };
}

function kindOf(sign: string, syntax: 'default' | 'todoist'): SignedKind {
  if (sign === '!') return 'priority';
  if (sign === ':') return 'template';
  return (sign === '#') === (syntax === 'default') ? 'tag' : 'list';
}

/** Most used first. */
function thingsOf(engine: Engine, kind: SignedKind): readonly NamedThing[] {
  if (kind === 'priority') return priorityNames().map(name => ({ name }));
  if (kind === 'template') return engine.settings.templates.map(({ name }) => ({ name }));
  const byUse = (a: Required<NamedThing>, b: Required<NamedThing>) => b.count - a.count;
  if (kind === 'tag') return engine.tags().toSorted(byUse);
  const counts = engine.openCounts();
  return engine
    .lists()
    .filter(list => !list.isReadOnly)
    .map(({ id, name }) => ({ name, count: counts.get(id) ?? 0 }))
    .sort(byUse);
}

/** The priorities in the user's language, as quick add reads them. */
const priorityNames = (): readonly string[] =>
  [
    [t('High'), 'high'] as const,
    [t('Medium'), 'medium'] as const,
    [t('Low'), 'low'] as const,
    [t('None'), 'none'] as const,
  ].map(([own, english]) => {
    const word = plain(own).toLocaleLowerCase();
    return priorityNamed(word) === priorityNamed(english) ? word : english;
  });

/** Names that begin with the typed text come before those that contain it. */
function rankOf(name: string, typed: string): number {
  const at = name.indexOf(typed);
  return at === 0 ? 0 : at > 0 && typed.length > 1 ? 1 : 2;
}

function suggestionOf({ name, count }: NamedThing, kind: SignedKind, sign: string): NameSuggestion {
  const isQuoted = kind === 'tag' && /[\s"]/.test(name);
  return {
    kind,
    name,
    label: isolate(`${sign}${plain(name)}`),
    detail: count === undefined ? '' : tn(count, '{0} task', '{0} tasks'),
    text: `${sign}${isQuoted ? `"${name}"` : name} `,
  };
}
