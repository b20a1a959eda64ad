import type { AServer, Hook } from './server';
import { type AList, withProps } from './serverLists';
import { linesOf } from './texts';

/** The quirks of real servers, as hooks for a server of the tests. One restored to an older state: `AList.restore`. */

/** The gateways to Google and Exchange: no ETag for what they take, and what they store is their own text of it. */
export const gateway =
  (server: AServer): Hook =>
  (request, next) => {
    if (request.method !== 'PUT') return undefined;
    const { status } = next();
    if (status < 300) listAt(server, request.path).put(request.path, inItsOwnWords(request.body));
    return { status };
  };

/** SOGo: the same, it heeds no condition on what is new and what is deleted, and its ctag counts seconds. */
export const sogo =
  (server: AServer): Hook =>
  async (request, next) => {
    const { method, path, body, headers } = request;
    if (method !== 'PUT' && method !== 'DELETE') return undefined;
    const list = listAt(server, path);
    list.ctag = `${Math.floor(Date.now() / 1000)}`;
    if (method === 'PUT' && headers['if-none-match'] !== '*') return gateway(server)(request, next);
    if (method === 'DELETE') list.remove(path);
    else list.put(path, inItsOwnWords(body));
    return { status: 204 };
  };

const listAt = ({ lists }: AServer, path: string): AList =>
  [...lists.values()].find(list => path.startsWith(list.path))!;

/** Shows a list in its home that lies on another origin. */
export const withForeignList =
  (server: AServer, url: string): Hook =>
  ({ method, path }, next) => {
    if (method !== 'PROPFIND' || !server.homes.includes(path)) return undefined;
    const answer = next();
    const list = withProps(
      url,
      '<D:resourcetype><D:collection/><C:calendar/></D:resourcetype><D:displayname>Foreign</D:displayname>',
    );
    return { ...answer, body: answer.body?.replace('</D:multistatus>', `${list}</D:multistatus>`) };
  };

/**
 * Another order, another program, other times of writing, no line it does not know: what the user wrote is the same.
 */
function inItsOwnWords(text: string): string {
  const left = /^(DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE|PRODID|CLASS|COLOR|X-)/;
  const lines = linesOf(text).flatMap(line => {
    if (line === 'BEGIN:VCALENDAR') return [line, 'PRODID:-//Inverse inc./SOGo 5.8//EN'];
    if (line === 'END:VTODO')
      return ['DTSTAMP:20261121T101500Z', 'LAST-MODIFIED:20261121T101500Z', 'CLASS:PUBLIC', line];
    return left.test(line) ? [] : [line];
  });
  return `${lines.join('\r\n')}\r\n`;
}
