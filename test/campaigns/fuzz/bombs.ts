import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { oneSheet, relationships, workbookXml } from '../../workbook/make-workbook.ts';

/** A text, of which the middle comes so many times. */
export type Repeated = readonly [before: string, each: string | ((at: number) => string), after: string];

/** A small workbook that unpacks to far more; `make` gives its parts for so many of what it repeats. */
export interface Bomb {
  readonly name: string;
  /** As many as a file of 5 MB holds, and one more than is taken; undefined if no count is the ground. */
  readonly full: number;
  readonly over?: number;
  /** What the refusal says of the small form. */
  readonly says?: RegExp;
  readonly make: (count: number) => Record<string, string | Repeated>;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const SHEET = 'xl/worksheets/sheet1.xml';
const text = (place: string, value: string): string =>
  `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const CELLS = `<row r="1">${['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'].map((name, at) => text(`${'ABCD'[at]}1`, name)).join('')}</row><row r="2"><c r="A2"><v>612001</v></c>${text('B2', 'Soep')}<c r="C2"><v>1</v></c>${text('D2', 'veel')}</row>`;
const BOOK = oneSheet(CELLS) as Record<string, string>;

const cut = (text: string | undefined, mark: string): readonly [string, string] => {
  const at = (text ?? '').indexOf(mark);
  return [(text ?? '').slice(0, at), (text ?? '').slice(at)];
};

/** The workbook with a part that repeats something in front of a mark. */
function filled(part: string, mark: string, each: Repeated[1], around = ['', '']) {
  const [before, after] = cut(BOOK[part], mark);
  return { ...BOOK, [part]: [before + around[0], each, around[1] + after] as const };
}

const styles = (list: string, each: Repeated[1]) => () => ({
  ...BOOK,
  'xl/styles.xml': [`<styleSheet ${MAIN}><${list}>`, each, `</${list}></styleSheet>`] as const,
});
const strings = (each: Repeated[1]) => () => ({
  ...BOOK,
  'xl/sharedStrings.xml': [`<sst ${MAIN}>`, each, '</sst>'] as const,
});
const inSheet = (mark: string, each: Repeated[1], around?: string[]) => () =>
  filled(SHEET, mark, each, around);

const list = relationships([['ID', 'worksheet', 'WHERE']]).match(/<Relationship [^>]*>/)?.[0] ?? '';
const related = (id: string, type: string, target: string): string =>
  list.replace('ID', id).replace('worksheet', type).replace('WHERE', target);
const [RELS_OPEN, RELS_CLOSE] = cut(relationships([]), '</');

/** The worksheet's name with each letter in the case that a bit of a number tells. */
function inCase(at: number): string {
  let bit = 0;
  return '/xl/worksheets/sheet1.xml'.replace(/[a-z]/g, (letter) =>
    (at >> bit++) & 1 ? letter.toUpperCase() : letter,
  );
}

const WORKBOOK = cut(workbookXml('<sheets></sheets>'), '</sheets>');
/** A workbook with so many sheets, their parts by number. */
const sheets = (part: (at: number) => string) =>
  ({
    'xl/workbook.xml': [WORKBOOK[0], (at: number) => `<sheet name="B${at}" r:id="r${at}"/>`, WORKBOOK[1]],
    'xl/_rels/workbook.xml.rels': [
      RELS_OPEN,
      (at: number) => related(`r${at}`, 'worksheet', part(at)),
      RELS_CLOSE,
    ],
  }) as const;

const objects = (type: string, target: string, part: Repeated) => () => ({
  ...BOOK,
  'xl/worksheets/_rels/sheet1.xml.rels': relationships([['rId1', type, `../${target}`]]),
  [`xl/${target}`]: part,
});
const ANCHOR =
  '<a:oneCellAnchor><a:from><a:col>1</a:col></a:from><a:ext cx="99999999999"/></a:oneCellAnchor>';
const VML = '<v:shape><x:ClientData ObjectType="List"><x:Anchor>1,0,1,0,2,1</x:Anchor></x:ClientData>';

const typed = (column: string, value: number | string): string =>
  `<c r="${column}"${typeof value === 'string' ? ' t="str"' : ''}><v>${value}</v></c>`;

/** Rows of which a file of 5 MB holds so many, by what is in their cells. */
const ROWS: Readonly<Record<string, readonly [full: number, cells: (at: number) => string]>> = {
  'rows with a bad cell': [700_000, (at) => typed('A', at + 7e5) + typed('D', 'x')],
  'rows that name no record': [900_000, (at) => typed('C', (at % 4) + 1) + typed('D', at)],
  'rows of own keys': [700_000, (at) => typed('A', at + 7e5) + typed('B', 'Soep') + typed('C', 1)],
  'rows that are copies of one another': [
    1_000_000,
    () => typed('A', 612002) + typed('B', 'Soep') + typed('C', 1) + typed('D', 3),
  ],
  'rows that name a kind that is not there': [
    500_000,
    (at) => typed('A', at + 7e5) + typed('B', 'Soep') + typed('C', `soort ${at}`),
  ],
};

/** Entities that unfold to gigabytes or name what is elsewhere; each is used many times. */
const ENTITIES: Readonly<Record<string, string>> = {
  'an entity of an entity of an entity': `<!ENTITY a "lol">${[...'abcdefghijklmn'].map((name, at, all) => `<!ENTITY ${all[at + 1] ?? 'e0'} "${`&${name};`.repeat(10)}">`).join('')}<!ENTITY e "&n;">`,
  'a long entity': `<!ENTITY e "${'a'.repeat(1_000_000)}">`,
  'an entity of elsewhere': '<!ENTITY e SYSTEM "file:///dev/zero">',
  'declarations of elsewhere': '<!ENTITY % p SYSTEM "http://127.0.0.1:9/x">%p;<!ENTITY e "x">',
};

const bomb = (name: string, full: number, make: Bomb['make'], over?: number, says?: RegExp): Bomb => ({
  ...{ name, full, make },
  ...(over !== undefined && { over }),
  ...(says !== undefined && { says }),
});

/** The bombs of the attack, and their kin. */
export const BOMBS: readonly Bomb[] = [
  bomb('cell formats', 80_000_000, styles('cellXfs', '<xf/>'), 65_491, /65,490 cell formats/),
  bomb(
    'number formats',
    1_500_000,
    styles('numFmts', (at) => `<numFmt numFmtId="${at}" formatCode="0"/>`),
    65_491,
    /65,490 number formats/,
  ),
  bomb(
    'sheets',
    400_000,
    () => ({ ...BOOK, ...sheets((at) => `worksheets/s${at}.xml`) }),
    4001,
    /4,000 sheets/,
  ),
  bomb(
    'sheets of one part in other case',
    4000,
    () => ({ ...BOOK, ...sheets(inCase) }),
    2,
    /no spreadsheet program does/,
  ),
  bomb(
    'relationships',
    3_000_000,
    () => filled('xl/_rels/workbook.xml.rels', '</Rel', related('x', 'worksheet', 'w.xml')),
    99_998,
    /100,000 relationships/,
  ),
  bomb('relationships of a sheet with one table in other case', 30_000, () => ({
    ...BOOK,
    'xl/worksheets/_rels/sheet1.xml.rels': [
      RELS_OPEN,
      (at: number) => related(`t${at}`, 'table', inCase(at).replace(/worksheets.sheet1/i, 'tables/T1')),
      RELS_CLOSE,
    ],
    'xl/tables/T1.xml': `<table ${MAIN} ref="A1:B2">${'<x/>'.repeat(2_000_000)}</table>`,
  })),
  bomb('empty shared texts', 80_000_000, strings('<si/>'), 1_200_000, /1,\d{3},\d{3} shared texts/),
  bomb(
    'columns',
    20_000_000,
    inSheet('<sheetData', '<col min="1" max="9" hidden="1"/>', ['<cols>', '</cols>']),
    16_385,
    /16,384 descriptions of columns/,
  ),
  bomb(
    'merged cells',
    30_000_000,
    inSheet('</worksheet', '<mergeCell ref="A1:B2"/>', ['<mergeCells>', '</mergeCells>']),
    1_048_577,
    /1,048,576 merged ranges/,
  ),
  bomb(
    'blank rows',
    100_000_000,
    inSheet('</sheetData', '<row/>'),
    1_048_577,
    /1,048,576 rows|below the last/,
  ),
  ...Object.entries(ROWS).map(([name, [full, cells]]) =>
    bomb(
      name,
      full,
      inSheet('</sheetData', (at) => `<row r="${at + 9}">${cells(at)}</row>`),
    ),
  ),
  bomb('line ends', 150_000_000, inSheet('<sheetData', '\r\n')),
  bomb('line ends in a tag', 150, inSheet('<sheetData', `<a${'\n'.repeat(3_900_000)}/>`)),
  bomb('signs of an end in a tag', 150, inSheet('<sheetData', `<a b="${'/>'.repeat(1_950_000)}"/>`)),
  bomb(
    'line ends in a text',
    3000,
    inSheet('</row', `<c t="inlineStr"><is><t>${'\r\n'.repeat(65_000)}</t></is></c>`),
  ),
  bomb('comments', 150, inSheet('<sheetData', `<!--${'-\n'.repeat(1_950_000)}-->`)),
  bomb(
    'drawings',
    4_000_000,
    objects('drawing', 'drawings/drawing1.xml', ['<a:wsDr xmlns:a="x">', ANCHOR, '</a:wsDr>']),
  ),
  bomb('controls', 5_000_000, objects('vmlDrawing', 'drawings/vmlDrawing1.vml', ['<xml>', VML, '</xml>'])),
  bomb(
    'tables of one part',
    30_000_000,
    objects('table', 'tables/table1.xml', [`<table ${MAIN}>`, '<table ref="A1:B2"/>', '</table>']),
  ),
  bomb('one shared text of all', 4_000_000, () => ({
    ...BOOK,
    'xl/sharedStrings.xml': [`<sst ${MAIN}><si><t>`, 'lange tekst, ', '</t></si></sst>'] as const,
  })),
  ...Object.entries({
    dataValidation: 'sqref="A1:B9" type="list"',
    conditionalFormatting: 'sqref="A1 B9"',
    hyperlink: 'ref="A1" r:id="x"',
    tablePart: 'r:id="x"',
  }).map(([name, attributes]) =>
    bomb(`elements ${name} of a sheet`, 8_000_000, inSheet('</worksheet', `<${name} ${attributes}/>`)),
  ),
  ...Object.entries(ENTITIES).map(([name, type]) =>
    bomb(name, 5_000_000, () => {
      const [before, after] = cut(BOOK[SHEET], '</sheetData');
      const start = `<?xml version="1.0"?><!DOCTYPE x [${type}]>${before.replace(/^<\?xml[^>]*>/, '')}`;
      return { ...BOOK, [SHEET]: [`${start}<row><c t="str"><v>`, '&e;', `</v></c></row>${after}`] as const };
    }),
  ),
  bomb('sheets just below what may unpack', 160, (count) => ({
    ...BOOK,
    ...sheets((at) => `worksheets/s${at}.xml`),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `xl/worksheets/s${at}.xml`,
        [`<worksheet ${MAIN}><sheetData>`, '<row r="3"/>', '</sheetData></worksheet>', 1_000_000],
      ]),
    ),
  })),
];

const CHUNK = 1 << 16;

function* chunks([before, each, after]: Repeated, count: number): Generator<Buffer> {
  yield Buffer.from(before);
  if (typeof each === 'string') {
    const many = Math.max(1, Math.floor(CHUNK / each.length));
    const whole = Buffer.from(each.repeat(many));
    for (let left = count; left > 0; left -= many)
      yield left >= many ? whole : Buffer.from(each.repeat(left));
  } else
    for (let at = 0; at < count; at += 1000)
      yield Buffer.from(
        Array.from({ length: Math.min(1000, count - at) }, (_, more) => each(at + more)).join(''),
      );
  yield Buffer.from(after);
}

/** Noise for so many bytes, by which a part is not told by how far it unpacks. */
const noise = (bytes: number): string => `<!--${randomBytes(Math.ceil(bytes)).toString('base64')}-->`;

function lengthOf([before, each, after]: Repeated, count: number): number {
  return before.length + after.length + count * (typeof each === 'string' ? Buffer.byteLength(each) : 40);
}

/** How far its parts unpack at most, by noise in them. */
const RATIO = 240;

/** Writes a bomb that repeats so much. */
export async function writeBomb(file: string, bomb: Bomb, count: number): Promise<string> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(bomb.make(count))) {
    if (typeof content === 'string') {
      if (content !== '') zip.addBuffer(Buffer.from(content), name);
      continue;
    }
    const times = (content as readonly unknown[])[3] ?? count;
    const bytes = lengthOf(content, times as number);
    const padded: Repeated =
      bytes < 2 ** 24 || typeof content[1] !== 'string'
        ? content
        : [content[0], content[1], content[2] + noise(bytes / RATIO - bytes / 1100)];
    zip.addReadStream(Readable.from(chunks(padded, times as number)), name);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
}
