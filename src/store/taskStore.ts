import { join } from 'node:path';
import type { Clock } from '../core/clock';
import { Emitter } from '../core/events';
import { type Log, noLog } from '../core/log';
import { originOf, touchedRows } from './changes';
import { diskFiles, type Files } from './files';
import { RowReader } from './reader';
import type { EditRecord } from './record';
import { type Applied, Replica } from './replica';
import { tasksShape } from './shape';
import { SharedMaps } from './sidecar';
import type { EditLabel, EditOptions, Sidecar, StoreChange, TaskStore, Writer } from './types';
import { RowWriter } from './writer';

export interface StoreOptions {
  /** Where the store makes its own folders; shared by every window. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log?: Log;
  /** Tests hand in a disk that fails. */
  readonly files?: Files;
}

/** Opens the store of a folder, and makes it where the folder is empty. Rejects with `storage`. */
export async function openTaskStore({
  folder,
  clock,
  log = noLog,
  files = diskFiles,
}: StoreOptions): Promise<JournaledStore> {
  const base = { files, clock, log };
  const replica = await Replica.open({ ...base, folder: join(folder, 'store'), shape: tasksShape() });
  return new JournaledStore(replica, () => SharedMaps.open({ ...base, folder: join(folder, 'sidecar') }));
}

export class JournaledStore extends RowReader implements TaskStore {
  readonly #replica: Replica;
  readonly #writer: RowWriter;
  readonly #openSidecar: () => Promise<SharedMaps>;
  readonly #changes = new Emitter<StoreChange>();
  readonly #touched = new WeakMap<EditRecord, Omit<StoreChange, 'origin'>>();
  #sidecar: Promise<SharedMaps> | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(replica: Replica, sidecar: () => Promise<SharedMaps>) {
    const database = () => replica.database;
    super(database);
    this.#replica = replica;
    this.#writer = new RowWriter(database);
    this.#openSidecar = sidecar;
    replica.willApply = records => {
      for (const record of records) {
        this.#touched.set(record, touchedRows(replica.database, replica.columns, record.o));
      }
    };
    replica.onDidApply(applied => {
      for (const each of applied) this.#announce(each);
    });
  }

  get readOnlyReason(): string | undefined {
    return this.#replica.readOnlyReason;
  }

  edit<T>(options: EditOptions, work: (tx: Writer) => T): Promise<T> {
    return this.#replica.commit(
      () => work(this.#writer),
      () => ({ origin: options.origin }),
    );
  }

  async undo(): Promise<EditLabel | undefined> {
    return undefined;
  }

  async redo(): Promise<EditLabel | undefined> {
    return undefined;
  }

  async history(): Promise<{ undo: EditLabel | undefined; redo: EditLabel | undefined }> {
    return { undo: undefined, redo: undefined };
  }

  sidecar(): Promise<Sidecar> {
    this.#sidecar ??= this.#openSidecar();
    return this.#sidecar;
  }

  async exportDatabase(path: string): Promise<void> {
    await this.refresh();
    await diskFiles.writeWhole(path, this.#replica.database.export());
  }

  refresh(): Promise<void> {
    return this.#replica.refresh();
  }

  async close(): Promise<void> {
    const sidecar = await this.#sidecar?.catch(() => undefined);
    await sidecar?.close();
    await this.#replica.close();
    this.#changes.dispose();
  }

  #announce({ record, own }: Applied): void {
    const touched = this.#touched.get(record);
    if (touched) this.#changes.fire({ origin: originOf(own, record.origin), ...touched });
  }
}
