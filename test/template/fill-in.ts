import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import yazl from 'yazl';

/** What is typed into a cell: a serial or number, or text. */
export type Typed = string | number;

/** The parts of a packed workbook as text, by name. */
export async function partsOf(bytes: Buffer): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  const source = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of source.eachEntry())
    parts.set(entry.fileName, (await buffer(await source.openReadStreamPromise(entry))).toString('utf8'));
  return parts;
}

/** The headers of a sheet's columns, in order, as they stand in its first row. */
export function headersOf(parts: ReadonlyMap<string, string>, part: string): string[] {
  const strings = [...(parts.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>(.*?)<\/si>/gs)].map((match) =>
    unescaped([...(match[1] ?? '').matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map((text) => text[1]).join('')),
  );
  const [, row = ''] = /<row r="1"[^>]*>(.*?)<\/row>/s.exec(parts.get(part) ?? '') ?? [];
  return [...row.matchAll(/<v>(\d+)<\/v>|<t[^>]*>(.*?)<\/t>/gs)].map(([, shared, text = '']) =>
    shared === undefined ? unescaped(text) : (strings[Number(shared)] ?? ''),
  );
}

/** The part of each sheet of a workbook, by the sheet's name, in order. */
export function sheetParts(parts: ReadonlyMap<string, string>): Map<string, string> {
  const targets = new Map(
    [...(parts.get('xl/_rels/workbook.xml.rels') ?? '').matchAll(/Id="(\w+)"[^>]*Target="([^"]+)"/g)].map(
      (match) => [match[1], `xl/${match[2]}`] as const,
    ),
  );
  const sheets = (parts.get('xl/workbook.xml') ?? '').matchAll(
    /<sheet [^>]*name="([^"]+)"[^>]*r:id="(\w+)"/g,
  );
  return new Map([...sheets].map((match) => [match[1] ?? '', targets.get(match[2]) ?? '']));
}

/**
 * A template with rows typed into it as Excel would save them: below the header, in the columns' own formats. Rows are
 * by sheet, cells by header without its mark.
 */
export async function fillIn(
  bytes: Buffer,
  rows: Readonly<Record<string, readonly Readonly<Record<string, Typed>>[]>>,
): Promise<Buffer> {
  const parts = await partsOf(bytes);
  const places = sheetParts(parts);
  for (const [sheet, filled] of Object.entries(rows)) {
    const part = places.get(sheet) ?? '';
    const xml = parts.get(part);
    if (xml === undefined) throw new Error(`no sheet ${sheet}`);
    const headers = headersOf(parts, part).map((header) => header.replace(/ \*$/, ''));
    const formats = columnFormats(xml);
    const lines = filled.map((cells, at) => {
      const unknown = Object.keys(cells).filter((name) => !headers.includes(name));
      if (unknown.length > 0) throw new Error(`${sheet} has no column ${unknown.join(', ')}`);
      const typed = headers.map((header, column) => cellXml(cells[header], column, at + 2, formats[column]));
      return `<row r="${at + 2}">${typed.join('')}</row>`;
    });
    parts.set(part, xml.replace('</sheetData>', `${lines.join('')}</sheetData>`));
  }
  return await pack(parts);
}

function columnFormats(xml: string): string[] {
  const formats: string[] = [];
  for (const [, min, max, style] of xml.matchAll(/<col min="(\d+)" max="(\d+)"[^>]*style="(\d+)"/g))
    for (let column = Number(min); column <= Number(max); column++) formats[column - 1] = style ?? '0';
  return formats;
}

function cellXml(value: Typed | undefined, column: number, row: number, style = '0'): string {
  if (value === undefined) return '';
  const letters = column < 26 ? String.fromCharCode(65 + column) : `A${String.fromCharCode(39 + column)}`;
  const place = `r="${letters}${row}" s="${style}"`;
  return typeof value === 'number'
    ? `<c ${place}><v>${value}</v></c>`
    : `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

/** Parts as a packed workbook. */
export async function pack(parts: ReadonlyMap<string, string>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, text] of parts) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return await buffer(zip.outputStream);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Text of XML as it is meant. */
export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#10;', '\n')
    .replaceAll('&amp;', '&');
}
