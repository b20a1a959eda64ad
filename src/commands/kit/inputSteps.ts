import * as vscode from 'vscode';
import { askWith } from '../../ui/dialogs';
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
  /** Shown from the start: what was wrong with the last try. */
  readonly problem?: string;
  /** A message keeps the step open; a warning does not. */
  readonly check?: (value: string) => string | { readonly warning: string } | undefined;
  /**
   * What has to be found out before the next step can be asked. The step stays and shows that it is busy; where it fails,
   * the step says why and can be tried again.
   */
  readonly settle?: (value: string) => Promise<unknown>;
}

/** One line of a flow, with a way back from the second step on. Undefined where the person leaves. */
export function askText(options: TextStep): Promise<string | typeof back | undefined> {
  const box = vscode.window.createInputBox();
  box.title = options.title;
  box.prompt = options.prompt;
  box.placeholder = options.placeholder;
  box.value = options.value ?? '';
  box.valueSelection = [0, box.value.length];
  box.password = options.secret ?? false;
  if (options.of > 1) {
    box.step = options.step;
    box.totalSteps = options.of;
  }
  box.ignoreFocusOut = true;
  box.buttons = options.step > 1 ? [vscode.QuickInputButtons.Back] : [];
  box.validationMessage = options.problem;
  return new Promise(resolve => {
    let answer: string | typeof back | undefined;
    let isCanceled = false;
    const check = () => {
      const found = options.check?.(box.value);
      box.validationMessage =
        typeof found === 'object'
          ? { message: found.warning, severity: vscode.InputBoxValidationSeverity.Warning }
          : found;
      return typeof found !== 'string';
    };
    const accept = async () => {
      if (box.busy || !check()) return;
      const { value } = box;
      if (options.settle) {
        box.busy = true;
        box.enabled = false;
        const problem = await options.settle(value).then(() => undefined, explain);
        if (isCanceled) return;
        if (problem !== undefined) {
          box.busy = false;
          box.enabled = true;
          box.validationMessage = problem;
          return;
        }
      }
      answer = value;
      box.hide();
    };
    box.onDidChangeValue(check);
    box.onDidTriggerButton(() => {
      answer = back;
      box.hide();
    });
    box.onDidAccept(() => void accept());
    box.onDidHide(() => {
      isCanceled = true;
      box.dispose();
      resolve(answer);
    });
    box.show();
  });
}

interface PickStep {
  readonly title: string;
  readonly placeholder: string;
  readonly step?: number;
  readonly of?: number;
  /** Where absent, from the second step on. */
  readonly hasBack?: boolean;
  /** Stays when the focus goes elsewhere: the person looks something up for it, or comes back from a browser. */
  readonly stays?: boolean;
}

/** One choice of a flow, with a way back. Undefined where the person leaves. */
export function pickStep<A>(
  lines: readonly (vscode.QuickPickItem & { readonly answer: A })[],
  options: PickStep,
): Promise<A | typeof back | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly answer: A }>();
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.step = options.step;
  pick.totalSteps = options.of;
  pick.items = lines;
  pick.ignoreFocusOut = options.stays ?? false;
  pick.buttons = (options.hasBack ?? (options.step ?? 1) > 1) ? [vscode.QuickInputButtons.Back] : [];
  return askWith(resolve => {
    let answer: A | typeof back | undefined;
    pick.onDidTriggerButton(() => {
      answer = back;
      pick.hide();
    });
    pick.onDidAccept(() => {
      const [line] = pick.activeItems;
      if (!line) return;
      answer = line.answer;
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(answer);
    });
    pick.show();
  });
}
