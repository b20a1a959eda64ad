import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FormAct, FormField, FromForm } from '../../src/shared/taskEditorProtocol';

/** What the fields of the form may do with it. */
export interface FormHandlers {
  save(field: FormField, value: string): void;
  act(act: FormAct): void;
  tell(message: FromForm): void;
  /** True while a field's last words wait to be saved. */
  isWaiting(field: FormField): boolean;
  /** True where the stored value is what was made of the words that the field still shows. */
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
 * What a person has typed wins over what comes from elsewhere until it is saved. What is stored may differ by a space that
 * they are about to write on after, so the field they are in is left alone then; a field that they only look at is not.
 */
export function keep(on: FormHandlers, field: FormField, id: string, value: string): string | ReturnType<typeof live> {
  const element = document.getElementById(id) as HTMLInputElement | null;
  const isTheirs = element && (on.isWaiting(field) || (document.activeElement === element && on.isOwn(field, value)));
  return isTheirs ? element.value : live(value);
}
