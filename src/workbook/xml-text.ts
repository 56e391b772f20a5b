import type { XmlScanner } from './xml-scanner.ts';

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text with character references resolved; a reference that XML doesn't know stays as it is written. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,8})|([a-z]{2,4}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

/** Excel's own escape for characters that XML can't hold: `_x000D_` is CR, `_x005F_` a plain underscore. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Line ends as LF. */
export function unifyLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** The text of the scanner's current TEXT or CDATA token; line ends are left to the cell, as it may be in pieces. */
export function tokenText(scanner: XmlScanner, cdata: boolean): string {
  if (scanner.plain) return scanner.bytes.toString('latin1', scanner.start, scanner.end);
  const text = scanner.bytes.toString('utf8', scanner.start, scanner.end);
  return decodeEscapes(cdata ? text : decodeReferences(text));
}

/** The value of an attribute by its full name's code, or undefined when it is absent. */
export function attributeValue(scanner: XmlScanner, code: number): string | undefined {
  const index = scanner.attribute(code);
  return index < 0 ? undefined : decodeReferences(scanner.attributeText(index));
}

/** Whether an attribute is `1`, `true` or `on`. */
export function attributeIsTrue(scanner: XmlScanner, code: number): boolean {
  const value = attributeValue(scanner, code);
  return value === '1' || value === 'true' || value === 'on';
}
