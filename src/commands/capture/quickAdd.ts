import * as vscode from 'vscode';
import type { DuelineEngine, QuickAddOptions } from '../../api';
import type { QuickAddSeed } from '../../contributions/commandTargets';
import { KeptWords } from '../../core/keptWords';
import type { Id } from '../../core/model';
import type { EngineSettings } from '../../core/settings';
import { isolate, t } from '../../shared/l10n';
import { createDefaultList, defaultListOf } from '../../ui/defaultList';
import { asked } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { titleOf } from '../../ui/text/taskText';
import { onCommand } from '../kit/register';
import { announce } from '../kit/undo';
import { type QuickAddItem, quickAddItems } from './quickAddItems';

export const captureCommands = (engine: DuelineEngine): vscode.Disposable =>
  onCommand('dueline.quickAdd', seed => quickAdd(engine, seed));

/** A line that shows what can be typed, in the signs that the person chose. */
const quickAddExample = ({ quickAddDates, quickAddSyntax }: EngineSettings): string => {
  if (quickAddSyntax === 'todoist')
    return quickAddDates ? t('Call the bank tomorrow 9am @money p1 #Home') : t('Call the bank @money p1 #Home');
  return quickAddDates ? t('Call the bank tomorrow 9am #money !high @Home') : t('Call the bank #money !high @Home');
};

/**
 * One line of words; what was understood stands below as chips. Choosing a chip turns it back into words, choosing the
 * first line adds the task, and the name of a list or a tag completes it. The input stays open until the task is written,
 * so that nothing typed is lost.
 */
function quickAdd(engine: DuelineEngine, seed?: QuickAddSeed): Promise<Id | undefined> {
  const {
    text: start,
    listId,
    parentId,
  } = typeof seed === 'object' ? seed : ({ text: seed } as Exclude<QuickAddSeed, string>);
  const place: QuickAddOptions = {
    ...(listId === undefined ? {} : { listId }),
    ...(parentId === undefined ? {} : { parentId }),
  };
  const pick = vscode.window.createQuickPick<QuickAddItem>();
  pick.placeholder = quickAddExample(engine.settings);
  pick.value = typeof start === 'string' ? start : '';
  pick.ignoreFocusOut = pick.value !== '';
  const kept = new KeptWords(pick.value);

  const options = (): QuickAddOptions => {
    kept.follow(pick.value);
    return { ...place, rejected: kept.ranges };
  };
  const show = () => {
    const text = pick.value;
    const result = engine.understand(text, options());
    pick.items = text.trim() === '' ? [] : quickAddItems(engine, result, options(), text);
    // The editor shows no headings among the lines while a person types.
    pick.title =
      result.tokens.length > 0 ? t('Quick Add Task – select a line below to keep it as text') : t('Quick Add Task');
  };
  const choose = async (does: NonNullable<QuickAddItem['does']>) => {
    if (does.type === 'keepWords') kept.keep(does.range);
    else if (does.type === 'newList') await createList(engine, does.name);
    else pick.value = pick.value.slice(0, does.range[0]) + does.text + pick.value.slice(does.range[1]);
    show();
  };

  return asked(resolve => {
    let added: Id | undefined;
    pick.onDidChangeValue(show);
    pick.onDidAccept(async () => {
      const does = pick.activeItems[0]?.does;
      const { problem } = engine.understand(pick.value, options());
      if (pick.busy || (!does && (pick.value.trim() === '' || problem))) return;
      pick.busy = true;
      try {
        if (does) await choose(does);
        else {
          added = await engine.quickAdd(pick.value, await withHome(engine, pick.value, options()));
          pick.hide();
          tellAdded(engine, added);
        }
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

/** Where every list is read-only, one is made, as the line that adds has said. */
async function withHome(engine: DuelineEngine, text: string, options: QuickAddOptions): Promise<QuickAddOptions> {
  const isPlaced = options.listId !== undefined || engine.understand(text, options).listId !== undefined;
  return isPlaced ? options : { ...options, listId: await createDefaultList(engine) };
}

/** The new task may stand where nothing shows it. */
function tellAdded(engine: DuelineEngine, id: Id): void {
  const task = engine.task(id);
  const list = engine.lists().find(one => one.id === task?.listId);
  if (task && list) announce(t('Added {0} to {1}', isolate(titleOf(task)), isolate(list.name)));
}

/** Beside the list that tasks go to otherwise: in the same account, or on this computer. */
async function createList(engine: DuelineEngine, name: string): Promise<void> {
  const home = defaultListOf(engine);
  const beside = engine.lists().find(({ id }) => id === home);
  await engine.createList({ name, accountId: beside?.accountId ?? null });
}
