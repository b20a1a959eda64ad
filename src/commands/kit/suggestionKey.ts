import * as vscode from 'vscode';
import { contextKeys } from '../../contributions/ids';
import { type Disposable, Emitter } from '../../core/kernel/events';

const pressed = new Emitter<void>();

/** The Tab key, while a picker offers a name. */
export const takeSuggestion = () => pressed.fire();

/** Has the Tab key take the name that a picker offers; VS Code moves the focus with it otherwise. */
export class SuggestionKey implements Disposable {
  readonly #listening: Disposable;
  #offers = false;
  #isOver = false;

  constructor(take: () => void) {
    this.#listening = pressed.event(take);
  }

  offers(offers: boolean): void {
    if (this.#isOver || offers === this.#offers) return;
    this.#offers = offers;
    void vscode.commands.executeCommand('setContext', contextKeys.suggesting, offers);
  }

  dispose(): void {
    this.offers(false);
    // An answer that its picker has waited for comes later at times.
    this.#isOver = true;
    this.#listening.dispose();
  }
}
