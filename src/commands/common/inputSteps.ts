import * as vscode from 'vscode';
import { ask, askLine } from '../../ui/dialogs';
import { explain } from '../../ui/errors';

export const back = Symbol('back');

interface TextStep {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly secret?: boolean;
  readonly step: number;
  readonly of: number;
  /** The problem with the last input, shown from the start. */
  readonly problem?: string;
  /** A message keeps the step open; a warning does not. */
  readonly check?: (value: string) => string | { readonly warning: string } | undefined;
  /**
   * Loads the data for the next step. Meanwhile this step is shown as busy. If it fails, the reason is shown and the user
   * can try again.
   */
  readonly settle?: (value: string) => Promise<unknown>;
}

/** Asks for one line of a flow, with a way back from the second step on. Undefined if the user cancels. */
export const askText = ({
  value = '',
  secret: password = false,
  step,
  of: totalSteps,
  problem: validationMessage,
  check: problemOf,
  settle,
  ...words
}: TextStep): Promise<string | typeof back | undefined> =>
  askLine<string | typeof back>(
    {
      ...words,
      value,
      valueSelection: [0, value.length],
      password,
      validationMessage,
      ignoreFocusOut: true,
      ...(totalSteps > 1 && { step, totalSteps }),
      buttons: step > 1 ? [vscode.QuickInputButtons.Back] : [],
    },
    box => {
      const check = () => {
        const found = problemOf?.(box.value);
        box.validationMessage =
          typeof found === 'object'
            ? { message: found.warning, severity: vscode.InputBoxValidationSeverity.Warning }
            : found;
        return typeof found !== 'string';
      };
      return {
        onType: check,
        onButton: () => back,
        async onAccept() {
          if (box.busy || !check()) return undefined;
          const { value } = box;
          if (!settle) return value;
          Object.assign(box, { busy: true, enabled: false });
          const problem = await settle(value).then(() => undefined, explain);
          if (problem === undefined) return value;
          Object.assign(box, { busy: false, enabled: true, validationMessage: problem });
          return undefined;
        },
      };
    },
  );

interface PickStep {
  readonly title: string;
  readonly placeholder: string;
  readonly step?: number;
  readonly of?: number;
  /** If absent, there is a way back from the second step on. */
  readonly hasBack?: boolean;
  /** The picker stays open if the focus moves elsewhere: the user may look something up, or return from a browser. */
  readonly ignoreFocusOut?: boolean;
}

/** Asks for one choice of a flow, with a way back. Undefined if the user cancels. */
export const pickStep = <A>(
  items: readonly (vscode.QuickPickItem & { readonly answer: A })[],
  { title, placeholder, step, of: totalSteps, hasBack = (step ?? 1) > 1, ignoreFocusOut = false }: PickStep,
): Promise<A | typeof back | undefined> => {
  const buttons = hasBack ? [vscode.QuickInputButtons.Back] : [];
  return ask<(typeof items)[number], A | typeof back>(
    { title, placeholder, step, totalSteps, items, ignoreFocusOut, buttons },
    (_, { end }) => ({
      onButton: () => back,
      // The answer of an item may be undefined, which cancels like Escape.
      onAccept: line => void (line && end(line.answer)),
    }),
  );
};
