import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import initSqlJs, { type SqlJsStatic } from 'sql.js';

let loading: Promise<SqlJsStatic> | undefined;

/** Loads SQLite once per process (or worker). */
export function loadSqlite(): Promise<SqlJsStatic> {
  loading ??= initSqlJs({
    locateFile,
    wasmBinary: packedBinary(),
    // Keeps out the functions of old builds, whose start-up prints a deprecation line.
    useOldExtensionFunctions: false,
  } as Parameters<typeof initSqlJs>[0]);
  return loading;
}

/** A package has the binary compressed, which makes it a tenth smaller and costs two milliseconds. */
function packedBinary(): Uint8Array | undefined {
  const packed = join(__dirname, 'sql-wasm.wasm.br');
  if (!process.env.DUELINE_FLAVOR || !existsSync(packed)) return undefined;
  return new Uint8Array(brotliDecompressSync(new Uint8Array(readFileSync(packed))));
}

/** A shipped bundle, for which the build fills the flavor in, has the binary beside it; sql.js has it for all other code. */
function locateFile(name: string): string {
  const beside = join(__dirname, name);
  return process.env.DUELINE_FLAVOR || existsSync(beside) ? beside : join(dirname(require.resolve('sql.js')), name);
}
