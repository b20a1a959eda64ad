import type * as vscode from 'vscode';
import { t } from '../../shared/l10n';
import { ask } from '../../ui/dialogs';

interface Line<Answer> extends vscode.QuickPickItem {
  /** Absent on a line that is only a note. */
  readonly answer?: Answer;
}

interface DateQuestion<Answer> {
  readonly title: string;
  readonly placeholder: string;
  readonly presets: readonly Line<Answer>[];
  /** The line for what is typed; undefined if it is no date. */
  readonly read: (text: string) => Line<Answer> | undefined;
}

/** Asks for a date or a length of time: a preset, or whatever is typed. Enter takes what was typed. */
export const askDate = <Answer>({
  title,
  placeholder,
  presets,
  read,
}: DateQuestion<Answer>): Promise<Answer | undefined> =>
  ask<Line<Answer>, Answer>({ title, placeholder, items: presets }, pick => ({
    onType(typed) {
      const text = typed.trim();
      const line = text === '' ? undefined : read(text);
      const isPreset = presets.some(({ label }) => label.toLocaleLowerCase().includes(text.toLocaleLowerCase()));
      const note: Line<Answer>[] =
        line || isPreset ? [] : [{ label: t('“{0}” is not a date.', text), alwaysShow: true }];
      const others = presets.filter(({ label }) => label !== line?.label);
      pick.items = [...(line ? [{ ...line, alwaysShow: true }] : []), ...others, ...note];
    },
    onAccept: (line = read(pick.value)) => line?.answer,
  }));
