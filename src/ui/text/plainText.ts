import type { MarkdownString } from 'vscode';

/**
 * Appends what other programs may have written: as text, and nothing else. `appendText` alone leaves what begins a link
 * (`<command:…>`) or an entity.
 */
export const appendPlain = (to: MarkdownString, text: string): MarkdownString =>
  to.appendText(text.replace(/&/g, '&amp;').replace(/</g, '&lt;'));
