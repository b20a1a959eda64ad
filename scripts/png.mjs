// @ts-nocheck Every line is arithmetic on bytes whose indices are right by construction.
// Makes pictures of a user interface small: at most 256 colours, which is what such pictures have anyway. pngjs reads
// them, and cannot write a palette.
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/**
 * @param {Buffer} png transparency is lost
 * @returns {Buffer} the same picture with a palette
 */
export function shrink(png) {
  const { width, height, data } = PNG.sync.read(png);
  const { palette, nearest } = paletteOf(data);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      lines[y * (width + 1) + x + 1] = nearest(colourAt(data, (y * width + x) * channels));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
}

/** Red, green, blue and alpha. */
const channels = 4;

/** @param {Uint8Array} pixels @param {number} at */
const colourAt = (pixels, at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];

/**
 * The commonest colours that differ enough from each other; the others are drawn in the nearest of them.
 * @param {Uint8Array} pixels
 */
function paletteOf(pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = colourAt(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  let palette = common;
  for (let apart = 2; palette.length > 256; apart += 2) {
    palette = [];
    for (const colour of common)
      if (palette.every(other => distance(colour, other) >= apart * apart)) palette.push(colour);
  }
  /** @type {Map<number, number>} */
  const found = new Map(palette.map((colour, index) => [colour, index]));
  const nearest = (/** @type {number} */ colour) => {
    let index = found.get(colour);
    if (index === undefined) {
      index = 0;
      for (let other = 1; other < palette.length; other++)
        if (distance(colour, palette[other]) < distance(colour, palette[index])) index = other;
      found.set(colour, index);
    }
    return index;
  };
  return { palette, nearest };
}

/** @param {number} a @param {number} b */
function distance(a, b) {
  const [red, green, blue] = [16, 8, 0].map(shift => ((a >> shift) & 255) - ((b >> shift) & 255));
  return red * red + green * green + blue * blue;
}

/** @param {string} type @param {Buffer} body */
function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
