import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FormAct, FormField, FromForm } from '../../src/shared/taskEditorProtocol';

/** The acts that fields of the form can call. */
export interface FormHandlers {
  save(field: FormField, value: string): void;
  act(act: FormAct): void;
  send(message: FromForm): void;
  /** True while the latest text of a field waits to be saved. */
  isWaiting(field: FormField): boolean;
  /** True if the stored value results from the text that the field still shows. */
  isOwn(field: FormField, value: string): boolean;
  readonly problem: { readonly field: string; readonly message: string } | undefined;
}

export const row = (on: FormHandlers, field: string, label: string, control: TemplateResult): TemplateResult => html`
  <div class="entry" data-field=${field}>
    <label for=${field}>${label}</label>
    ${control}
    ${on.problem?.field === field ? html`<p class="problem" role="alert" id="${field}-problem">${on.problem.message}</p>` : nothing}
  </div>
`;

/**
 * Typed text wins over text from elsewhere until it is saved. The stored text may lack a space after which the user is
 * about to continue, so a field that they are typing in is left alone even then; a field without the caret is updated.
 */
export function keep(on: FormHandlers, field: FormField, id: string, value: string): string | ReturnType<typeof live> {
  const element = document.getElementById(id) as HTMLInputElement | null;
  const isTheirs = element && (on.isWaiting(field) || (document.activeElement === element && on.isOwn(field, value)));
  return isTheirs ? element.value : live(value);
}
