import { DuelineError } from '../core/errors';

export async function importTasks(..._input: unknown[]): Promise<never> {
  throw new DuelineError('unsupported', 'Import is not built yet.');
}
