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
  readonly problem: { readonly field: string; readonly message: string } | undefined;
}

export const row = (on: FormHandlers, field: string, label: string, control: TemplateResult): TemplateResult => html`
  <div class="entry" data-field=${field}>
    <label for=${field}>${label}</label>
    ${control}
    ${on.problem?.field === field ? html`<p class="problem" role="alert" id="${field}-problem">${on.problem.message}</p>` : nothing}
  </div>
`;

/** What a person is typing wins over what comes from elsewhere until they leave the field and it is saved. */
export function keep(on: FormHandlers, field: FormField, id: string, value: string): string | ReturnType<typeof live> {
  const element = document.getElementById(id) as HTMLInputElement | null;
  const isTheirs = element && (document.activeElement === element || on.isWaiting(field));
  return isTheirs ? element.value : live(value);
}
