import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TEXTS = 50_000;
/** To be raised when what is written changes, so that no old file is measured. */
const VERSION = 1;

/** Makes a workbook of mixed cells, once; answers where it is. The same sizes give the same bytes. */
export async function makeWorkbook(folder, rows, columns) {
  const file = join(folder, `v${VERSION}-${rows}x${columns}.xlsx`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const zip = new yazl.ZipFile();
  const add = (name, xml) =>
    zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`), name);
  add('[Content_Types].xml', contentTypes());
  add('_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']]));
  add(
    'xl/workbook.xml',
    `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="Blad1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  );
  add(
    'xl/_rels/workbook.xml.rels',
    relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ]),
  );
  add('xl/styles.xml', styles());
  add('xl/sharedStrings.xml', sharedStrings());
  zip.addReadStream(Readable.from(sheet(rows, columns)), 'xl/worksheets/sheet1.xml');
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(`${file}.part`));
  renameSync(`${file}.part`, file);
  return file;
}

/** Makes a CSV of the same kinds of cells as Excel saves it in Dutch, once; answers where it is. */
export async function makeCsv(folder, rows, columns) {
  const file = join(folder, `v${VERSION}-${rows}x${columns}.csv`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  await pipeline(Readable.from(lines(rows, columns)), createWriteStream(`${file}.part`));
  renameSync(`${file}.part`, file);
  return file;
}

function* lines(rows, columns) {
  let text = '';
  for (const row of values(rows, columns)) {
    text += `${row.map(field).join(';')}\r\n`;
    if (text.length < 1 << 16) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

function field(value) {
  if (typeof value === 'number') return String(value).replace('.', ',');
  if (typeof value === 'string') return value.includes('&') ? `"${value}"` : value;
  return value.toISOString().slice(0, 16).replace('T', ' ');
}

/** Rows of values of the kinds that the workbooks hold: numbers, amounts, texts and dates, the same every time. */
export function* values(rows, columns) {
  const next = random(rows + columns);
  for (let row = 0; row < rows; row++) yield Array.from({ length: columns }, (_, at) => value(at % 10, next));
}

function value(kind, next) {
  const drawn = next();
  if (kind === 3 || kind === 4) return Math.round(drawn * 100_000) / 100;
  if (kind === 5 || kind === 6) return sharedText(Math.floor(drawn * TEXTS));
  if (kind === 7) return new Date(Date.UTC(2026, 0, 1 + Math.floor(drawn * 1000)));
  if (kind === 8) return new Date(Date.UTC(2026, 0, 1, 0, 15 * Math.floor(drawn * 96_000)));
  if (kind === 9) return `Opmerking ${Math.floor(drawn * 1e6)}`;
  return Math.floor(drawn * 1e6);
}

const sharedText = (at) => (at % 5 === 0 ? `Crème brûlée & koffie ${at}` : `Lunchpakket nummer ${at}`);

function* sheet(rows, columns) {
  const next = random(rows + columns);
  const letters = Array.from({ length: columns }, (_, column) => String.fromCharCode(65 + column));
  let text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet ${MAIN}><dimension ref="A1:${letters.at(-1)}${rows}"/><sheetData>`;
  for (let row = 1; row <= rows; row++) {
    text += `<row r="${row}" spans="1:${columns}">`;
    for (let column = 0; column < columns; column++)
      text += cell(`${letters[column]}${row}`, column % 10, next);
    text += '</row>';
    if (text.length < 1 << 16) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`);
}

/** Of ten cells: three whole numbers, two amounts, two shared texts, a date, a date with a time, an inline text. */
function cell(address, kind, next) {
  if (kind === 3 || kind === 4) return `<c r="${address}"><v>${(next() * 1000).toFixed(2)}</v></c>`;
  if (kind === 5 || kind === 6) return `<c r="${address}" t="s"><v>${Math.floor(next() * TEXTS)}</v></c>`;
  if (kind === 7) return `<c r="${address}" s="1"><v>${46_000 + Math.floor(next() * 1000)}</v></c>`;
  if (kind === 8) return `<c r="${address}" s="2"><v>${46_000 + Math.floor(next() * 96_000) / 96}</v></c>`;
  if (kind === 9)
    return `<c r="${address}" t="inlineStr"><is><t>Opmerking ${Math.floor(next() * 1e6)}</t></is></c>`;
  return `<c r="${address}"><v>${Math.floor(next() * 1e6)}</v></c>`;
}

/** Numbers between 0 and 1 that are the same every time (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function relationships(list) {
  const items = list.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

function contentTypes() {
  const base = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const parts = [
    ['workbook', 'sheet.main'],
    ['worksheets/sheet1', 'worksheet'],
    ['sharedStrings', 'sharedStrings'],
    ['styles', 'styles'],
  ];
  const overrides = parts.map(
    ([name, type]) => `<Override PartName="/xl/${name}.xml" ContentType="${base}.${type}+xml"/>`,
  );
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
}

function styles() {
  const fixed =
    '<fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs>';
  return `<styleSheet ${MAIN}>${fixed}<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`;
}

function sharedStrings() {
  const items = Array.from(
    { length: TEXTS },
    (_, at) => `<si><t>${sharedText(at).replace('&', '&amp;')}</t></si>`,
  );
  return `<sst ${MAIN} count="${TEXTS}" uniqueCount="${TEXTS}">${items.join('')}</sst>`;
}
