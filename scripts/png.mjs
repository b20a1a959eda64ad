// @ts-nocheck Every line is arithmetic on bytes whose indices are right by construction.
// Makes pictures of a user interface small: at most 256 colours, which is what such pictures have anyway. pngjs reads
// them, and cannot write a palette.
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/**
 * @param {Buffer} png
 * @param {number} [maxColours]
 * @returns {Buffer} the same picture with a palette
 */
export function shrink(png, maxColours = 256) {
  const image = PNG.sync.read(png);
  const { palette, nearest } = paletteOf(image.data, maxColours);
  return Buffer.concat([...head(image, palette), chunk('IDAT', packed(image, whole(image), nearest)), end]);
}

/**
 * An animation (APNG), which ends after three times. What shows no animation shows its last picture.
 * @param {readonly {png: Buffer, ms: number}[]} frames of one size, and how long each is there
 */
export function animate(frames) {
  const images = frames.map(({ png }) => PNG.sync.read(png));
  const last = images.at(-1);
  const { palette, nearest } = paletteOf(
    Buffer.concat([images[0], images[images.length >> 1], last].map(one => one.data)),
  );
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length, 0);
  control.writeUInt32BE(3, 4);
  let order = 0;
  const parts = images.flatMap((image, at) => {
    const box = at === 0 ? whole(image) : changed(images[at - 1], image);
    const shown = Buffer.alloc(26);
    for (const [index, value] of [order++, box.width, box.height, box.x, box.y].entries())
      shown.writeUInt32BE(value, index * 4);
    shown.writeUInt16BE(frames[at].ms, 20);
    shown.writeUInt16BE(1000, 22);
    const number = Buffer.alloc(4);
    number.writeUInt32BE(order++);
    return [chunk('fcTL', shown), chunk('fdAT', Buffer.concat([number, packed(image, box, nearest)]))];
  });
  const fallback = chunk('IDAT', packed(last, whole(last), nearest));
  return Buffer.concat([...head(last, palette), chunk('acTL', control), fallback, ...parts, end]);
}

const head = ({ width, height }, palette) => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap(colour => shifts.slice(0, 3).map(shift => (colour >>> shift) & 255)));
  const clear = palette.map(colour => colour & 255);
  const parts = [signature, chunk('IHDR', header), chunk('PLTE', colours)];
  return clear.every(alpha => alpha === 255) ? parts : [...parts, chunk('tRNS', Buffer.from(clear))];
};

const whole = ({ width, height }) => ({ x: 0, y: 0, width, height });

/** The lines of a part, as a picture holds them. */
function packed(image, box, nearest) {
  const lines = Buffer.alloc((box.width + 1) * box.height);
  for (let y = 0; y < box.height; y++)
    for (let x = 0; x < box.width; x++)
      lines[y * (box.width + 1) + x + 1] = nearest(
        colourAt(image.data, ((box.y + y) * image.width + box.x + x) * channels),
      );
  return deflateSync(lines, { level: 9, memLevel: 9 });
}

/** The smallest part that holds all that differs; one dot where nothing does. */
function changed(before, after) {
  let [left, top, right, bottom] = [after.width, after.height, 0, 0];
  for (let y = 0; y < after.height; y++)
    for (let x = 0; x < after.width; x++) {
      const at = (y * after.width + x) * channels;
      if (colourAt(before.data, at) === colourAt(after.data, at)) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  if (right === 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Red, green, blue and alpha. */
const channels = 4;
const shifts = [24, 16, 8, 0];

/** @param {Uint8Array} pixels @param {number} at */
const colourAt = (pixels, at) =>
  ((pixels[at] << 24) | (pixels[at + 1] << 16) | (pixels[at + 2] << 8) | pixels[at + 3]) >>> 0;

/**
 * The commonest colours that differ enough from each other; the others are drawn in the nearest of them.
 * @param {Uint8Array} pixels
 * @param {number} [maxColours]
 */
function paletteOf(pixels, maxColours = 256) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = colourAt(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  let palette = common;
  for (let apart = 2; palette.length > maxColours; apart += 2) {
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
  const apart = shifts.map(shift => ((a >>> shift) & 255) - ((b >>> shift) & 255));
  return apart.reduce((sum, channel) => sum + channel * channel, 0);
}

/** @param {string} type @param {Buffer} body */
function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

const end = chunk('IEND', Buffer.alloc(0));
