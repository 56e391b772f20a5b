import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** To be raised when what is written changes, so that no old file is measured. */
const VERSION = 2;

/** The columns of a packages template, and what stands in row `n` of each; text is stored in the cell, as other programs do. */
const COLUMNS = [
  ['ExternalID', (n) => number(700_000_000 + n)],
  ['ProductTypeID', (n) => number(1 + (n % 2))],
  ['OmschrijvingIntern', (n) => text(`Lunchpakket ${n}`)],
  ['Verkoopprijs', (n) => number((n % 9000) / 100 + 5)],
  ['OmschrijvingExtern', (n) => text(`Uitgebreide lunch nummer ${n} met koffie &amp; thee`)],
  ['Actief', (n) => text(n % 7 === 0 ? 'Nee' : 'Ja')],
  ['ProductCategorieID', (n) => number(10 + (n % 3))],
  ['Offertetekst', () => text('Inclusief servies, bestek en linnen.')],
  ['InterneOpmerking', (n) => text(`prijs nakijken voor seizoen ${n % 12}`)],
  ['Volume', (n) => number((n % 400) / 8)],
  ['OpnemenInOfferte', () => text('Ja')],
  ['OnderdelenInOfferte', () => text('Nee')],
  ['OfferteCategorieTonen', (n) => text(n % 2 === 0 ? 'Ja' : 'Nee')],
];
/** Of the user's own, which an import passes over. */
const OWN = ['Leverancier', 'Allergenen', 'Inkoopprijs', 'Marge', 'Seizoen', 'Kok', 'Nagekeken'];
/** An amount as a text that can be read in two ways. */
const DOUBTFUL = ['Verkoopprijs', (n) => text(`1.${100 + (n % 900)}`)];

/** What says so of a row without a key. */
const ACTION = ['#action', () => text('create')];

const number = (value) => `><v>${value}</v></c>`;
const text = (value) => ` t="inlineStr"><is><t>${value}</t></is></c>`;

/**
 * Makes a filled-in template of packages with this many rows, once; answers where it is. `keyed`: with ExternalIDs;
 * `own`: with columns of the user's own, 20 in all; `doubtful`: with a warning on each row.
 */
export async function makeFilled(folder, rows, keyed = true, { own = false, doubtful = false } = {}) {
  const kind = `${keyed ? '' : '-bare'}${own ? '-own' : ''}${doubtful ? '-doubtful' : ''}`;
  const file = join(folder, `filled-v${VERSION}-${rows}${kind}.xlsx`);
  const columns = [
    ...(keyed ? COLUMNS : [ACTION, ...COLUMNS.slice(1)]).map((one) =>
      doubtful && one[0] === DOUBTFUL[0] ? DOUBTFUL : one,
    ),
    ...(own ? OWN : []).map((name, at) => [
      name,
      (n) => (at % 2 ? text(`${name} ${n % 40}`) : number(n % 97)),
    ]),
  ];
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const zip = new yazl.ZipFile();
  const add = (name, xml) =>
    zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`), name);
  add('[Content_Types].xml', contentTypes());
  add('_rels/.rels', relationships('officeDocument', 'xl/workbook.xml'));
  add(
    'xl/workbook.xml',
    `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="Pakketten" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  );
  add('xl/_rels/workbook.xml.rels', relationships('worksheet', 'worksheets/sheet1.xml'));
  zip.addReadStream(Readable.from(sheet(rows, columns)), 'xl/worksheets/sheet1.xml');
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(`${file}.part`));
  renameSync(`${file}.part`, file);
  return file;
}

function* sheet(rows, columns) {
  const letters = columns.map((_, at) => String.fromCharCode(65 + at));
  const head = columns.map(([name], at) => `<c r="${letters[at]}1"${text(name)}`).join('');
  let xml = `<worksheet ${MAIN}><sheetData><row r="1">${head}</row>`;
  for (let row = 2; row <= rows + 1; row++) {
    xml += `<row r="${row}">${columns.map(([, cell], at) => `<c r="${letters[at]}${row}"${cell(row)}`).join('')}</row>`;
    if (xml.length < 1 << 16) continue;
    yield Buffer.from(xml);
    xml = '';
  }
  yield Buffer.from(`${xml}</sheetData></worksheet>`);
}

function relationships(type, target) {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;
}

function contentTypes() {
  const base = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const override = (name, type) => `<Override PartName="/xl/${name}.xml" ContentType="${base}.${type}+xml"/>`;
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('workbook', 'sheet.main')}${override('worksheets/sheet1', 'worksheet')}</Types>`;
}
