import * as zlib from 'node:zlib';

/** Missing from the older Node of the oldest editor that we support. */
const native = (zlib as { crc32?: (data: Uint8Array, value?: number) => number }).crc32;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 without the function of Node.js. */
export function computedCrc32(bytes: Uint8Array): number {
  let value = -1;
  for (let at = 0; at < bytes.length; at++) value = (value >>> 8) ^ table[(value ^ bytes[at]!) & 0xff]!;
  return (value ^ -1) >>> 0;
}

/** CRC-32 (ISO 3309) as eight hexadecimal digits. */
export const crc32 = (bytes: Uint8Array): string => (native ?? computedCrc32)(bytes).toString(16).padStart(8, '0');
