import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { ServerCertificate } from '../../core/sync/syncState';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';

const connectTimeoutMs = 15_000;

/** Reads the certificate that a host shows, trusting nothing and sending nothing. `tunnel`: a way through a proxy. */
export async function certificateOf(
  address: string,
  tunnel?: (target: URL) => Promise<Socket | undefined>,
): Promise<ServerCertificate> {
  const url = new URL(/^[a-z][\w+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  if (url.protocol !== 'https:') throw new RemoteError('protocol', syncMessage('notHttps', url.host));
  const way = await tunnel?.(url);
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...target(url), ...(way && { socket: way }), rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerCertificate();
      resolve({
        fingerprint: certificate.fingerprint256,
        subject: nameOf(certificate.subject),
        issuer: nameOf(certificate.issuer),
        validTo: certificate.valid_to,
        problem: problemOf(socket),
      });
      socket.destroy();
    });
    socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('timeout')));
    socket.on('error', cause =>
      reject(new RemoteError('offline', syncMessage('certificateUnreachable', url.host), { cause })),
    );
  });
}

const nameOf = (name: PeerCertificate['subject'] | undefined): string =>
  name ? [name.CN, name.O].filter(Boolean).join(', ') : '';

export const problemOf = (socket: TLSSocket): string | null =>
  socket.authorized
    ? null
    : String((socket.authorizationError as { code?: string } | null)?.code ?? socket.authorizationError);

const target = (url: URL) => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port || 443), ...(isIP(host) === 0 && { servername: host }) };
};

export const normalised = (fingerprint: string): string => fingerprint.replace(/[^0-9a-f]/gi, '').toUpperCase();

export const fingerprintOf = (socket: TLSSocket): string => socket.getPeerCertificate().fingerprint256 ?? '';

/**
 * Trusted by an authority, or by the user. An empty line in the settings trusts nothing, least of all a server that
 * shows no certificate.
 */
export function isTrusted(socket: TLSSocket, trusted: ReadonlySet<string>): boolean {
  const fingerprint = normalised(fingerprintOf(socket));
  return socket.authorized || (fingerprint !== '' && trusted.has(fingerprint));
}
