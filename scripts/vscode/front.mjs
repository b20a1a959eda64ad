// A front door for a window that a person opens: passes everything on to the server, and keeps the one thing that the
// server lacks, a key for the workbench's secrets. Without it a reload forgets every password.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * @param {{server: import('./server.mjs').Server, port: number}} options `port`: tried first, so that the browser
 *   finds its stored state again; another one where it is taken
 * @returns {Promise<{origin: string, authority: string}>}
 */
export async function openFront({ server, port }) {
  const key = await keyIn(join(server.data, 'secrets-key'));
  const behind = new URL(server.origin);
  const front = createServer((incoming, outgoing) => {
    if (incoming.url?.split('?')[0]?.endsWith('/mint-key')) return void outgoing.end(key);
    const { method, headers, url } = incoming;
    const passed = request({ host: behind.hostname, port: behind.port, method, headers, path: url }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  front.on('upgrade', (incoming, socket, head) => {
    const passed = connect(Number(behind.port), behind.hostname, () => {
      const headers = incoming.rawHeaders.reduce((text, word, at) => text + word + (at % 2 ? '\r\n' : ': '), '');
      passed.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers}\r\n`);
      passed.write(new Uint8Array(head));
      passed.pipe(socket).pipe(passed);
    });
    for (const end of [passed, socket]) {
      end.on('error', () => {
        passed.destroy();
        socket.destroy();
      });
    }
  });
  const taken = await listen(front, port);
  return { origin: `http://127.0.0.1:${taken}`, authority: `127.0.0.1:${taken}` };
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

/**
 * @param {import('node:http').Server} front
 * @param {number} port
 * @returns {Promise<number>}
 */
function listen(front, port) {
  return new Promise((resolve, reject) => {
    front.once('error', () => {
      front.once('error', reject);
      front.listen(0, '127.0.0.1');
    });
    front.on('listening', () => {
      const address = front.address();
      resolve(address && typeof address === 'object' ? address.port : port);
    });
    front.listen(port, '127.0.0.1');
  });
}
