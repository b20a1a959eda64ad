import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Fills a folder; later calls find it. It is filled beside its place and moved there, so that one that was broken off is never
 * taken for a whole one, and two processes may do it at a time.
 */
export async function once(folder: string, fill: (work: string) => Promise<unknown>): Promise<string> {
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    await fill(work);
    renameSync(work, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // else another process was quicker
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}
