import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';
import { davNamespace } from './quirks';

/** An element with its namespace resolved. `text` joins all text and CDATA directly inside. */
export interface XmlElement {
  readonly name: string;
  /** By name as written. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface Building {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  text: string;
}

/** Real answers go a dozen deep. Resolving a name costs its depth, so that an endless descent would hold up everything. */
const deepest = 200;

/** Some 250 000 tasks in one listing. Each costs twenty times what it takes to send, so that 64 MB of them fill all memory. */
const mostElements = 2_000_000;

/** Of one element; real ones have a dozen. Reading each takes its time, and 64 MB of them a minute. */
const mostAttributes = 500;

const noAttributes: Readonly<Record<string, string>> = {};

/**
 * XML has every CRLF count as an LF. Here at once, since the reader would make a piece of text of each line, and put
 * thousands of tasks together from them.
 */
const withPlainLineEnds = (text: string): string => text.replaceAll('\r\n', '\n');

/** So many characters are read before others get their turn. */
const slice = 64 * 1024;

/** Element names are written `{namespace}local`. A document type is refused: nothing here needs one, attacks do. */
export function parseXml(text: string, most = mostElements): XmlElement {
  const { write, end } = reader(most);
  write(text.slice(startOf(text)));
  return end();
}

/** The same, with a pause after each slice: a long answer must not hold up everything else. */
export async function parseXmlInSlices(text: string): Promise<XmlElement> {
  if (text.length <= slice) return parseXml(text);
  const { write, end } = reader(mostElements);
  for (let at = startOf(text); at < text.length; at += slice) {
    write(text.slice(at, at + slice));
    await setImmediate();
  }
  return end();
}

/** After a byte order mark. */
const startOf = (text: string): number => (text.charCodeAt(0) === 0xfeff ? 1 : 0);

function reader(most: number): { readonly write: (piece: string) => void; readonly end: () => XmlElement } {
  const parser = new SaxesParser({ xmlns: true });
  const open: Building[] = [];
  // Thousands of elements share a handful of names.
  const names = new Map<string, Map<string, string>>();
  const nameOf = (uri: string, local: string) => {
    const ofUri = names.get(uri) ?? new Map<string, string>();
    const name = ofUri.get(local) ?? `{${davNamespace(uri)}}${local}`;
    if (ofUri.size === 0) names.set(uri, ofUri);
    ofUri.set(local, name);
    return name;
  };
  let root: XmlElement | undefined;
  let count = 0;
  let attributeCount = 0;
  let ownAttributes = 0;
  parser.on('doctype', () => {
    throw new RemoteError('protocol', syncMessage('doctypeXml'));
  });
  parser.on('error', error => {
    throw new RemoteError('protocol', syncMessage('invalidXml'), { cause: error });
  });
  parser.on('attribute', () => {
    if (++ownAttributes > mostAttributes || ++attributeCount > most)
      throw new RemoteError('protocol', syncMessage('invalidXml'));
  });
  parser.on('opentag', tag => {
    ownAttributes = 0;
    if (open.length >= deepest || ++count > most) throw new RemoteError('protocol', syncMessage('invalidXml'));
    let attributes: Record<string, string> | undefined;
    for (const name in tag.attributes) {
      attributes ??= {};
      attributes[name] = tag.attributes[name]!.value;
    }
    open.push({ name: nameOf(tag.uri, tag.local), attributes: attributes ?? noAttributes, children: [], text: '' });
  });
  const addText = (piece: string) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop()!;
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  return {
    write: piece => void parser.write(withPlainLineEnds(piece)),
    end: () => {
      parser.close();
      if (!root) throw new RemoteError('protocol', syncMessage('emptyXml'));
      return root;
    },
  };
}

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find(child => child.name === name);

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter(child => child.name === name) ?? [];

export function* descendants(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    yield child;
    yield* descendants(child);
  }
}
