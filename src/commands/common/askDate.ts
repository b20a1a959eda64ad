import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { t } from '../../shared/l10n';
import { ask } from '../../ui/dialogs';
import { readRepeat } from './readRepeat';

interface Line<Answer> extends vscode.QuickPickItem {
  /** Absent on a line that is only a note. */
  readonly answer?: Answer;
}

interface DateQuestion<Answer> {
  readonly engine: DuelineEngine;
  readonly title: string;
  readonly placeholder: string;
  readonly presets: readonly Line<Answer>[];
  /** The line for what is typed; undefined if it is no date. */
  readonly read: (text: string) => Line<Answer> | undefined;
}

const noDateText = (engine: DuelineEngine, text: string) =>
  readRepeat(engine, text)
    ? t('“{0}” is a repeat. To set it, use “Set Repeat…”.', text)
    : t('“{0}” is not a date.', text);

/** Asks for a date or a length of time: a preset, or whatever is typed. Enter takes what was typed. */
export const askDate = <Answer>({
  engine,
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
      const note: Line<Answer>[] = line || isPreset ? [] : [{ label: noDateText(engine, text), alwaysShow: true }];
      const others = presets.filter(({ label }) => label !== line?.label);
      pick.items = [...(line ? [{ ...line, alwaysShow: true }] : []), ...others, ...note];
    },
    onAccept: (line = read(pick.value)) => line?.answer,
  }));
