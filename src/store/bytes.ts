const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);
export const putUtf8 = (text: string, bytes: Uint8Array): void => void encoder.encodeInto(text, bytes);
export const fromUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

/** A view on a Buffer's memory that is not a Buffer: sql.js writes into Buffers, and their slices are views. */
export const bytesOf = (buffer: Buffer): Uint8Array =>
  new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength);
