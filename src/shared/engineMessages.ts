import { type Bundle, framed } from './l10n';

/** Of l10n/messages.json: an English sentence with what other languages say for it. */
export type Messages = Readonly<Record<string, Bundle>>;

/**
 * What the engine says, in the person's language. Errors, notices, what a server refused: they reach a view as English
 * sentences, many of them out of the store, written by another window or on another day. Here a sentence is found again
 * among those that the engine knows, and said anew. One that is not among them, a server's own words, stays as it is.
 */
export function localize(text: string): string {
  const said = found(text);
  return said === undefined ? text : framed(said);
}

function found(text: string): string | undefined {
  const [lead = ''] = /^\s*/.exec(text)!;
  const bare = text.trim();
  const whole = bundle.get(bare);
  if (whole !== undefined) return lead + whole;
  for (const { pattern, said } of templates()) {
    const parts = pattern.exec(bare)?.slice(1);
    if (parts)
      return lead + said.replace(/\{(\d)\}/g, (_, at) => found(parts[Number(at)] ?? '') ?? parts[Number(at)] ?? '');
  }
  return undefined;
}

let bundle: ReadonlyMap<string, string> = new Map();
let known: readonly Template[] | undefined;

interface Template {
  readonly pattern: RegExp;
  readonly said: string;
}

/** `language`: the name of one in the messages; undefined leaves them in English. */
export function useMessages(messages: Messages | undefined, language: string | undefined): void {
  const said = Object.entries(messages ?? {}).flatMap(([english, others]) => {
    const own = language && others[language];
    return own ? [[english, own] as const] : [];
  });
  bundle = new Map(said);
  known = undefined;
}

/** Those with the most words of their own first, since “{0} refused this.” would also fit longer ones. */
function templates(): readonly Template[] {
  known ??= [...bundle]
    .filter(([sentence]) => sentence.includes('{0}'))
    .toSorted(([a], [b]) => ownLength(b) - ownLength(a))
    .map(([sentence, said]) => ({ pattern: patternOf(sentence), said }));
  return known;
}

const ownLength = (sentence: string) => sentence.replace(/\{\d\}/g, '').length;

function patternOf(sentence: string): RegExp {
  const pieces = sentence.split(/\{\d\}/).map(piece => piece.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&'));
  return new RegExp(`^${pieces.join('(.*?)')}$`, 's');
}
