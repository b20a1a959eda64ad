import * as vscode from 'vscode';
import type { QuickAddOptions, Understood } from '../api';
import type { Id } from '../core/model';
import type { EngineSettings } from '../core/settings';
import type { QuickAddSeed } from '../ids';
import { chipLabel } from '../views/describe';
import { showError } from '../views/errors';
import { isolate, t } from '../views/l10n';
import type { Parts } from '../views/parts';
import { dateStyle } from '../views/settings';
import { momentLabel } from '../views/when';
import { onCommand } from './register';

export const captureCommands = (parts: Parts): vscode.Disposable =>
  onCommand('dueline.quickAdd', seed => quickAdd(parts, seed));

/** A line that shows what can be typed, in the signs that the person chose. */
const quickAddExample = ({ quickAddDates, quickAddSyntax }: EngineSettings): string => {
  if (quickAddSyntax === 'todoist')
    return quickAddDates ? t('Call the bank tomorrow 9am @money p1 #Home') : t('Call the bank @money p1 #Home');
  return quickAddDates ? t('Call the bank tomorrow 9am #money !high @Home') : t('Call the bank #money !high @Home');
};

interface Line extends vscode.QuickPickItem {
  /** The range that was understood; absent on the line that adds. */
  readonly range?: readonly [number, number];
}

type Ranges = readonly (readonly [number, number])[];

/**
 * One line of words; what was understood stands below as chips. Choosing a chip turns it back into words, choosing the
 * first line adds the task. The input stays open until the task is written, so that nothing typed is lost.
 */
function quickAdd(parts: Parts, seed?: QuickAddSeed): Promise<Id | undefined> {
  const {
    text: start,
    listId,
    parentId,
  } = typeof seed === 'object' ? seed : ({ text: seed } as Exclude<QuickAddSeed, string>);
  const place: QuickAddOptions = {
    ...(listId === undefined ? {} : { listId }),
    ...(parentId === undefined ? {} : { parentId }),
  };
  const pick = vscode.window.createQuickPick<Line>();
  pick.title = t('Quick Add Task');
  pick.placeholder = quickAddExample(parts.engine.settings);
  pick.value = typeof start === 'string' ? start : '';
  pick.ignoreFocusOut = pick.value !== '';
  const rejected = new Rejected();

  const understood = () => parts.engine.understand(pick.value, { ...place, rejected: rejected.in(pick.value) });
  const show = () => {
    if (pick.value.trim() === '') {
      pick.items = [];
      return;
    }
    const result = understood();
    pick.items = lines(parts, result, place, pick.value);
  };

  return new Promise(resolve => {
    let added: Id | undefined;
    pick.onDidChangeValue(show);
    pick.onDidAccept(async () => {
      const chosen = pick.activeItems[0];
      if (chosen?.range) {
        rejected.add(pick.value, chosen.range);
        show();
        return;
      }
      const { problem } = understood();
      if (pick.value.trim() === '' || problem || pick.busy) return;
      pick.busy = true;
      try {
        const options: QuickAddOptions = { ...place, rejected: rejected.in(pick.value) };
        added = await parts.engine.quickAdd(pick.value, options);
        pick.hide();
      } catch (error) {
        void showError(error);
      } finally {
        pick.busy = false;
      }
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(added);
    });
    show();
    pick.show();
  });
}

/** Words that a person wants as words, found again wherever they stand after more typing. */
class Rejected {
  readonly #words = new Set<string>();

  add(text: string, [from, to]: readonly [number, number]): void {
    this.#words.add(text.slice(from, to));
  }

  in(text: string): Ranges {
    return [...this.#words].flatMap(words => {
      const at = text.indexOf(words);
      return at < 0 ? [] : [[at, at + words.length] as const];
    });
  }
}

const icons: Record<string, string> = {
  due: 'calendar',
  start: 'debug-start',
  repeat: 'sync',
  reminder: 'bell',
  tag: 'tag',
  priority: 'flag',
  list: 'list-unordered',
  note: 'note',
  url: 'link',
};

/** A repeat says nothing of its first day and time; where a chip of their own says them, it need not. */
function firstTime(parts: Parts, { input, tokens }: Understood): string {
  if (typeof input.due !== 'number' || tokens.some(({ kind }) => kind === 'due')) return '';
  const { isAllDay = false, timezone = null } = input;
  return ` · ${momentLabel(input.due, { isAllDay, timezone }, dateStyle(parts.engine))}`;
}

function lines(parts: Parts, result: Understood, place: QuickAddOptions, text: string): Line[] {
  const list = parts.engine
    .lists()
    .find(({ id }) => id === (result.listId ?? place.listId ?? parts.engine.defaultListId()));
  const add: Line = result.problem
    ? { label: `$(edit) ${t('Keep typing: the task still needs a title')}`, alwaysShow: true }
    : {
        label: `$(add) ${t('Add {0}', isolate(result.title))}`,
        description: list ? t('to {0}', isolate(list.name)) : undefined,
        alwaysShow: true,
      };
  const chips = result.tokens.map(
    (token): Line => ({
      label: `$(${icons[token.kind] ?? 'tag'}) ${chipLabel(token)}${token.kind === 'repeat' ? firstTime(parts, result) : ''}`,
      description: t('from {0}; choose it to keep the words', isolate(text.slice(token.from, token.to))),
      alwaysShow: true,
      range: [token.from, token.to],
    }),
  );
  if (chips.length === 0) return [add];
  return [add, { label: t('Understood'), kind: vscode.QuickPickItemKind.Separator }, ...chips];
}
