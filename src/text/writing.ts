import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { indentOf, readLine, withIdAtEnd, withPartBelow, writeLine } from '../core/text/document/line';
import { readText, splitLines } from '../core/text/document/readText';
import type { LineMeaning } from '../core/text/document/types';
import { addDays, dayOfCivil, today } from '../core/time/dates';
import { plain, t } from '../shared/l10n';
import { nameSuggestions } from '../ui/nameSuggestions';
import { nearDays } from '../ui/presetDays';
import { TextDiagnostic } from './diagnostics';
import type { TextFiles } from './textFiles';

const kinds = {
  tag: vscode.CompletionItemKind.Keyword,
  list: vscode.CompletionItemKind.Folder,
  priority: vscode.CompletionItemKind.EnumMember,
  template: vscode.CompletionItemKind.Snippet,
  day: vscode.CompletionItemKind.Value,
} as const;

/** The order in which a line that is put in order says its parts. */
const order = [
  'start',
  'due',
  'repeat',
  'reminder',
  'estimate',
  'priority',
  'tag',
  'list',
  'after',
  'template',
  'url',
  'note',
];

/** Changes texts of tasks at the user's word: names that are completed, actions on lines, a text put in order. */
export class TextWriting
  implements vscode.CompletionItemProvider, vscode.CodeActionProvider, vscode.DocumentFormattingEditProvider
{
  constructor(
    private readonly engine: DuelineEngine,
    private readonly files: TextFiles,
  ) {}

  register(selector: vscode.DocumentSelector): vscode.Disposable {
    const { languages } = vscode;
    return vscode.Disposable.from(
      languages.registerCompletionItemProvider(selector, this, '#', '@', '!', ':'),
      languages.registerCodeActionsProvider(selector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite],
      }),
      languages.registerDocumentFormattingEditProvider(selector, this),
    );
  }

  provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    _token: vscode.CancellationToken,
    { triggerKind }: vscode.CompletionContext,
  ): vscode.CompletionList {
    const none = new vscode.CompletionList();
    const { text } = document.lineAt(position.line);
    const meaning = this.#read(document, position.line);
    if (!meaning) return none;
    const found = nameSuggestions(this.engine, text, { caret: position.character });
    if (found) {
      // Enter would replace the sign at the end of a line: "Attention !".
      if (triggerKind === vscode.CompletionTriggerKind.TriggerCharacter && !found.preselectsFirst) return none;
      const range = new vscode.Range(position.line, found.range[0], position.line, found.range[1]);
      const names = found.names.filter(({ kind }) => kind !== 'template' || meaning.id === undefined);
      const items = names.map(({ kind, label, detail, text: name }, at) =>
        Object.assign(new vscode.CompletionItem({ label, description: detail }, kinds[kind]), {
          range,
          insertText: name.trimEnd(),
          filterText: name.trimEnd(),
          sortText: String(at).padStart(3, '0'),
        }),
      );
      // The editor asks again with each letter: nothing is offered for a whole name, and Enter begins a line.
      return new vscode.CompletionList(items, true);
    }
    // Days are not offered while a word is typed: Enter would take "Today" for a title that ends in "to".
    if (!/\s$/.test(text.slice(0, position.character))) return none;
    const days = nearDays(this.engine).map(({ label, day }) =>
      Object.assign(new vscode.CompletionItem({ label, description: day }, vscode.CompletionItemKind.Constant), {
        insertText: day,
        filterText: `${plain(label)} ${day}`,
        sortText: day,
      }),
    );
    return new vscode.CompletionList(days);
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const fixes = diagnostics.flatMap(one => (one instanceof TextDiagnostic ? this.#fixesOf(document, one) : []));
    const lines: number[] = [];
    for (let at = range.start.line; at <= range.end.line; at++) if (this.#read(document, at)) lines.push(at);
    if (lines.length === 0) return fixes;
    const rewrite = (title: string, of: (meaning: LineMeaning, raw: string) => string) =>
      actionOf(document, title, vscode.CodeActionKind.RefactorRewrite, lines, raw =>
        of(this.files.of(document.uri)!.tasks.read(raw)!, raw),
      );
    return [
      ...fixes,
      rewrite(t('Complete'), (_, raw) => withBox(raw, 'x')),
      rewrite(t('Mark as Canceled'), (_, raw) => withBox(raw, '-')),
      rewrite(t('Postpone by 1 day'), (meaning, raw) => this.#postponed(meaning, raw)),
      ...(
        [
          ['!high', t('Set priority: High')],
          ['!medium', t('Set priority: Medium')],
          ['!low', t('Set priority: Low')],
        ] as const
      ).map(([sign, title]) => rewrite(title, (meaning, raw) => withPart(raw, meaning, 'priority', sign))),
    ];
  }

  /** Indents by two for each level, and says the parts of each line in one order, if it is read as before. */
  provideDocumentFormattingEdits(document: vscode.TextDocument): vscode.TextEdit[] {
    const lines = splitLines(document.getText());
    const isHeaded = lines.some((raw, at) => /^\S/.test(raw) && raw.trim() !== '' && !this.#read(document, at));
    const { tasks } = readText(document.getText(), isHeaded ? 'headings' : 'list');
    return tasks.flatMap(line => {
      const raw = withIdAtEnd(lines[line.at]!);
      const meaning = this.files.of(document.uri)?.tasks.read(raw);
      const made = writeLine({
        ...line,
        words: meaning ? this.#inOrder(document, meaning, raw) : line.words,
        indent: (line.depth + (isHeaded ? 1 : 0)) * 2,
      });
      return made === lines[line.at] ? [] : [vscode.TextEdit.replace(document.lineAt(line.at).range, made)];
    });
  }

  #inOrder(document: vscode.TextDocument, { words, from, tokens, title }: LineMeaning, raw: string): string {
    let rest = '';
    let end = from;
    for (const token of tokens) {
      rest += `${raw.slice(end, token.from).trim()} `;
      end = token.to;
    }
    rest += raw.slice(end, from + words.length).trim();
    const parts = tokens.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    const made = [rest.trim().replace(/\s+/g, ' '), ...parts.map(token => raw.slice(token.from, token.to))]
      .filter(Boolean)
      .join(' ');
    const read = this.files.of(document.uri)?.tasks.read(` ${made}`);
    const contentOf = (meaning: LineMeaning['tokens']) =>
      meaning
        .map(({ kind, value }) => `${kind} ${value}`)
        .sort()
        .join();
    return read && read.title === title && contentOf(read.tokens) === contentOf(tokens) ? made : words;
  }

  #postponed(meaning: LineMeaning, raw: string): string {
    const now = today(this.engine.clock, this.engine.settings.dayStartHour);
    const due = meaning.tokens.find(({ kind }) => kind === 'due');
    const day = due && /^\d{4}-\d{2}-\d{2}/.exec(due.value)?.[0];
    const next = addDays(day && day > now ? dayOfCivil(Date.parse(`${day}T00:00:00Z`)) : now, 1);
    const time = due?.value.slice(10).replace('T', ' ') ?? '';
    return withPart(raw, meaning, 'due', `${next}${time}`);
  }

  #fixesOf(document: vscode.TextDocument, diagnostic: TextDiagnostic): vscode.CodeAction[] {
    const { range, problem } = diagnostic;
    const { line } = range.start;
    const fix = (title: string, of: (raw: string) => string) =>
      Object.assign(actionOf(document, title, vscode.CodeActionKind.QuickFix, [line], of), {
        diagnostics: [diagnostic],
      });
    const { kind, theirs } = problem;
    const keep = fix(t('Keep as text'), () => {
      const { text } = document.lineAt(line);
      return `${text.slice(0, range.start.character)}\\${text.slice(range.start.character)}`;
    });
    if (kind === 'changed' && theirs !== undefined)
      return [fix(t('Use the newer version'), raw => withWords(raw, theirs))];
    if (kind === 'gone' || kind === 'doubled' || kind === 'unknown')
      return [fix(t('Add as a new task'), raw => raw.replace(/\s+dl-[a-z\d.]+\s*$/i, ''))];
    if (kind === 'template') return [fix(t('Add as a subtask'), () => this.#withSubtask(document, range)), keep];
    return kind === 'noList' || kind === 'noDate' ? [keep] : [];
  }

  #withSubtask(document: vscode.TextDocument, { start, end }: vscode.Range): string {
    const next = start.line + 1 < document.lineCount ? document.lineAt(start.line + 1).text : '';
    return withPartBelow(document.lineAt(start.line).text, next, start.character, end.character);
  }

  #read(document: vscode.TextDocument, at: number): LineMeaning | undefined {
    return this.files.of(document.uri)?.tasks.read(document.lineAt(at).text);
  }
}

function actionOf(
  document: vscode.TextDocument,
  title: string,
  kind: vscode.CodeActionKind,
  lines: readonly number[],
  of: (raw: string) => string,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, kind);
  action.edit = new vscode.WorkspaceEdit();
  for (const at of lines) {
    const { text, range } = document.lineAt(at);
    const made = of(withIdAtEnd(text));
    if (made !== text) action.edit.replace(document.uri, range, made);
  }
  return action;
}

function withBox(raw: string, box: 'x' | '-'): string {
  const line = readLine(raw, 0);
  return line ? writeLine({ ...line, box, indent: indentOf(raw) }) : raw;
}

function withWords(raw: string, words: string): string {
  const line = readLine(raw, 0);
  return line ? writeLine({ ...line, words }) : raw;
}

/** Replaces a part of the line, or adds it at the end if the line does not have it. */
function withPart(raw: string, { tokens, from, words }: LineMeaning, kind: string, text: string): string {
  const existing = tokens.find(token => token.kind === kind);
  const [start, end] = existing ? [existing.from, existing.to] : [from + words.length, from + words.length];
  return `${raw.slice(0, start)}${existing ? '' : ' '}${text}${raw.slice(end)}`;
}
