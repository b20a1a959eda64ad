import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';
import { childOf, childrenOf, parseXml, parseXmlInSlices, type XmlElement } from './xml';

/** One `response` of a 207 (RFC 4918 14.24). A property counts as present only if its own propstat says 2xx. */
export interface DavResponse {
  /** The href as the server sent it. */
  readonly href: string;
  /** The response's own status; undefined if it has propstats instead. */
  readonly status: number | undefined;
  readonly props: ReadonlyMap<string, XmlElement>;
  /** Properties that the server named with an error status. */
  readonly refused: ReadonlyMap<string, number>;
}

export interface Multistatus {
  readonly responses: readonly DavResponse[];
  readonly syncToken: string | undefined;
}

export function parseMultistatus(text: string): Multistatus {
  const root = parseXml(text);
  refuseOther(root);
  return { responses: childrenOf(root, responseName).map(parseResponse), syncToken: tokenIn(root) };
}

/** Parses an answer that may be long in slices, so that other work can run in between. */
export async function parseLongMultistatus(text: string): Promise<Multistatus> {
  const responses: DavResponse[] = [];
  const root = await parseXmlInSlices(text, (child, root) => {
    const isResponse = root === multistatus && child.name === responseName;
    if (isResponse) responses.push(parseResponse(child));
    return isResponse;
  });
  refuseOther(root);
  return { responses, syncToken: tokenIn(root) };
}

const multistatus = '{DAV:}multistatus';
const responseName = '{DAV:}response';

function refuseOther({ name }: XmlElement): void {
  if (name !== multistatus) throw new RemoteError('protocol', syncMessage('invalidWebdav'));
}

const tokenIn = (root: XmlElement): string | undefined => childOf(root, '{DAV:}sync-token')?.text.trim() || undefined;

const nothingRefused: ReadonlyMap<string, number> = new Map();

function parseResponse(response: XmlElement): DavResponse {
  const props = new Map<string, XmlElement>();
  let refused: Map<string, number> | undefined;
  for (const propstat of childrenOf(response, '{DAV:}propstat')) {
    const status = statusOf(propstat) ?? 200;
    for (const prop of childOf(propstat, '{DAV:}prop')?.children ?? []) {
      if (status >= 200 && status < 300) props.set(prop.name, prop);
      else {
        refused ??= new Map();
        refused.set(prop.name, status);
      }
    }
  }
  const href = childOf(response, '{DAV:}href')?.text.trim() ?? '';
  return { href, status: statusOf(response), props, refused: refused ?? nothingRefused };
}

function statusOf(element: XmlElement): number | undefined {
  const code = childOf(element, '{DAV:}status')
    ?.text.trim()
    .match(/^(?:HTTP\/\S+\s+)?(\d{3})\b/)?.[1];
  return code === undefined ? undefined : Number(code);
}

export const propText = (response: DavResponse, name: string): string | undefined =>
  response.props.get(name)?.text.trim() || undefined;

/** The hrefs inside a property such as current-user-principal or calendar-home-set. */
export const hrefsOf = (response: DavResponse, name: string): string[] =>
  childrenOf(response.props.get(name), '{DAV:}href')
    .map(href => href.text.trim())
    .filter(href => href !== '');
