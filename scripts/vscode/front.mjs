// A front door for a window that a person opens: passes everything on to the server, and keeps the one thing that the
// server lacks, a key for the workbench's secrets. Without it a reload forgets every password.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createProxyServer } from 'http-proxy-3';

/**
 * @param {{server: import('./server.mjs').Server, port: number}} options `port`: tried first, so that the browser
 *   finds its stored state again; another one where it is taken
 * @returns {Promise<{origin: string, authority: string}>}
 */
export async function openFront({ server, port }) {
  const key = await keyIn(join(server.data, 'secrets-key'));
  const proxy = createProxyServer({ target: server.origin });
  // Where a page is gone or the server restarts, the browser asks again.
  const front = createServer((incoming, outgoing) => {
    if (incoming.url?.split('?')[0]?.endsWith('/mint-key')) outgoing.end(key);
    else proxy.web(incoming, outgoing, {}, () => void outgoing.destroy());
  });
  front.on('upgrade', (incoming, socket, head) => proxy.ws(incoming, socket, head, {}, () => void socket.destroy()));
  const listen = (/** @type {number} */ wanted) =>
    new Promise((resolve, reject) => front.once('error', reject).listen(wanted, '127.0.0.1', () => resolve(undefined)));
  await listen(port).catch(() => listen(0));
  const authority = `127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (front.address()).port}`;
  return { origin: `http://${authority}`, authority };
}

/**
 * @param {string} file
 * @returns {Promise<Uint8Array>}
 */
async function keyIn(file) {
  const known = await readFile(file).catch(() => undefined);
  if (known?.length === 32) return new Uint8Array(known);
  const fresh = new Uint8Array(randomBytes(32));
  await writeFile(file, fresh, { mode: 0o600 });
  return fresh;
}
