// Pictures of a user interface, made small by a palette: such pictures have few colors anyway.
import { crc32 } from 'node:zlib';
import UPNG from 'upng-js';

/**
 * @param {Buffer} png
 * @param {number} [colors] at most so many
 * @returns {Uint8Array} the same picture with a palette
 */
export const shrink = (png, colors = 256) => encode([png], colors);

/**
 * @param {readonly {png: Buffer, ms: number}[]} frames of one size, and how long each is there
 * @returns {Uint8Array} an animation (APNG), which ends after three times
 */
export function animate(frames) {
  const delays = frames.map(({ ms }) => ms);
  const made = Buffer.from(
    encode(
      frames.map(({ png }) => png),
      256,
      delays,
    ),
  );
  // upng-js has it repeat without end, beside the text. The chunk has the number of frames and of times.
  const at = made.indexOf('acTL');
  made.writeUInt32BE(3, at + 8);
  made.writeUInt32BE(crc32(Uint8Array.from(made.subarray(at, at + 12))), at + 12);
  return Uint8Array.from(made);
}

/**
 * @param {readonly Buffer[]} pngs of one size
 * @param {number} colors
 * @param {number[]} [delays] in milliseconds
 */
function encode(pngs, colors, delays) {
  const images = pngs.map(png => UPNG.decode(Uint8Array.from(png).buffer));
  const [{ width, height } = { width: 0, height: 0 }] = images;
  const pixels = images.flatMap(image => UPNG.toRGBA8(image).slice(0, 1));
  return new Uint8Array(UPNG.encode(pixels, width, height, colors, delays));
}
