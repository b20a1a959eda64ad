import { setImmediate } from 'node:timers/promises';
import { type QualifiedTag, type SAXOptions, SAXParser } from 'sax';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';
import { davNamespace, withWholeCharacters } from './quirks';

/** An element with its namespace resolved. `text` joins all text and CDATA directly inside. */
export interface XmlElement {
  readonly name: string;
  /** By name as written. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  text: string;
}

/** Real answers go a dozen deep. Resolving a name costs its depth, so that an endless descent would hold up everything. */
const deepest = 200;

/**
 * Some 250 000 tasks in one listing. Each element takes twenty times its size, so that 64 MB of them would fill the
 * memory.
 */
const maxElements = 2_000_000;

/** The limit for one element; real ones have a dozen. Each takes time to read, and 64 MB of them a minute. */
const maxAttributes = 500;

/**
 * The namespaces in scope of one element; real answers have a dozen. sax goes through all of them at each element's
 * end.
 */
const maxNamespaces = 50;

type Take = (child: XmlElement, root: string) => boolean;
const keepAll: Take = () => false;

const noAttributes: Readonly<Record<string, string>> = {};

/** The number of characters that are read before other work gets a turn. */
const slice = 64 * 1024;

/** Element names are written `{namespace}local`. A document type is refused: nothing here needs one, attacks do. */
export function parseXml(text: string, most = maxElements): XmlElement {
  const reader = new XmlReader(text, most, keepAll);
  for (const piece of slicesOf(text)) reader.write(piece);
  return reader.end();
}

/**
 * The same, with a pause after each slice: a long answer must not hold up everything else. If `take` returns true for a
 * child of the root, the root does not keep it: the whole tree of a long answer takes more memory than its text.
 */
export async function parseXmlInSlices(text: string, take: Take = keepAll): Promise<XmlElement> {
  const reader = new XmlReader(text, maxElements, take);
  for (const piece of slicesOf(text)) {
    reader.write(piece);
    if (text.length > slice) await setImmediate();
  }
  return reader.end();
}

/** From after a byte order mark. XML has every CRLF count as an LF (2.11); none is cut in two. */
function* slicesOf(raw: string): Generator<string> {
  const text = withWholeCharacters(raw);
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length; ) {
    const end = at + slice + (text.startsWith('\r\n', at + slice - 1) ? 1 : 0);
    const piece = text.slice(at, end);
    yield piece.includes('\r') ? piece.replace(/\r\n?/g, '\n') : piece;
    at = end;
  }
}

const sectionEnd = ']]>';

const sectionEndsIn = (text: string): number => text.split(sectionEnd).length - 1;

/** Without positions sax neither counts lines nor limits the length of a text. */
const options: SAXOptions & { strictEntities: boolean } = { xmlns: true, position: false, strictEntities: true };

/** The attributes that sax collects of an open tag until its `>`; its types do not name them. */
type Parser = SAXParser & { readonly attribList: readonly unknown[] };

/** Builds the tree of one document, and refuses what sax lets through although it is not well-formed. */
class XmlReader {
  readonly #parser = new SAXParser(true, options) as Parser;
  readonly #open: OpenElement[] = [];
  // Thousands of elements share a handful of names.
  readonly #names = new Map<string, Map<string, string>>();
  #root: XmlElement | undefined;
  #elements = 0;
  #attributeCount = 0;
  #attributes: Record<string, string> | undefined;
  #ownAttributes = 0;
  #namespaces = 0;
  #sectionEnds: number;

  constructor(
    text: string,
    private readonly most: number,
    private readonly take: Take,
  ) {
    this.#sectionEnds = sectionEndsIn(text);
    const parser = this.#parser;
    parser.onerror = invalid;
    parser.ondoctype = () => {
      throw new RemoteError('protocol', syncMessage('doctypeXml'));
    };
    parser.onsgmldeclaration = () => invalid();
    parser.onopennamespace = () => void (++this.#namespaces > maxNamespaces && invalid());
    parser.onclosenamespace = () => void this.#namespaces--;
    parser.onattribute = ({ name, value }) => this.#onAttribute(name, value);
    parser.onopentag = tag => this.#onOpenTag(tag as QualifiedTag);
    parser.onclosetag = () => this.#onCloseTag();
    parser.ontext = piece => this.#onText(piece);
    parser.oncdata = piece => this.#onText(piece);
    parser.onclosecdata = () => void this.#sectionEnds--;
    parser.oncomment = comment => this.#allowSectionEnds(comment);
  }

  write(piece: string): void {
    // A character that XML cannot hold, NUL among them.
    if (/[^\t\n\u0020-\ufffd]/.test(piece)) invalid();
    this.#parser.write(piece);
    if (this.#parser.attribList.length > maxAttributes) invalid();
  }

  end(): XmlElement {
    this.#parser.close();
    // The rest of a text that was put into CDATA although it contains `]]>`: the part before it is wrong.
    if (this.#sectionEnds > 0) invalid();
    if (!this.#root) throw new RemoteError('protocol', syncMessage('emptyXml'));
    return this.#root;
  }

  #allowSectionEnds(text: string): void {
    if (text.includes(sectionEnd)) this.#sectionEnds -= sectionEndsIn(text);
  }

  #onAttribute(name: string, value: string): void {
    if (++this.#ownAttributes > maxAttributes || ++this.#attributeCount > this.most) invalid();
    this.#attributes ??= {};
    // sax lets a doubled attribute through.
    if (Object.hasOwn(this.#attributes, name)) invalid();
    this.#attributes[name] = value;
    this.#allowSectionEnds(value);
  }

  #onOpenTag({ uri, local }: QualifiedTag): void {
    if (this.#open.length >= deepest || ++this.#elements > this.most) invalid();
    // A second root; or a prefix such as `constructor`, for which sax finds what every object has.
    if ((this.#root && this.#open.length === 0) || typeof uri !== 'string') invalid();
    const attributes = this.#attributes ?? noAttributes;
    this.#open.push({ name: this.#nameOf(uri, local), attributes, children: [], text: '' });
    this.#attributes = undefined;
    this.#ownAttributes = 0;
  }

  #onCloseTag(): void {
    const element = this.#open.pop()!;
    const parent = this.#open.at(-1);
    if (parent) this.#add(parent, element);
    else this.#root = element;
  }

  #add(parent: OpenElement, child: XmlElement): void {
    if (this.#open.length > 1 || !this.take(child, parent.name)) parent.children.push(child);
  }

  #onText(piece: string): void {
    const element = this.#open.at(-1);
    if (element) element.text += piece;
    else if (piece.trim() !== '') invalid();
  }

  #nameOf(uri: string, local: string): string {
    const ofUri = this.#names.get(uri) ?? new Map<string, string>();
    const name = ofUri.get(local) ?? `{${davNamespace(uri)}}${local}`;
    if (ofUri.size === 0) this.#names.set(uri, ofUri);
    ofUri.set(local, name);
    return name;
  }
}

function invalid(): never {
  throw new RemoteError('protocol', syncMessage('invalidXml'));
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
