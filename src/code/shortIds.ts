import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { textScheme } from '../contributions/ids';
import { shortIdWords } from '../core/code/shortId';
import { Disposables } from '../core/kernel/events';
import type { Id, Task } from '../core/kernel/model';
import { isolate, t } from '../shared/l10n';
import { titleOf } from '../ui/text/taskText';

type Engine = Pick<DuelineEngine, 'tasksByShortIds'>;

interface ShortId {
  readonly from: number;
  readonly text: string;
  readonly task: Id;
  readonly tooltip: string;
}

const maxCharacters = 1024 * 1024;

/** The tasks that texts name, looked up in one query. */
function tasksNamedIn(engine: Engine, texts: readonly string[]): ReadonlyMap<string, Task> {
  const read = texts.filter(({ length }) => length <= maxCharacters);
  return engine.tasksByShortIds(read.flatMap(shortIdWords).map(([word]) => word));
}

/** The short IDs of existing tasks in a text; other words look like one, too. */
function shortIdsIn(engine: Engine, text: string, tasks = tasksNamedIn(engine, [text])): ShortId[] {
  if (tasks.size === 0) return [];
  return shortIdWords(text).flatMap(({ 0: word, index }) => {
    const task = tasks.get(word);
    return task ? [{ from: index, text: word, task: task.id, tooltip: t('Open {0}', isolate(titleOf(task))) }] : [];
  });
}

/** The address that opens the task in this editor, for documents that cannot run a command. */
const addressOf = (extensionId: string, shortId: string): string =>
  `${vscode.env.uriScheme}://${extensionId}/task?id=${shortId}`;

/** The part of markdown-it, which the editor's preview is made with, that is used here. */
interface MarkdownToken {
  readonly type: string;
  content: string;
  children: MarkdownToken[] | null;
  attrSet(name: string, value: string): void;
}
interface MarkdownState {
  readonly tokens: readonly MarkdownToken[];
  readonly Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => MarkdownToken;
}
export interface MarkdownIt {
  readonly core: { readonly ruler: { push(name: string, rule: (state: MarkdownState) => void): void } };
}

/** Short IDs in the text of a preview, but not in its links and its code, as links to their tasks. */
export function linkShortIds(md: MarkdownIt, engine: Engine, extensionId: string): MarkdownIt {
  md.core.ruler.push('dueline', ({ tokens, Token }) => {
    const made = (type: string, tag: string, nesting: -1 | 0 | 1, content = '') =>
      Object.assign(new Token(type, tag, nesting), { content });
    const texts = tokens.flatMap(({ children }) => children?.map(({ content }) => content) ?? []);
    const tasks = tasksNamedIn(engine, texts);
    const linked = (text: string): MarkdownToken[] => {
      let at = 0;
      const parts = shortIdsIn(engine, text, tasks).flatMap(({ from, text: id, tooltip }) => {
        const before = text.slice(at, from);
        at = from + id.length;
        const link = made('link_open', 'a', 1);
        link.attrSet('href', addressOf(extensionId, id));
        link.attrSet('title', tooltip);
        return [made('text', '', 0, before), link, made('text', '', 0, id), made('link_close', 'a', -1)];
      });
      return [...parts, made('text', '', 0, text.slice(at))];
    };
    for (const block of tokens) {
      let depth = 0;
      block.children =
        block.children?.flatMap(token => {
          if (token.type === 'link_open') depth++;
          if (token.type === 'link_close') depth--;
          return token.type === 'text' && depth === 0 && token.content.includes('dl-')
            ? linked(token.content)
            : [token];
        }) ?? null;
    }
  });
  return md;
}

interface TerminalId extends vscode.TerminalLink {
  readonly task: Id;
}

/** Short IDs in files, commit messages and terminals open their tasks. */
export function shortIdLinks(engine: Engine): vscode.Disposable {
  const owned = new Disposables();
  owned.add(
    vscode.languages.registerDocumentLinkProvider(
      { pattern: '**' },
      {
        // A text of tasks has an ID in each line, and underlines would be all that one sees of it.
        provideDocumentLinks: document =>
          (document.uri.scheme === textScheme ? [] : shortIdsIn(engine, document.getText())).map(
            ({ from, text, task, tooltip }) => {
              const range = new vscode.Range(document.positionAt(from), document.positionAt(from + text.length));
              const args = encodeURIComponent(JSON.stringify([task]));
              const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:dueline.open?${args}`));
              link.tooltip = tooltip;
              return link;
            },
          ),
      },
    ),
  );
  owned.add(
    vscode.window.registerTerminalLinkProvider({
      provideTerminalLinks: ({ line }): TerminalId[] =>
        shortIdsIn(engine, line).map(({ from, text, task, tooltip }) => ({
          startIndex: from,
          length: text.length,
          tooltip,
          task,
        })),
      handleTerminalLink: async ({ task }: TerminalId) => {
        await vscode.commands.executeCommand('dueline.open', task);
      },
    }),
  );
  return owned;
}
