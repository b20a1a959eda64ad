import { setFlagsFromString } from 'node:v8';

/**
 * Sets if SQLite is optimized while it runs, which takes longer than a whole command. V8 derives these flags from
 * `--liftoff-only` only as it starts.
 */
export function optimizeSqlite(isOn: boolean): void {
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering']) setFlagsFromString(`--${isOn ? '' : 'no-'}${flag}`);
}
