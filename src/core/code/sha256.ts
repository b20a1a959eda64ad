/** The first 32 bits of the fractional parts of roots of the first primes, as FIPS 180-4 has them. */
function constants(): { readonly state: readonly number[]; readonly rounds: readonly number[] } {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++)
    if (primes.every(prime => number % prime !== 0)) primes.push(number);
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  return {
    state: primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime))),
    rounds: primes.map(p => fraction(Math.cbrt(p))),
  };
}

let known: ReturnType<typeof constants> | undefined;

const rotateRight = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** SHA-256 (FIPS 180-4) of a text's UTF-8, in hexadecimal. Short texts alone: Web Crypto has it as a promise only. */
export function sha256(text: string): string {
  known ??= constants();
  const message = padded(new TextEncoder().encode(text));
  const state = Int32Array.from(known.state);
  for (let block = 0; block < message.byteLength; block += 64) addBlock(state, message, block, known.rounds);
  return Array.from(state, word => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function padded(bytes: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 4, bytes.length * 8);
  return view;
}

function addBlock(state: Int32Array, message: DataView, block: number, rounds: readonly number[]): void {
  const words = new Int32Array(64);
  for (let at = 0; at < 16; at++) words[at] = message.getInt32(block + at * 4);
  for (let at = 16; at < 64; at++) {
    const [far, near] = [words[at - 15]!, words[at - 2]!];
    const small = rotateRight(far, 7) ^ rotateRight(far, 18) ^ (far >>> 3);
    const large = rotateRight(near, 17) ^ rotateRight(near, 19) ^ (near >>> 10);
    words[at] = words[at - 16]! + small + words[at - 7]! + large;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const one =
      (h + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + choice + rounds[at]! + words[at]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = state[at]! + word;
}
