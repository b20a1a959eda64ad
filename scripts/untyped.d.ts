// Packages that come without types, as far as the scripts use them.
// In Node.js since 20.15, whose types are older.
declare module 'node:zlib' {
  export function crc32(bytes: Uint8Array): number;
}

declare module 'js-yaml' {
  export function load(text: string): unknown;
}
