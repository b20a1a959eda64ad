import { Worker } from 'node:worker_threads';
import type * as vscode from 'vscode';
import type { Todo } from '../../core/code/todos';
import { workerScript } from '../../process/workerScript';

export interface SearchJob {
  /** The files by their paths, each with its key if it was searched before. */
  readonly files: readonly { readonly path: string; readonly key: string | undefined }[];
  readonly words: readonly string[];
  /** The search ends after this many bytes. */
  readonly maxTotalBytes: number;
}

export interface SearchedFile {
  /** The state in which the file was read: its time and size. Absent if it was not read. */
  readonly key?: string;
  /** Absent if the file has its key of before. */
  readonly todos?: readonly Todo[];
}

/**
 * Searches files on the disk in a thread, in their order, and reports them in parts. The thread reads one file after the
 * other, which takes a quarter of the time of Node.js's own pool, and a disk that hangs holds nothing else up. Ends early
 * if it is canceled.
 */
export function searchFiles(
  job: SearchJob,
  token: vscode.CancellationToken,
  onPart: (files: readonly SearchedFile[]) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerScript('todoSearch')!, { workerData: job });
    const listening = token.onCancellationRequested(() => void worker.terminate());
    worker.on('message', onPart);
    worker.once('error', reject);
    worker.once('exit', () => {
      listening.dispose();
      resolve();
    });
  });
}
