import { readFileSync, statSync } from 'node:fs';

/** In bytes. Nothing that is read by this is as large. */
const largest = 2 ** 20;

/**
 * The text of a small file; undefined if there is none. A pipe or a device, also one that a link leads to, may never end
 * and is not read.
 */
export function textOfFile(path: string): string | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= largest ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
