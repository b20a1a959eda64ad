// @ts-nocheck Every line is arithmetic on bytes whose indices are right by construction.
// Makes pictures of a user interface small: at most 256 colours, which is what such pictures have anyway.
import { deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/**
 * @param {Buffer} png of 8 bits a channel, RGB or RGBA and not interlaced, as browsers write it; transparency is lost
 * @returns {Buffer} the same picture with a palette
 */
export function shrink(png) {
  const { width, height, pixels, channels } = decode(png);
  const { palette, nearest } = paletteOf(pixels, channels);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      lines[y * (width + 1) + x + 1] = nearest(colourAt(pixels, (y * width + x) * channels));
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

/** @param {Uint8Array} pixels @param {number} at */
const colourAt = (pixels, at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];

/**
 * The commonest colours that differ enough from each other; the others are drawn in the nearest of them.
 * @param {Uint8Array} pixels @param {number} channels
 */
function paletteOf(pixels, channels) {
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

/** @param {Buffer} png */
function decode(png) {
  const data = [];
  let [width, height, channels] = [0, 0, 4];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = body[9] === 6 ? 4 : 3;
    } else if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) unfilter(raw, pixels, y, stride, channels);
  return { width, height, pixels, channels };
}

/**
 * One line of pixels, as the PNG specification's filters give it (PNG, 9.2).
 * @param {Buffer} raw @param {Uint8Array} pixels @param {number} y @param {number} stride @param {number} channels
 */
function unfilter(raw, pixels, y, stride, channels) {
  const filter = raw[y * (stride + 1)];
  for (let x = 0; x < stride; x++) {
    const value = raw[y * (stride + 1) + 1 + x];
    const left = x < channels ? 0 : pixels[y * stride + x - channels];
    const up = y === 0 ? 0 : pixels[(y - 1) * stride + x];
    const corner = x < channels || y === 0 ? 0 : pixels[(y - 1) * stride + x - channels];
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    pixels[y * stride + x] = value + guess;
  }
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map(value => Math.abs(guess - value));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** CRC-32 as PNG counts it (PNG, annex D). @param {Uint8Array} bytes */
function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** @param {string} type @param {Buffer} body */
function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
