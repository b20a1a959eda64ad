/**
 * A text for people from below the views: a code with its arguments, and the English sentence for the log, the API and
 * the command line. Views word the code in the user's language (`ui/text/errorText`).
 *
 * @example
 * { code: 'accountDuplicate', args: ['Posteo'], text: 'This account is already set up: Posteo.' }
 */
export interface Message {
  /** Absent if the text is another program's: the server's or the system's. */
  readonly code?: string;
  readonly args: readonly Argument[];
  /** The English sentence, filled in. */
  readonly text: string;
}

/** A message inside of another one is worded with it. */
export type Argument = string | number | Message;

/** A tuple of as many arguments as the template has placeholders. */
type ArgumentsOf<Template extends string> = Template extends `${string}{3}${string}`
  ? [Argument, Argument, Argument, Argument]
  : Template extends `${string}{2}${string}`
    ? [Argument, Argument, Argument]
    : Template extends `${string}{1}${string}`
      ? [Argument, Argument]
      : Template extends `${string}{0}${string}`
        ? [Argument]
        : [];

const templates = new Map<string, string>();

/**
 * The messages of a layer: English templates by code, which is unique among all layers. They are also the keys of the
 * translations in l10n/.
 *
 * @example
 * const listMessage = messageTable({ gone: 'The list {0} is gone.' });
 * listMessage('gone', 'Work').text // 'The list Work is gone.'
 */
export function messageTable<const Table extends Readonly<Record<string, string>>>(table: Table) {
  for (const [code, template] of Object.entries(table)) templates.set(code, template);
  const message = <Code extends keyof Table & string>(code: Code, ...args: ArgumentsOf<Table[Code]>): Message => ({
    code,
    args,
    text: filled(table[code]!, args.map(inEnglish)),
  });
  return Object.assign(message, { table });
}

/** The English template, undefined for a code of another version. */
export const messageTemplate = (code: string): string | undefined => templates.get(code);

export const filled = (template: string, args: readonly string[]): string =>
  template.replace(/\{(\d)\}/g, (place, at) => args[Number(at)] ?? place);

export const plainMessage = (text: string): Message => ({ args: [], text });

export const asMessage = (message: Message | string): Message =>
  typeof message === 'string' ? plainMessage(message) : message;

const inEnglish = (argument: Argument): string => (typeof argument === 'object' ? argument.text : String(argument));
