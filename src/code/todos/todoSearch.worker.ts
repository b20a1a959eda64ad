import { readFileSync, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { listedTodosOf, maxTodoBytes } from '../../core/code/todos';
import type { SearchedFile, SearchJob } from './todoSearch';

/** The number of files per report, by which the user sees the progress. */
const partSize = 1000;

const { files, words, maxTotalBytes } = workerData as SearchJob;
let bytes = 0;
let part: SearchedFile[] = [];
for (const { path, key } of files) {
  if (bytes > maxTotalBytes) break;
  part.push(search(path, key));
  if (part.length === partSize) {
    parentPort!.postMessage(part);
    part = [];
  }
}
parentPort!.postMessage(part);

/** A file that is gone, or that cannot be read, counts as one without comments. */
function search(path: string, knownKey: string | undefined): SearchedFile {
  try {
    const file = statSync(path);
    // Reading a pipe would not end.
    if (!file.isFile() || file.size > maxTodoBytes) return { todos: [] };
    const key = `${file.mtimeMs},${file.size}`;
    if (key === knownKey) return { key };
    const content = readFileSync(path);
    bytes += content.length;
    // Most files have none of the words, and are searched as bytes alone.
    if (!words.some(word => content.includes(word))) return { key, todos: [] };
    const todos = [...listedTodosOf(new TextDecoder().decode(new Uint8Array(content)), path, words)];
    return { key, todos: todos.filter(todo => todo !== undefined) };
  } catch {
    return { todos: [] };
  }
}
