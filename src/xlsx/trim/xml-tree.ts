import { DAMAGE, DamagedPart } from '../damage.ts';
import { escapeText, escapeXml } from '../edit/xml-write.ts';
import { decodeReferences } from '../xml/xml-text.ts';

/** A tag, or what else begins with `<`; a text between tags is what no match covers. */
const MARKUP =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([^\s<>/!?]+)((?:"[^"]*"|'[^']*'|[^"'<>])*?)(\/?)>/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** What stands in an element: elements, and all else as it is written. */
type XmlNode = XmlElement | string;

/** An element of a small part that is edited as a whole; what nobody touches is written as it was read. */
export class XmlElement {
  /** The name with its prefix. */
  readonly name: string;
  children: XmlNode[] = [];
  private tag: string;

  constructor(name: string, tag: string) {
    this.name = name;
    this.tag = tag;
  }

  /** The name without its prefix. */
  get local(): string {
    return this.name.slice(this.name.indexOf(':') + 1);
  }

  /** An attribute's value, by its name without prefix. */
  attribute(local: string): string | undefined {
    for (const [, name = '', double, single] of this.tag.matchAll(ATTRIBUTE))
      if (name.slice(name.indexOf(':') + 1) === local && !name.startsWith('xmlns'))
        return decodeReferences(double ?? single ?? '');
    return undefined;
  }

  /** Gives an attribute without prefix another value, or takes it away. */
  set(name: string, value: string | null): void {
    const found = new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`);
    const own = value === null ? '' : ` ${name}="${escapeXml(value)}"`;
    this.tag = found.test(this.tag) ? this.tag.replace(found, () => own) : this.tag + own;
  }

  /** The elements in it with a name without prefix; all when none is given. */
  elements(local?: string): XmlElement[] {
    return this.children.filter(
      (child): child is XmlElement =>
        typeof child !== 'string' && (local === undefined || child.local === local),
    );
  }

  /** Leaves out the elements in it that don't hold; answers how many stay. */
  keep(holds: (element: XmlElement) => boolean): number {
    this.children = this.children.filter((child) => typeof child === 'string' || holds(child));
    return this.elements().length;
  }

  /** It and all elements below it, in order. */
  *all(): Generator<XmlElement> {
    yield this;
    for (const child of this.elements()) yield* child.all();
  }

  /** The text directly in it. */
  get text(): string {
    const texts = this.children.map((child) => (typeof child === 'string' ? plainText(child) : ''));
    return texts.join('');
  }

  set text(text: string) {
    this.children = [escapeText(text)];
  }

  toString(): string {
    return this.children.length === 0
      ? `<${this.name}${this.tag}/>`
      : `<${this.name}${this.tag}>${this.children.join('')}</${this.name}>`;
  }
}

/** The elements of a piece of XML, and what stands between them. Throws DamagedPart. */
export function parseXml(xml: string): XmlNode[] {
  const top = new XmlElement('', '');
  const open = [top];
  let at = 0;
  for (const match of xml.matchAll(MARKUP)) {
    const [markup, , closing, name, tag = '', empty] = match;
    const parent = open.at(-1) as XmlElement;
    if (match.index > at) parent.children.push(xml.slice(at, match.index));
    at = match.index + markup.length;
    if (name === undefined) parent.children.push(markup);
    else if (closing === '/') {
      if (open.pop()?.name !== name || open.length === 0) throw new DamagedPart(DAMAGE.unmatchedTags);
    } else {
      const element = new XmlElement(name, tag.trimEnd());
      parent.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  if (open.length > 1) throw new DamagedPart(DAMAGE.breaksOff);
  if (at < xml.length) top.children.push(xml.slice(at));
  return top.children;
}

/** A whole part: its root to edit, and the part as it is by then. Throws DamagedPart. */
export function parsePart(bytes: Buffer): { readonly root: XmlElement; readonly write: () => Buffer } {
  const nodes = parseXml(bytes.toString());
  const root = nodes.find((node): node is XmlElement => typeof node !== 'string');
  if (root === undefined) throw new DamagedPart(DAMAGE.noXml);
  return { root, write: () => Buffer.from(nodes.join('')) };
}

function plainText(written: string): string {
  const [markup, section] = new RegExp(MARKUP.source).exec(written) ?? [];
  if (markup === undefined) return decodeReferences(written);
  return section ?? '';
}
