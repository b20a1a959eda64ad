// Packages that come without types, as far as the scripts use them.
// In Node.js since 20.15, whose types are older.
declare module 'node:zlib' {
  export function crc32(bytes: Uint8Array): number;
}

declare module 'yauzl' {
  interface Entry {
    readonly fileName: string;
  }
  interface ZipFile {
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<NodeJS.ReadableStream>;
  }
  export function openPromise(file: string, options?: { lazyEntries?: boolean }): Promise<ZipFile>;
}

declare module 'js-yaml' {
  export function load(text: string): unknown;
}
