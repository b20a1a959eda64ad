/**
 * A line of text as Markdown that shows it as it is. Chats and editors show a backslash that is not needed, so there is one
 * only before a sign that would be read as markup: code between backticks stays code.
 */
export const literalMarkdown = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(markup, '\\$&')))
    .join('');

/** Underscores and `#` within words, and signs with a space on both sides, are not markup. */
const markup =
  /\\(?=[!-/:-@[-`{-~])|`|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)(?<!_)_+(?![\p{L}\p{N}_])|\*(?=\S)|(?<=\S)\*|~~|\[(?=[^\]]*\](?:\(|\[|:))|<(?=[A-Za-z/!?])|^#{1,6}(?=\s)/gu;
