import { flavor } from '#flavor';
import type { DuelineApi, EngineOptions } from './api';
import { DuelineError } from './core/errors';

/** Opens the store in `options.folder` and gives the API on it, without an editor. */
export async function openEngine(_options: EngineOptions): Promise<DuelineApi> {
  throw new DuelineError('unsupported', `The ${flavor.name} engine is not built yet.`);
}
