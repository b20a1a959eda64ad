import { Worker } from 'node:worker_threads';
import type { Log } from '../../core/kernel/log';
import { workerScript } from '../../process/workerScript';
import { diskFiles } from '../journal/files';
import { buildSnapshot, type SnapshotJob } from './compaction';

/** The worker's job; a schema cannot be sent to it, its name can. */
export interface WorkerJob {
  readonly folder: string;
  readonly schemaName: 'tasks' | 'sidecar';
  readonly version: number;
  readonly gen: number;
}

export type WorkerAnswer = { readonly bytes: number } | { readonly error: string };

/** Builds a snapshot in a worker thread, or on the main thread if none can be started. Returns the snapshot's size. */
export async function buildInBackground(job: SnapshotJob, log: Log): Promise<number> {
  const script = job.files === diskFiles ? workerScript('snapshot') : undefined;
  if (script === undefined) return buildSnapshot(job);
  const { folder, databaseSchema, gen } = job;
  try {
    return await inWorker(script, { folder, schemaName: databaseSchema.name, version: databaseSchema.version, gen });
  } catch (error) {
    log('warn', `The snapshot worker failed; building on the main thread. ${error}`);
    return buildSnapshot(job);
  }
}

function inWorker(script: string, job: WorkerJob): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: job });
    worker.unref();
    worker.once('message', (answer: WorkerAnswer) => {
      if ('error' in answer) reject(new Error(answer.error));
      else resolve(answer.bytes);
    });
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`The worker ended with code ${code}.`)));
  });
}
