import { cellAddress, columnLetters } from '../../schema/cell.ts';
import { excelText } from '../result-cells.ts';
import { DECLARATION, escapeXml, textElement } from '../rewrite/xml-write.ts';
import { notesDrawing } from '../template-notes.ts';
import { chartPart, drawingPart } from './chart-parts.ts';
import { sheetReference } from './ranges.ts';
import type { WrittenChart } from './written-page.ts';
import type { WrittenColumn } from './written-sheet.ts';

/** The namespace of workbooks and worksheets. */
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
/** The namespace of relationships, and the begin of their types. */
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const DOCUMENT = 'application/vnd.openxmlformats-officedocument';
/** The begin of the content types of a workbook's parts. */
export const SPREADSHEET = `${DOCUMENT}.spreadsheetml`;

/** The root of a worksheet part, open. */
export const WORKSHEET = `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}">`;

/** A sheet as the workbook lists it. */
export interface ListedPart {
  readonly name: string;
  readonly hidden: boolean;
  /** Rows that are repeated at the top of each printed page, and a table with notes. */
  readonly table: WrittenTable | null;
  /** On a page. */
  readonly chart: WrittenChart | null;
}

/** A sheet's table: its columns, and its last row. */
export interface WrittenTable {
  readonly name: string;
  readonly columns: readonly WrittenColumn[];
  readonly lastRow: number;
}

/** The parts of a workbook beside its worksheets and styles, by name; sheets are numbered from 1 in their order. */
export function bookParts(sheets: readonly ListedPart[]): Map<string, string> {
  const parts = new Map<string, string>();
  parts.set('_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']]));
  parts.set('xl/workbook.xml', workbookPart(sheets));
  const targets = sheets.map((_, at): Target => ['worksheet', `worksheets/sheet${at + 1}.xml`]);
  parts.set('xl/_rels/workbook.xml.rels', relationships([...targets, ['styles', 'styles.xml']]));
  for (const [at, { name, table, chart }] of sheets.entries()) {
    const number = at + 1;
    if (chart !== null) addChart(parts, chart, { name, number });
    if (table === null) continue;
    parts.set(
      `xl/worksheets/_rels/sheet${number}.xml.rels`,
      relationships([
        ['table', `../tables/table${number}.xml`],
        ['vmlDrawing', `../drawings/vmlDrawing${number}.vml`],
        ['comments', `../comments${number}.xml`],
      ]),
    );
    parts.set(`xl/tables/table${number}.xml`, tablePart(table, number));
    parts.set(`xl/drawings/vmlDrawing${number}.vml`, notesDrawing(table.columns, number));
    parts.set(`xl/comments${number}.xml`, commentsPart(table.columns));
  }
  return new Map([['[Content_Types].xml', contentTypes(sheets)], ...parts]);
}

function addChart(
  parts: Map<string, string>,
  chart: WrittenChart,
  { name, number }: { readonly name: string; readonly number: number },
): void {
  const [drawing, drawn] = [`drawings/drawing${number}.xml`, `charts/chart${number}.xml`];
  parts.set(`xl/worksheets/_rels/sheet${number}.xml.rels`, relationships([['drawing', `../${drawing}`]]));
  parts.set(`xl/${drawing}`, drawingPart(chart));
  parts.set(`xl/drawings/_rels/drawing${number}.xml.rels`, relationships([['chart', `../${drawn}`]]));
  parts.set(`xl/${drawn}`, chartPart(chart, name));
}

/** A relationship: the last word of its type, and its target. */
export type Target = readonly [type: string, target: string];

/** A relationships part; ids are `rId1`, `rId2`, … in the order of the targets. */
export function relationships(targets: readonly Target[]): string {
  const items = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}">${items.join('')}</Relationships>`;
}

