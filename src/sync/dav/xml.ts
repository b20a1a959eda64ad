import { setImmediate } from 'node:timers/promises';
import { type QualifiedTag, type SAXOptions, SAXParser } from 'sax';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';
import { PlainElements, type XmlElement } from './plainXml';
import { davNamespace } from './quirks';

export type { XmlElement } from './plainXml';

interface OpenElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  text: string;
}

/** Real answers go a dozen deep. Resolving a name costs its depth, so that an endless descent would hold up everything. */
const deepest = 200;

/** Some 250 000 tasks in one listing. Each costs twenty times what it takes to send, so that 64 MB of them fill all memory. */
const maxElements = 2_000_000;

/** Of one element; real ones have a dozen. Reading each takes its time, and 64 MB of them a minute. */
const maxAttributes = 500;

/** That hold at one place; real answers have a dozen. sax goes through all of them where an element ends. */
const maxNamespaces = 50;

type Take = (child: XmlElement, root: string) => boolean;
const keepAll: Take = () => false;

const noAttributes: Readonly<Record<string, string>> = {};

/** So many characters are read before others get their turn. */
const slice = 64 * 1024;

/** Element names are written `{namespace}local`. A document type is refused: nothing here needs one, attacks do. */
export function parseXml(text: string, most = maxElements): XmlElement {
  const reader = new XmlReader(text, most, keepAll);
  for (const piece of slicesOf(text)) reader.write(piece);
  return reader.end();
}

/**
 * The same, with a pause after each slice: a long answer must not hold up everything else. Where `take` gives true for a child
 * of the root, the root does not keep it: the whole tree of a long answer takes more memory than its text.
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
function* slicesOf(text: string): Generator<string> {
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

/** What sax keeps of an open tag until its `>`; its types do not name it. */
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
  /** Looks for the root's tag, which the first piece has. */
  #begins = true;
  #sectionEnds: number;
  /** Inside the root, as long as nothing but plain elements came. */
  #plain: PlainElements | undefined;
  /** An element of which the rest is in the next piece. */
  #cut = '';

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
    const text = this.#cut + piece;
    this.#cut = '';
    let at = 0;
    // Up to the end of the root's tag, which is the last letter that sax sees before plain elements.
    while (this.#begins && at < text.length) {
      const end = text.indexOf('>', at) + 1 || text.length;
      this.#hand(text.slice(at, end));
      at = end;
    }
    this.#begins = false;
    if (this.#plain) at = this.#readPlain(text, at, this.#plain);
    if (this.#plain && text.length - at <= slice) this.#cut = text.slice(at);
    else this.#leave(text.slice(at));
  }

  /** Everything from here on is for sax. */
  #leave(text: string): void {
    this.#plain = undefined;
    this.#hand(text);
  }

  #hand(text: string): void {
    this.#parser.write(text);
    if (this.#parser.attribList.length > maxAttributes) invalid();
  }

  /** Gives how far that went. */
  #readPlain(text: string, from: number, plain: PlainElements): number {
    const root = this.#open[0]!;
    for (let at = from; ; ) {
      const begin = text.indexOf('<', at);
      if (begin < 0) return at;
      const between = text.slice(at, begin);
      const read = between.includes('&') ? undefined : plain.read(text, begin);
      if (read === 'cut') return at;
      if (!read) {
        this.#plain = undefined;
        return at;
      }
      this.#elements += read.count;
      if (this.#elements > this.most) invalid();
      root.text += between;
      this.#add(root, read.element);
      at = read.end;
    }
  }

  end(): XmlElement {
    this.#leave(this.#cut);
    this.#parser.close();
    // The rest of a text that was put into CDATA with its own `]]>`: what was read of it is wrong.
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

  #onOpenTag({ uri, local, ns }: QualifiedTag): void {
    if (this.#open.length >= deepest || ++this.#elements > this.most) invalid();
    // A second root; or a prefix such as `constructor`, for which sax finds what every object has.
    if ((this.#root && this.#open.length === 0) || typeof uri !== 'string') invalid();
    const attributes = this.#attributes ?? noAttributes;
    this.#open.push({ name: this.#nameOf(uri, local), attributes, children: [], text: '' });
    this.#attributes = undefined;
    this.#ownAttributes = 0;
    if (!this.#begins) return;
    this.#begins = false;
    this.#plain = new PlainElements(noAttributes, (prefix, local) => {
      const bound = ns[prefix] ?? '';
      return typeof bound !== 'string' || (prefix !== '' && bound === '') ? undefined : this.#nameOf(bound, local);
    });
  }

  #onCloseTag(): void {
    const element = this.#open.pop()!;
    const parent = this.#open.at(-1);
    if (parent) this.#add(parent, element);
    else {
      this.#root = element;
      this.#plain = undefined;
    }
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

function invalid(cause?: Error): never {
  throw new RemoteError('protocol', syncMessage('invalidXml'), { cause });
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
