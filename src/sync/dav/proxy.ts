import { type ClientRequest, ClientRequest as OwnRequest } from 'node:http';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { percentDecoded } from '../../core/fields/percent';
import type { ProxySettings } from '../../core/kernel/settings';
import { isLoopback } from '../../core/sync/loopback';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';

/** The proxy for one request. `authorization` is the whole header, and must never be logged; `isStrict` checks certificates. */
export interface ProxyRoute {
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly isStrict: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for an address, from the settings or else from the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, in
 * small letters too). Undefined for this computer itself, and for hosts that `NO_PROXY` or the settings exclude.
 */
export function proxyFor(target: URL, settings: ProxySettings, env: Environment): ProxyRoute | undefined {
  const host = target.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (settings.isOff || isLoopback(host)) return undefined;
  const read = (name: string) => env[name.toLowerCase()] || env[name];
  const configured = settings.url.trim();
  const found = configured || read(target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || read('ALL_PROXY');
  if (!found) return undefined;
  const skipped = [...settings.noProxy, ...(read('NO_PROXY') ?? '').split(/[\s,]+/)];
  if (skipped.some(pattern => isLeftOut(pattern.trim().toLowerCase(), host, portOf(target)))) return undefined;
  const text = /^[a-z][\w+.-]*:\/\//i.test(found) ? found : `http://${found}`;
  if (!URL.canParse(text)) throw new RemoteError('proxy', syncMessage('proxyAddressInvalid'));
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RemoteError('proxy', syncMessage('proxyProtocol', url.protocol));
  const { username, password } = url;
  const login = `${percentDecoded(username)}:${percentDecoded(password)}`;
  const own = username === '' ? undefined : `Basic ${Buffer.from(login, 'utf8').toString('base64')}`;
  url.username = '';
  url.password = '';
  const authorization = own ?? (configured === '' ? undefined : (settings.authorization ?? undefined));
  return { url, authorization, isStrict: settings.isStrict };
}

export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** `*`, `example.com` with everything below it, `.example.com`, `*.example.com`, `host:port`. */
function isLeftOut(pattern: string, host: string, port: number): boolean {
  if (pattern === '') return false;
  if (pattern === '*') return true;
  const [, name = pattern, onPort] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  if (onPort !== undefined && Number(onPort) !== port) return false;
  const domain = name.replace(/^\*?\.?/, '').replace(/^\[|\]$/g, '');
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

const connectTimeoutMs = 15_000;

/** A socket to the proxy itself. */
export function connectToProxy({ url, isStrict }: ProxyRoute): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: portOf(url) };
  return new Promise((resolve, reject) => {
    const socket: Socket =
      url.protocol === 'https:'
        ? connectTls({ ...address, rejectUnauthorized: isStrict, ...(isIP(host) === 0 && { servername: host }) }, () =>
            resolve(socket),
          )
        : connectPlain(address, () => resolve(socket));
    const fail = (cause: Error) =>
      reject(new RemoteError('offline', syncMessage('proxyUnreachable', url.host), { cause }));
    socket.once('error', fail);
    socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('timeout')));
    socket.once('close', () => fail(new Error('closed')));
  });
}

/**
 * A tunnel through the proxy to `host:port` (CONNECT, RFC 9110 9.3.6). It constructs the request itself, because the
 * editor has replaced the functions of `http` with its own, which add proxies and agents.
 */
export async function openTunnel(route: ProxyRoute, host: string, port: number): Promise<Socket> {
  const socket = await connectToProxy(route);
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const request: ClientRequest = new OwnRequest({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...(route.authorization && { 'Proxy-Authorization': route.authorization }) },
      createConnection: () => socket,
    });
    request.once('connect', ({ statusCode = 0 }, way: Socket, head: Buffer) => {
      if (statusCode === 200) {
        way.setTimeout(0);
        if (head.length > 0) way.unshift(head);
        resolve(way);
      } else {
        way.destroy();
        reject(proxyRefusal(statusCode, route.url.host, host));
      }
    });
    request.once('error', cause =>
      reject(new RemoteError('offline', syncMessage('proxyUnreachable', route.url.host), { cause })),
    );
    request.end();
  });
}

/** The error for a proxy's refusal to let a request through. */
export function proxyRefusal(status: number, proxy: string, host: string): RemoteError {
  if (status === 407) return new RemoteError('proxy', syncMessage('proxyLogin', proxy), { status });
  if (status === 502 || status === 503 || status === 504)
    return new RemoteError('offline', syncMessage('proxyCannotReach', proxy, host, status), { status });
  return new RemoteError('proxy', syncMessage('proxyForbids', proxy, host, status), {
    status,
  });
}
