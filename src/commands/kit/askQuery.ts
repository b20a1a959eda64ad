import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isDuelineError } from '../../core/errors';
import { isolate, t, tn, unlinked } from '../../shared/l10n';
import { asked } from '../../ui/dialogs';
import { explain } from '../../ui/errors';

/** A query with its count while it is typed; one that cannot be read is not accepted. */
export function askQuery(engine: DuelineEngine, title: string, value: string): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = title;
  box.value = value;
  box.placeholder = 'due:<=today #work !high';
  const look = (): boolean => {
    try {
      const isEmpty = box.value.trim() === '';
      box.prompt = isEmpty
        ? t('Type text or a query: due:week #work -is:recurring')
        : tn(engine.query(box.value).length, '{0} task matches', '{0} tasks match');
      box.validationMessage = undefined;
      return !isEmpty;
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      const where = error.range ? ` ${t('At: {0}', isolate(box.value.slice(...error.range)))}` : '';
      box.validationMessage = unlinked(explain(error) + where);
      return false;
    }
  };
  return asked(resolve => {
    let query: string | undefined;
    box.onDidChangeValue(look);
    box.onDidAccept(() => {
      if (!look()) return;
      query = box.value.trim();
      box.hide();
    });
    box.onDidHide(() => {
      box.dispose();
      resolve(query);
    });
    look();
    box.show();
  });
}