function contentTypes(sheets: readonly ListedPart[]): string {
  const each = sheets.flatMap(({ table, chart }, at): [string, string][] => [
    [`xl/worksheets/sheet${at + 1}.xml`, `${SPREADSHEET}.worksheet+xml`],
    ...(chart === null
      ? []
      : ([
          [`xl/drawings/drawing${at + 1}.xml`, `${DOCUMENT}.drawing+xml`],
          [`xl/charts/chart${at + 1}.xml`, `${DOCUMENT}.drawingml.chart+xml`],
        ] as [string, string][])),
    ...(table === null
      ? []
      : ([
          [`xl/tables/table${at + 1}.xml`, `${SPREADSHEET}.table+xml`],
          [`xl/comments${at + 1}.xml`, `${SPREADSHEET}.comments+xml`],
        ] as [string, string][])),
  ]);
  return contentTypesPart(each);
}

/** The content types part of a workbook with these parts beside the workbook part and its styles, as `[name, type]`. */
export function contentTypesPart(parts: readonly (readonly [name: string, type: string])[]): string {
  const override = ([name, type]: readonly [string, string]): string =>
    `<Override PartName="/${name}" ContentType="${type}"/>`;
  return [
    `${DECLARATION}<Types xmlns="${TYPES}">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>',
    override(['xl/workbook.xml', `${SPREADSHEET}.sheet.main+xml`]),
    override(['xl/styles.xml', `${SPREADSHEET}.styles+xml`]),
    ...parts.map(override),
    '</Types>',
  ].join('');
}

/** A workbook opens on its first sheet, which must not be a hidden one. */
function workbookPart(sheets: readonly ListedPart[]): string {
  const listed = sheets.map(
    ({ name, hidden }, at) =>
      `<sheet name="${escapeXml(name)}" sheetId="${at + 1}"${hidden ? ' state="veryHidden"' : ''} r:id="rId${at + 1}"/>`,
  );
  const titles = sheets.flatMap(({ name, table }, at) =>
    table === null
      ? []
      : [
          `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${escapeXml(sheetReference(name))}!$1:$1</definedName>`,
        ],
  );
  return [
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">`,
    '<bookViews><workbookView xWindow="0" yWindow="0" windowWidth="24000" windowHeight="14000"/></bookViews>',
    `<sheets>${listed.join('')}</sheets>`,
    titles.length === 0 ? '' : `<definedNames>${titles.join('')}</definedNames>`,
    '</workbook>',
  ].join('');
}

function tablePart({ name, columns, lastRow }: WrittenTable, number: number): string {
  // A table has a row below its headers, be it an empty one.
  const range = `A1:${cellAddress(columns.length, Math.max(2, lastRow))}`;
  const listed = columns.map(({ header }, at) => `<tableColumn id="${at + 1}" name="${escapeXml(header)}"/>`);
  return [
    `${DECLARATION}<table xmlns="${MAIN}" id="${number}" name="${name}" displayName="${name}" ref="${range}" totalsRowShown="0">`,
    `<autoFilter ref="${range}"/>`,
    `<tableColumns count="${columns.length}">${listed.join('')}</tableColumns>`,
    '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/>',
    '</table>',
  ].join('');
}

/** By another author than the notes of a result, which come and go. */
const AUTHOR = 'catersheet export';
const FONT = '<sz val="9"/><rFont val="Tahoma"/><family val="2"/>';

function commentsPart(columns: readonly WrittenColumn[]): string {
  const notes = columns.map(({ header, note }, at) => {
    const title = `<r><rPr><b/>${FONT}</rPr>${textElement('t', `${excelText(header)}\n`)}</r>`;
    const text = `<r><rPr>${FONT}</rPr>${textElement('t', excelText(note.join('\n')))}</r>`;
    return `<comment ref="${columnLetters(at + 1)}1" authorId="0"><text>${title}${text}</text></comment>`;
  });
  return `${DECLARATION}<comments xmlns="${MAIN}"><authors><author>${AUTHOR}</author></authors><commentList>${notes.join('')}</commentList></comments>`;
}
