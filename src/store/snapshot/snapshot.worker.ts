import { parentPort, workerData } from 'node:worker_threads';
import { diskFiles } from '../journal/files';
import { shapeOf } from '../sql/databaseSchema';
import { buildSnapshot } from './compaction';
import type { WorkerAnswer, WorkerJob } from './snapshotWorker';

const { folder, shape, version, gen } = workerData as WorkerJob;

buildSnapshot({ files: diskFiles, folder, shape: shapeOf(shape, version), gen }).then(
  bytes => parentPort!.postMessage({ bytes } satisfies WorkerAnswer),
  error => parentPort!.postMessage({ error: String(error) } satisfies WorkerAnswer),
);
