import { flavor } from '#flavor';
import type { DuelineEngine, EngineOptions } from './api';
import { checkArguments } from './engine/checkedApi';
import { openWith } from './openWith';

/**
 * Opens the store in `options.folder` and returns the API on it, without an editor.
 *
 * @throws DuelineError `storage` if the folder holds data that cannot be read; nothing in it is changed then
 */
export async function openEngine(options: EngineOptions): Promise<DuelineEngine> {
  const engine = await openWith(flavor, options);
  checkArguments(engine);
  return engine;
}
