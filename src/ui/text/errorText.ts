import { filled, type Message, messageTemplate } from '../../core/kernel/message';
import { inIsolates, wordsFor } from '../../shared/l10n';

/**
 * A message of the inner layers in the user's language. Another program's words stay as they are.
 *
 * @example
 * localize(syncMessage('listNotFound')) // 'Liste nicht gefunden.'
 */
export const localize = (message: Message): string =>
  message.code === undefined ? message.text : inIsolates(worded(message));

/** A code that this version does not know was kept by a newer one: its English sentence is better than nothing. */
function worded({ code, args, text }: Message): string {
  const template = code === undefined ? undefined : messageTemplate(code);
  if (template === undefined) return text;
  const parts = args.map(part => (typeof part === 'object' ? worded(part) : String(part)));
  return filled(wordsFor(template) ?? template, parts);
}
