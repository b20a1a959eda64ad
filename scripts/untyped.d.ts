// Packages that come without types, as far as the scripts use them.
declare module 'yazl' {
  export class ZipFile {
    readonly outputStream: NodeJS.ReadableStream;
    addBuffer(bytes: Buffer, name: string, options: { mtime: Date; mode: number }): void;
    end(): void;
  }
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
