import { isIP } from 'node:net';

/**
 * True if credentials may be sent to `origin`: it is the one that the user typed, the same host once it is encrypted,
 * over https another host of the same owner (a domain's `dav.` host, iCloud's numbered ones), or approved by the user.
 *
 * @example
 * mayReceiveCredentials('https://dav.example.org', 'https://example.org') // true
 */
export function mayReceiveCredentials(origin: string, home: string, approved: ReadonlySet<string> = none): boolean {
  if (origin === home || approved.has(origin)) return true;
  const to = new URL(origin);
  const from = new URL(home);
  if (to.protocol !== 'https:') return false;
  if (from.protocol === 'http:') return to.hostname === from.hostname && isDefaultPort(from) && isDefaultPort(to);
  const domain = registrableDomain(to.hostname);
  return domain !== undefined && domain === registrableDomain(from.hostname);
}

const none: ReadonlySet<string> = new Set();

const isDefaultPort = (url: URL) => url.port === '';

/** Second levels that stand for a registry, not an owner, in country domains. */
const registries = new Set(['ac', 'co', 'com', 'edu', 'gov', 'go', 'ne', 'net', 'nom', 'or', 'org', 'gob', 'gouv']);

/** Domains whose names have different owners: two names under them need not have one. */
const shared = new Set(
  [
    'github.io gitlab.io pages.dev workers.dev vercel.app netlify.app herokuapp.com fly.dev onrender.com web.app',
    'firebaseapp.com azurewebsites.net cloudapp.net cloudfront.net amazonaws.com appspot.com duckdns.org dyndns.org',
    'no-ip.org ddns.net dynu.net synology.me myqnapcloud.com selfhost.eu spdns.de dnshome.de myfritz.net hopto.org',
    'ngrok.io ngrok.app trycloudflare.com ts.net home.pl blogspot.com altervista.org eu.org',
    'your-storageshare.de dedyn.io nsupdate.info goip.de ddnss.de dynv6.net freeddns.org tplinkdns.com asuscomm.com',
    'me.uk ltd.uk plc.uk sch.uk nhs.uk id.au asn.au geek.nz gen.nz kiwi.nz school.nz asso.fr gv.at idv.tw game.tw',
    'club.tw ebiz.tw web.id my.id biz.id sch.id desa.id firm.in gen.in ind.in blog.br eti.br adv.br ind.br art.br',
    'waw.pl info.pl biz.pl web.tr gen.tr name.tr name.my web.za law.za ad.jp gr.jp lg.jp pp.ru msk.ru spb.ru',
  ]
    .join(' ')
    .split(' '),
);

/** The part of a host name that belongs to one owner, by rule of thumb; undefined if there is none. */
function registrableDomain(hostname: string): string | undefined {
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined;
  const labels = hostname.toLowerCase().split('.').filter(Boolean);
  if (labels.length < 2) return undefined;
  const two = labels.slice(-2).join('.');
  const needsThree = shared.has(two) || (labels.at(-1)!.length === 2 && registries.has(labels.at(-2)!));
  if (!needsThree) return two;
  return labels.length < 3 ? undefined : labels.slice(-3).join('.');
}
