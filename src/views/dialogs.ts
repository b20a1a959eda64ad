import { Emitter } from '../core/events';
import { showWarning } from './saying';

/** A question was answered: the editor gives the focus back to a page's frame, whose keys then reach nobody. */
export const answered = new Emitter<void>();

/** Asks in a dialog of the editor; undefined where the person leaves it. */
export async function askInDialog(question: string, detail: string, ...buttons: string[]): Promise<string | undefined> {
  const picked = await showWarning(question, { modal: true, detail }, ...buttons);
  answered.fire();
  return picked;
}
