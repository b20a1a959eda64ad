import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import initSqlJs, { type SqlJsStatic } from 'sql.js';

let loading: Promise<SqlJsStatic> | undefined;

/** Loads SQLite once per process (or worker). */
export function loadSqlite(): Promise<SqlJsStatic> {
  loading ??= initSqlJs({
    locateFile,
    // Keeps out the functions of old builds, whose start-up prints a deprecation line.
    useOldExtensionFunctions: false,
  } as Parameters<typeof initSqlJs>[0]);
  return loading;
}

/** The shipped bundle has the binary beside it; code that runs on installed packages finds it in sql.js. */
function locateFile(name: string): string {
  const beside = join(__dirname, name);
  if (existsSync(beside)) return beside;
  return join(dirname(createRequire(__filename).resolve('sql.js')), name);
}
