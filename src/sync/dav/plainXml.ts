/** An element with its namespace resolved. `text` joins all text and CDATA directly inside. */
export interface XmlElement {
  readonly name: string;
  /** By name as written. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** What stands between `<` and `>`, where that is a name alone. */
interface Tag {
  /** As written. */
  readonly written: string;
  readonly name: string;
  readonly isEmpty: boolean;
  readonly isEnd: boolean;
}

type Growing = { -readonly [Key in keyof XmlElement]: XmlElement[Key] } & { readonly children: XmlElement[] };

interface PlainElement {
  readonly element: XmlElement;
  /** Elements in it, itself among them. */
  readonly count: number;
  /** Behind it in the text. */
  readonly end: number;
}

const maxTagLength = 100;
const maxTags = 200;
const deepest = 20;

const tagForm = /^(\/?)((?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*))( ?\/)?$/;
const otherReference = /&(?!(?:amp|lt|gt|quot|apos|#13);)/;
const references: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#13;': '\r',
};

/**
 * Reads what answers consist of for the most part: elements without attributes, whose texts have no other markup than the
 * usual references. sax takes each letter into its hands, and five times as long. Whatever else there is is left to sax.
 */
export class PlainElements {
  readonly #tags = new Map<string, Tag | undefined>();

  /** `nameOf` resolves a prefix as it is bound where the elements stand. */
  constructor(
    private readonly noAttributes: XmlElement['attributes'],
    private readonly nameOf: (prefix: string, local: string) => string | undefined,
  ) {}

  /** The element that begins there; `cut` where the text ends before it does, undefined where it is for sax. */
  read(source: string, begin: number): PlainElement | 'cut' | undefined {
    const open: { readonly tag: Tag; readonly element: Growing }[] = [];
    let count = 0;
    for (let at = begin; ; ) {
      const from = source.indexOf('<', at);
      const to = from < 0 ? -1 : source.indexOf('>', from);
      if (to < 0) return 'cut';
      const tag = this.#tag(source, from + 1, to);
      const text = from > at ? textOf(source.slice(at, from)) : '';
      if (!tag || text === undefined) return undefined;
      at = to + 1;
      const around = open.at(-1);
      if (around) around.element.text += text;
      let closed: XmlElement | undefined;
      if (tag.isEnd) {
        if (tag.written !== around?.tag.written) return undefined;
        closed = open.pop()!.element;
      } else {
        count++;
        const element = { name: tag.name, attributes: this.noAttributes, children: [], text: '' };
        if (tag.isEmpty) closed = element;
        else if (open.push({ tag, element }) > deepest) return undefined;
      }
      if (!closed) continue;
      const parent = open.at(-1)?.element;
      if (!parent) return { element: closed, count, end: at };
      parent.children.push(closed);
    }
  }

  #tag(source: string, from: number, to: number): Tag | undefined {
    if (to - from > maxTagLength) return undefined;
    const text = source.slice(from, to);
    const known = this.#tags.get(text);
    if (known || this.#tags.size >= maxTags) return known;
    const [, slash, written, prefix = '', local, end] = tagForm.exec(text) ?? [];
    const name = local && this.nameOf(prefix, local);
    if (!written || !name || (slash && end)) return undefined;
    const tag = { written, name, isEmpty: end !== undefined, isEnd: slash !== '' };
    this.#tags.set(text, tag);
    return tag;
  }
}

function textOf(text: string): string | undefined {
  if (!text.includes('&')) return text;
  return otherReference.test(text) ? undefined : text.replace(/&[#\w]+;/g, reference => references[reference]!);
}
