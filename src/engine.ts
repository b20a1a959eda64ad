import { flavor } from '#flavor';
import type { DuelineEngine, EngineOptions } from './api';
import { openWith } from './openWith';

/**
 * Opens the store in `options.folder` and gives the API on it, without an editor.
 *
 * @throws DuelineError `storage` where the folder holds data that cannot be read; nothing in it is changed then
 */
export const openEngine = (options: EngineOptions): Promise<DuelineEngine> => openWith(flavor, options);
