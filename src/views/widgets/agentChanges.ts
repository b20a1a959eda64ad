import type { Change } from '../../api';
import type { UndoStep } from '../../core/kernel/editLabel';
import type { Id } from '../../core/kernel/model';
import type { ToPage } from '../../shared/widgetProtocol';
import { agentStepText } from '../../ui/text/editName';

/**
 * The last change by an agent that a page has not shown yet, if it concerns visible tasks, before the change or once it
 * is drawn.
 */
export class AgentChanges {
  #change: { readonly step: UndoStep; readonly tasks: readonly Id[]; readonly isInSight: boolean } | undefined;

  constructor(private readonly areInSight: (tasks: readonly Id[]) => boolean) {}

  /** Call it before the rows follow the change. */
  note({ step, tasks = [] }: Partial<Change> = {}): void {
    if (step) this.#change = { step, tasks, isInSight: this.areInSight(tasks) };
  }

  /** Call it once the rows have followed. */
  take(): ToPage | undefined {
    const change = this.#change;
    this.#change = undefined;
    if (!change || !(change.isInSight || this.areInSight(change.tasks))) return undefined;
    return { type: 'announced', text: agentStepText(change.step), step: change.step.id, quiet: true };
  }
}
