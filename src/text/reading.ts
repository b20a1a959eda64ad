import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { indentOf, withIdAtEnd } from '../core/text/document/line';
import { maxLevels } from '../core/text/document/readText';
import type { LineMeaning } from '../core/text/document/types';
import { isolate, listed, t } from '../shared/l10n';
import { dateStyle } from '../ui/settings/settings';
import { momentLabel } from '../ui/text/dateText';
import { chipLabel } from '../ui/text/taskText';
import type { TextFiles } from './textFiles';

/** Colors of the theme for the parts of a line, by what quick add calls them. */
const tokenTypes = [
  ...['date', 'repeat', 'reminder', 'estimate', 'tag', 'priority', 'list', 'note', 'url', 'after', 'template'],
  ...['heading', 'box', 'id', 'done'],
] as const;
type TokenType = (typeof tokenTypes)[number];

const typeOf = (kind: string): TokenType => (kind === 'due' || kind === 'start' ? 'date' : (kind as TokenType));

const legend = new vscode.SemanticTokensLegend(tokenTypes.map(type => `dueline-${type}`));

/** Helps to read texts of tasks: colors, hovers with what was recognized, dates, and the outline. */
export class TextReading
  implements
    vscode.DocumentRangeSemanticTokensProvider,
    vscode.HoverProvider,
    vscode.InlayHintsProvider,
    vscode.DocumentSymbolProvider,
    vscode.FoldingRangeProvider
{
  constructor(
    private readonly engine: DuelineEngine,
    private readonly files: TextFiles,
  ) {}

  register(selector: vscode.DocumentSelector): vscode.Disposable {
    const { languages } = vscode;
    return vscode.Disposable.from(
      languages.registerDocumentRangeSemanticTokensProvider(selector, this, legend),
      languages.registerHoverProvider(selector, this),
      languages.registerInlayHintsProvider(selector, this),
      languages.registerDocumentSymbolProvider(selector, this, { label: 'Dueline' }),
      languages.registerFoldingRangeProvider(selector, this),
    );
  }

  provideDocumentRangeSemanticTokens(document: vscode.TextDocument, range: vscode.Range): vscode.SemanticTokens {
    const builder = new vscode.SemanticTokensBuilder(legend);
    const push = (at: number, from: number, to: number, type: TokenType) => {
      if (to > from) builder.push(at, from, to - from, tokenTypes.indexOf(type), 0);
    };
    for (const { at, raw, meaning } of this.#lines(document, range)) {
      if (!meaning) {
        push(at, 0, raw.trimEnd().length, 'heading');
        continue;
      }
      const indent = raw.search(/\S/);
      push(at, indent, meaning.from, 'box');
      const end = raw.trimEnd().length;
      const { id = '', idFrom = end } = meaning;
      const idTo = idFrom + id.length;
      if (/\[[xX-]\]/.test(raw.slice(indent, meaning.from))) {
        push(at, meaning.from, raw.slice(0, idFrom).trimEnd().length, 'done');
        push(at, idTo, end, 'done');
      } else for (const { from, to, kind } of meaning.tokens) push(at, from, to, typeOf(kind));
      push(at, idFrom, idTo, 'id');
    }
    return builder.build();
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const meaning = this.#meaning(document, position.line);
    if (!meaning) return undefined;
    const text = new vscode.MarkdownString();
    const parts = meaning.tokens.map(token => isolate(chipLabel(token)));
    text.appendText(meaning.title === '' ? t('(no title)') : isolate(meaning.title));
    if (parts.length > 0) {
      text.appendMarkdown('\n\n');
      text.appendText(listed(parts));
    }
    const task = meaning.id === undefined ? undefined : this.engine.tasksByShortIds([meaning.id]).get(meaning.id);
    if (task) {
      const args = encodeURIComponent(JSON.stringify([task.id]));
      text.appendMarkdown(`\n\n[${t('Open Task')}](command:dueline.open?${args})`);
      text.isTrusted = { enabledCommands: ['dueline.open'] };
    }
    return new vscode.Hover(text);
  }

  provideInlayHints(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    return this.#lines(document, range).flatMap(({ at, meaning }) => {
      const dates = meaning?.tokens.filter(({ kind }) => kind === 'due' || kind === 'repeat') ?? [];
      const last = dates.find(({ kind }) => kind === 'due') ?? dates.at(-1);
      const due = meaning?.input.due;
      if (!last || typeof due !== 'number') return [];
      const { isAllDay = false, timezone = null } = meaning!.input;
      const style = { ...dateStyle(this.engine), dateFormat: 'relative' as const };
      const label = last.kind === 'due' ? last.label : momentLabel(due, { isAllDay, timezone }, style);
      const hint = new vscode.InlayHint(new vscode.Position(at, last.to), `→ ${label}`);
      hint.paddingLeft = true;
      return [hint];
    });
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const top: vscode.DocumentSymbol[] = [];
    const open: { readonly indent: number; readonly symbol: vscode.DocumentSymbol }[] = [];
    for (let at = 0; at < document.lineCount; at++) {
      const line = document.lineAt(at);
      if (line.isEmptyOrWhitespace) continue;
      const indent = indentOf(line.text);
      const name = withIdAtEnd(line.text)
        .trim()
        .replace(/\s+dl-[a-z\d.]+$/i, '');
      const kind = this.#isHeading(document, line.text) ? vscode.SymbolKind.Namespace : vscode.SymbolKind.Field;
      const symbol = new vscode.DocumentSymbol(name || '·', '', kind, line.range, line.range);
      while (open.length >= maxLevels || (open.length > 0 && open.at(-1)!.indent >= indent)) open.pop();
      (open.at(-1)?.symbol.children ?? top).push(symbol);
      for (const { symbol: above } of open) above.range = above.range.union(line.range);
      open.push({ indent, symbol });
    }
    return top;
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    const found: vscode.FoldingRange[] = [];
    const visit = (symbols: readonly vscode.DocumentSymbol[]) => {
      for (const { range, children } of symbols) {
        if (children.length > 0) found.push(new vscode.FoldingRange(range.start.line, range.end.line));
        visit(children);
      }
    };
    visit(this.provideDocumentSymbols(document));
    return found;
  }

  #isHeading = (document: vscode.TextDocument, raw: string) =>
    /^\S/.test(raw) && this.files.of(document.uri)?.tasks.read(raw) === undefined;

  #lines(document: vscode.TextDocument, { start, end }: vscode.Range) {
    const lines: { readonly at: number; readonly raw: string; readonly meaning: LineMeaning | undefined }[] = [];
    for (let at = start.line; at <= Math.min(end.line, document.lineCount - 1); at++) {
      const { text: raw, isEmptyOrWhitespace } = document.lineAt(at);
      if (!isEmptyOrWhitespace) lines.push({ at, raw, meaning: this.#meaning(document, at) });
    }
    return lines;
  }

  #meaning(document: vscode.TextDocument, at: number): LineMeaning | undefined {
    return this.files.of(document.uri)?.tasks.read(document.lineAt(at).text);
  }
}
