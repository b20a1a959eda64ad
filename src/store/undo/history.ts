import type { UndoStep } from '../../core/editLabel';
import type { Id } from '../../core/model';
import type { Clock } from '../../core/time/clock';
import type { EditRecord } from '../journal/record';
import type { HistoryStep, RowStep } from '../journal/undoStep';
import type { KeyValueStore } from '../replica/keyValueStore';
import type { Replica } from '../replica/replica';
import type { EditLabel, MapsWriter, StepLabel } from '../types';
import { refuseBuiltOn } from './builtOn';
import { revert } from './revert';
import { isRedated, rowSteps } from './undoSteps';

const keptSteps = 200;

/** Its id is that of the record that did it. */
type StoredStep = HistoryStep & UndoStep;

type Stack = 'undo' | 'redo';
const mapOf = (stack: Stack) => `history.${stack}`;

/** Another window's edit came between looking at the history and acting on it. */
class OvertakenError extends Error {}

/**
 * The two stacks of undo. Every step is born in the journal record of its edit, so a crash loses none; from there
 * it moves to the sidecar when the history is asked for, and before its journal is folded into a snapshot.
 */
export class History {
  /** Steps in accepted records that the sidecar may not have yet, oldest first. */
  #tail: EditRecord[] = [];

  constructor(
    private readonly replica: Replica,
    private readonly sidecar: () => Promise<KeyValueStore>,
    private readonly clock: Clock,
  ) {
    this.#tail.push(...replica.replayedSteps);
    replica.onDidReload(() => {
      this.#tail = [...this.#tail, ...replica.replayedSteps].sort((a, b) => a.s - b.s);
    });
    replica.onDidApply(applied => this.#tail.push(...applied.map(each => each.record).filter(record => record.h)));
  }

  async top(): Promise<{ undo: EditLabel | undefined; redo: EditLabel | undefined }> {
    const maps = await this.flush();
    return { undo: newest(maps, 'undo')?.label, redo: newest(maps, 'redo')?.label };
  }

  /** Everything that can be undone, the newest first. */
  async steps(): Promise<readonly UndoStep[]> {
    const maps = await this.flush();
    return maps
      .entries<StoredStep>(mapOf('undo'))
      .map(([, { id, at, label }]) => ({ id, at, label }))
      .reverse();
  }

  /**
   * Takes the newest step of a stack back, or the one with the id, as a new edit, which then heads the other stack.
   * @throws DuelineError `invalid` where tasks that the step with the id made have been changed in a later one
   */
  async step(stack: Stack, id?: string): Promise<StepLabel | undefined> {
    for (;;) {
      const maps = await this.flush();
      const step = id === undefined ? newest(maps, stack) : withId(maps, stack, id);
      if (!step) return undefined;
      if (id !== undefined) {
        const steps = maps.entries<StoredStep>(mapOf(stack)).map(([, each]) => each);
        const later = steps.slice(steps.findIndex(each => each.id === id) + 1);
        refuseBuiltOn(
          this.replica,
          step.rows,
          later.flatMap(each => each.rows),
        );
      }
      try {
        const kept = await this.#takeBack(step, stack);
        return kept.length > 0 ? { ...step.label, kept } : step.label;
      } catch (error) {
        if (!(error instanceof OvertakenError)) throw error;
      }
    }
  }

  /** Moves what the journal holds into the sidecar; gives it. */
  async flush(): Promise<KeyValueStore> {
    await this.replica.refresh();
    const maps = await this.sidecar();
    const tail = [...this.#tail];
    if (tail.length > 0) {
      await maps.edit(writer => {
        for (const record of tail) foldSteps(writer, record);
        trim(writer);
      });
      const folded = new Set(tail);
      this.#tail = this.#tail.filter(record => !folded.has(record));
    }
    await maps.refresh();
    return maps;
  }

  /** Gives the tasks whose dates have been changed again since, and stay. */
  async #takeBack(step: StoredStep, stack: Stack): Promise<readonly Id[]> {
    const { replica } = this;
    let restored: ReadonlySet<Id> = new Set();
    const link = stack === 'undo' ? { undoes: step.id } : { redoes: step.id };
    const { changed } = await replica.commit(
      () => {
        if (this.#tail.length > 0) throw new OvertakenError();
        revert(replica.database, replica.columns, step.rows, this.clock.now());
      },
      proposal => {
        const rows = rowSteps(replica.database, replica.columns, proposal, step.label);
        restored = new Set(redatedIn(rows));
        return { origin: 'undo', h: { label: step.label, ...link, rows } };
      },
    );
    // Nothing is left of it to take back; it must not stay in the way of the steps below.
    if (!changed) await (await this.sidecar()).edit(writer => remove(writer, stack, step.id));
    return redatedIn(step.rows).filter(id => !restored.has(id));
  }
}

const redatedIn = (rows: readonly RowStep[]): readonly Id[] => rows.filter(isRedated).map(({ id }) => id);

const key = (record: EditRecord) => String(record.s).padStart(12, '0');

function newest(maps: MapsWriter, stack: Stack): StoredStep | undefined {
  const last = maps.keys(mapOf(stack)).at(-1);
  return last === undefined ? undefined : maps.get<StoredStep>(mapOf(stack), last);
}

const withId = (maps: MapsWriter, stack: Stack, id: string): StoredStep | undefined =>
  maps.entries<StoredStep>(mapOf(stack)).find(([, step]) => step.id === id)?.[1];

/** Skips what another window has folded already. */
function foldSteps(writer: MapsWriter, record: EditRecord): void {
  const upTo = writer.get<number>('history', 'upTo') ?? 0;
  if (record.s <= upTo || !record.h) return;
  writer.set('history', 'upTo', record.s);
  const { undoes, redoes } = record.h;
  const step: StoredStep = { ...record.h, id: record.i, at: record.t };
  if (undoes) remove(writer, 'undo', undoes);
  else if (redoes) remove(writer, 'redo', redoes);
  else for (const each of writer.keys(mapOf('redo'))) writer.set(mapOf('redo'), each, undefined);
  writer.set(mapOf(undoes ? 'redo' : 'undo'), key(record), step);
}

function remove(writer: MapsWriter, stack: Stack, id: string): void {
  for (const each of writer.keys(mapOf(stack)).toReversed()) {
    if (writer.get<StoredStep>(mapOf(stack), each)?.id !== id) continue;
    writer.set(mapOf(stack), each, undefined);
    return;
  }
}

function trim(writer: MapsWriter): void {
  for (const old of writer.keys(mapOf('undo')).slice(0, -keptSteps)) writer.set(mapOf('undo'), old, undefined);
}
