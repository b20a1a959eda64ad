import { DuelineError } from '../kernel/errors';
import { coreMessage } from '../kernel/messages';

const megabyte = 1024 * 1024;
const megabytes = (bytes: number) => Math.ceil(bytes / megabyte);

/** In bytes or characters: some 90 000 tasks with notes. An import is one step, which the editor waits for. */
export const largestImport = 32 * megabyte;
/** Some 280 000 tasks, which need no parsing. */
const largestDatabase = 128 * megabyte;

/** @throws DuelineError `invalid` */
export function checkImportSize(size: number): void {
  if (size <= largestImport) return;
  throw new DuelineError('invalid', coreMessage('fileTooLarge', megabytes(size), megabytes(largestImport)));
}

/** They take some 1.5 GB of memory during the import. */
export const maxTasks = 200_000;

/** @throws DuelineError `invalid` */
export function checkTaskCount(count: number): void {
  if (count <= maxTasks) return;
  throw new DuelineError('invalid', coreMessage('tooManyTasks', maxTasks));
}

/** @throws DuelineError `invalid` */
export function checkDatabaseSize(size: number): void {
  if (size <= largestDatabase) return;
  throw new DuelineError('invalid', coreMessage('databaseTooLarge', megabytes(size), megabytes(largestDatabase)));
}
