import { resolveSrv, resolveTxt } from 'node:dns/promises';
import type { ServiceLookup } from './discovery';

/** DNS SRV `_caldavs._tcp` with the path of its TXT record (RFC 6764 3, 4); never the unencrypted `_caldav`. */
export const lookupService: ServiceLookup = async domain => {
  const name = `_caldavs._tcp.${domain}`;
  try {
    const [best] = (await resolveSrv(name)).sort((a, b) => a.priority - b.priority || b.weight - a.weight);
    if (!best || best.name === '' || best.name === '.') return undefined;
    const port = best.port === 443 ? '' : `:${best.port}`;
    return `https://${best.name}${port}${await pathOf(name)}`;
  } catch {
    return undefined;
  }
};

async function pathOf(name: string): Promise<string> {
  try {
    const path = (await resolveTxt(name))
      .map(pieces => pieces.join(''))
      .find(text => text.startsWith('path='))
      ?.slice('path='.length);
    return path?.startsWith('/') ? path : '/';
  } catch {
    return '/';
  }
}
