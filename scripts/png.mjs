// Pictures of a user interface, made small by a palette: such pictures have few colors anyway.
import UPNG from 'upng-js';

/**
 * @param {Buffer} png
 * @param {number} [colors] at most so many
 * @returns {Uint8Array} the same picture with a palette
 */
export function shrink(png, colors = 256) {
  const image = UPNG.decode(Uint8Array.from(png).buffer);
  return new Uint8Array(UPNG.encode(UPNG.toRGBA8(image).slice(0, 1), image.width, image.height, colors));
}
