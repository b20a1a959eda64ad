import { parentPort, workerData } from 'node:worker_threads';
import { diskFiles } from '../journal/files';
import { schemaNamed } from '../sql/databaseSchema';
import { buildSnapshot } from './compaction';
import type { WorkerAnswer, WorkerJob } from './snapshotWorker';

const { folder, schemaName, version, gen } = workerData as WorkerJob;

buildSnapshot({ files: diskFiles, folder, databaseSchema: schemaNamed(schemaName, version), gen }).then(
  bytes => parentPort!.postMessage({ bytes } satisfies WorkerAnswer),
  error => parentPort!.postMessage({ error: String(error) } satisfies WorkerAnswer),
);
