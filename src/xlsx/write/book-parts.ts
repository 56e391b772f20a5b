import { cellAddress } from '../../core/cell.ts';
import { sheetReference } from '../excel-text.ts';
import { relationshipsName } from '../read/package.ts';
import {
  DECLARATION,
  escapeText,
  escapeXml,
  MAIN_NAMESPACE,
  PACKAGE_NAMESPACE,
  RELATIONSHIPS_NAMESPACE,
} from '../xml/xml-write.ts';
import type { SpooledPart } from '../zip/write-zip.ts';
import type { WrittenChart, WrittenSheet } from './written-book.ts';

const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';

/** A worksheet part, and what the parts that list others say of it. */
export interface SheetPart {
  readonly spool: SpooledPart;
  readonly state: WorkbookSheet['state'];
  /** Its table, whose header row is repeated on printed pages; once the part is finished. */
  readonly table: WrittenTable | null;
  /** The chart of a page. */
  readonly chart: WrittenChart | null;
  /** Writes the end of the part. */
  finish(): Promise<void>;
}

/** The table of a sheet. */
interface WrittenTable extends Pick<WrittenSheet, 'table' | 'columns' | 'least'> {
  readonly lastRow: number;
}

/** A part that a worksheet or drawing refers to. */
interface RelatedPart {
  /** The last word of the type of the relationship. */
  readonly type: keyof typeof CONTENT;
  /** Below `xl/`. */
  readonly name: string;
  readonly content: string;
  readonly related?: readonly RelatedPart[];
}

/** All parts but worksheets and styles, by name; sheets are numbered from 1. `names`: defined ones. */
export function bookParts(
  sheets: readonly { readonly name: string; readonly part: SheetPart }[],
  names: readonly string[] = [],
): Map<string, string> {
  const parts = new Map<string, string>();
  const types: [string, string][] = [];
  const add = (of: string, related: readonly RelatedPart[]): void => {
    if (related.length === 0) return;
    const targets = related.map(({ type, name }): RelationshipTarget => [type, `../${name}`]);
    parts.set(`xl/${relationshipsName(of)}`, relationships(targets));
    for (const { type, name, content, related: next = [] } of related) {
      parts.set(`xl/${name}`, content);
      types.push([`xl/${name}`, CONTENT[type]]);
      add(name, next);
    }
  };
  for (const [at, { name, part }] of sheets.entries()) {
    const sheet = `worksheets/sheet${at + 1}.xml`;
    types.push([`xl/${sheet}`, CONTENT.worksheet]);
    if (part.chart !== null) add(sheet, chartParts(part.chart, name, at + 1));
    if (part.table !== null) add(sheet, tableParts(part.table, at + 1));
  }
  const titles = sheets.flatMap(({ name, part }, at) => {
    const start = `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">`;
    return part.table === null ? [] : [`${start}${escapeXml(sheetReference(name))}!$1:$1</definedName>`];
  });
  const view = '<workbookView xWindow="0" yWindow="0" windowWidth="24000" windowHeight="14000"/>';
  const listed = sheets.map(({ name, part: { state } }): WorkbookSheet => ({ name, state }));
  return new Map([...listingParts(listed, types, view, [...titles, ...names]), ...parts]);
}

const tableParts = (table: WrittenTable, number: number): RelatedPart[] => [
  { type: 'table', name: `tables/table${number}.xml`, content: tablePart(table, number) },
];

function chartParts(chart: WrittenChart, sheet: string, number: number): RelatedPart[] {
  const content = chartPart(chart, sheet);
  const related: RelatedPart[] = [{ type: 'chart', name: `charts/chart${number}.xml`, content }];
  const name = `drawings/drawing${number}.xml`;
  return [{ type: 'drawing', name, content: drawingPart(chart), related }];
}

/** A sheet in the workbook part, with how it is hidden; null for a visible one. */
interface WorkbookSheet {
  readonly name: string;
  readonly state: 'hidden' | 'veryHidden' | null;
}

/**
 * The parts that list others, by name: content types (`types` beside those of workbook and styles, as
 * `[name, type]`), relationships, and the workbook part with its view and defined names. Excel opens no
 * workbook on a hidden sheet.
 */
export function listingParts(
  sheets: readonly WorkbookSheet[],
  types: readonly (readonly [name: string, type: string])[],
  view: string,
  names: readonly string[],
): Map<string, string> {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escapeXml(name)}" sheetId="${at + 1}"${state === null ? '' : ` state="${state}"`} r:id="rId${at + 1}"/>`,
  );
  const workbook = [
    `${DECLARATION}<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}">`,
    `<bookViews>${view}</bookViews><sheets>${listed.join('')}</sheets>`,
    names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`,
    '</workbook>',
  ];
  const targets = sheets.map((_, at): RelationshipTarget => ['worksheet', `worksheets/sheet${at + 1}.xml`]);
  return new Map([
    ['[Content_Types].xml', contentTypesPart(types)],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbook.join('')],
    ['xl/_rels/workbook.xml.rels', relationships([...targets, ['styles', 'styles.xml']])],
  ]);
}

/** The last word of the type of a relationship, and its target. */
type RelationshipTarget = readonly [type: string, target: string];

/** A relationships part; its ids are `rId1`, `rId2`, … in order. */
function relationships(targets: readonly RelationshipTarget[]): string {
  const items = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${RELATIONSHIPS_NAMESPACE}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="${PACKAGE_NAMESPACE}">${items.join('')}</Relationships>`;
}

function contentTypesPart(parts: readonly (readonly [name: string, type: string])[]): string {
  const override = ([name, type]: readonly [string, string]): string =>
    `<Override PartName="/${name}" ContentType="${type}"/>`;
  return [
    `${DECLARATION}<Types xmlns="${TYPES}">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    override(['xl/workbook.xml', `${SPREADSHEET_TYPE}.sheet.main+xml`]),
    override(['xl/styles.xml', CONTENT.styles]),
    ...parts.map(override),
    '</Types>',
  ].join('');
}

function tablePart({ table: name, columns, lastRow, least = 1 }: WrittenTable, number: number): string {
  // A table has at least one row below its headers.
  const range = `A1:${cellAddress(columns.length, Math.max(least + 1, lastRow))}`;
  const listed = columns.map(({ header }, at) => `<tableColumn id="${at + 1}" name="${escapeXml(header)}"/>`);
  return [
    `${DECLARATION}<table xmlns="${MAIN_NAMESPACE}" id="${number}" name="${name}" displayName="${name}" ref="${range}" totalsRowShown="0">`,
    `<autoFilter ref="${range}"/>`,
    `<tableColumns count="${columns.length}">${listed.join('')}</tableColumns>`,
    '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/>',
    '</table>',
  ].join('');
}

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const BAR = '1F6F54';
const INK = '595959';
const GRID = 'E3E7EB';

/** The most bars with an amount beside each. */
const LABELLED = 13;

/** The drawing that puts a chart, its first relationship, over cells. */
function drawingPart({ over, title }: WrittenChart): string {
  const corner = (tag: string, column: number, row: number): string =>
    `<xdr:${tag}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${tag}>`;
  const { column, row, columns, rows } = over;
  return [
    `${DECLARATION}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main">`,
    `<xdr:twoCellAnchor>${corner('from', column - 1, row - 1)}${corner('to', column - 1 + columns, row - 1 + rows)}`,
    `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1" descr="${escapeXml(title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>`,
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>',
    `<a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" xmlns:r="${RELATIONSHIPS_NAMESPACE}" r:id="rId1"/></a:graphicData></a:graphic>`,
    '</xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>',
  ].join('');
}

/** A bar chart of one series of cells on a sheet (ECMA-376 part 1, 21.2). */
function chartPart({ title, bars, categories, amounts }: WrittenChart, sheet: string): string {
  const lying = bars === 'lying';
  const name = `<c:tx><c:v>${escapeText(amounts.name)}</c:v></c:tx>`;
  return [
    `${DECLARATION}<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${RELATIONSHIPS_NAMESPACE}">`,
    '<c:roundedCorners val="0"/><c:chart>',
    `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1200" b="1"/></a:pPr><a:r><a:rPr lang="nl-NL" sz="1200" b="1"/><a:t>${escapeText(title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`,
    '<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>',
    `<c:barChart><c:barDir val="${lying ? 'bar' : 'col'}"/><c:grouping val="clustered"/><c:varyColors val="0"/>`,
    `<c:ser><c:idx val="0"/><c:order val="0"/>${name}${filled(BAR)}<c:invertIfNegative val="0"/>${labels(amounts)}`,
    `<c:cat>${cells(categories, sheet)}</c:cat><c:val>${cells(amounts, sheet)}</c:val></c:ser>`,
    '<c:gapWidth val="60"/><c:axId val="111111111"/><c:axId val="222222222"/></c:barChart>',
    `<c:catAx><c:axId val="111111111"/><c:scaling><c:orientation val="${lying ? 'maxMin' : 'minMax'}"/></c:scaling><c:delete val="0"/><c:axPos val="${lying ? 'l' : 'b'}"/>`,
    `<c:numFmt formatCode="${escapeXml(categories.format)}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>${inked(GRID)}${text()}`,
    '<c:crossAx val="222222222"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/></c:catAx>',
    `<c:valAx><c:axId val="222222222"/><c:scaling><c:orientation val="minMax"/>${fromZero(amounts)}</c:scaling><c:delete val="0"/><c:axPos val="${lying ? 'b' : 'l'}"/><c:majorGridlines>${inked(GRID)}</c:majorGridlines>`,
    `<c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>${unlined()}${text()}`,
    `<c:crossAx val="111111111"/><c:crosses val="${lying ? 'max' : 'autoZero'}"/><c:crossBetween val="between"/></c:valAx>`,
    '</c:plotArea><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>',
    `<c:spPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill><a:ln><a:noFill/></a:ln></c:spPr></c:chartSpace>`,
  ].join('');
}

/** A reference with cached values: texts if one of them is a text. */
function cells({ column, firstRow, values, format }: WrittenChart['categories'], sheet: string): string {
  const last = firstRow + values.length - 1;
  const reference = `${sheetReference(sheet)}!${fixed(column, firstRow)}:${fixed(column, last)}`;
  const points = values.map(
    (value, at) => `<c:pt idx="${at}"><c:v>${escapeText(String(value))}</c:v></c:pt>`,
  );
  const kept = `<c:ptCount val="${values.length}"/>${points.join('')}`;
  const cited = `<c:f>${escapeText(reference)}</c:f>`;
  if (values.some((value) => typeof value === 'string'))
    return `<c:strRef>${cited}<c:strCache>${kept}</c:strCache></c:strRef>`;
  return `<c:numRef>${cited}<c:numCache><c:formatCode>${escapeText(format)}</c:formatCode>${kept}</c:numCache></c:numRef>`;
}

/** Bars that don't start at zero exaggerate differences. */
const fromZero = ({ values }: WrittenChart['categories']): string =>
  values.every((value) => Number(value) >= 0) ? '<c:min val="0"/>' : '';

const fixed = (column: number, row: number): string =>
  cellAddress(column, row).replace(/^(\D+)(\d+)$/, '$$$1$$$2');

function labels({ values }: WrittenChart['categories']): string {
  if (values.length > LABELLED) return '';
  const shown = ['LegendKey', 'Val', 'CatName', 'SerName', 'Percent', 'BubbleSize'].map(
    (what) => `<c:show${what} val="${what === 'Val' ? 1 : 0}"/>`,
  );
  return `<c:dLbls><c:numFmt formatCode="#,##0" sourceLinked="0"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>${text()}<c:dLblPos val="outEnd"/>${shown.join('')}</c:dLbls>`;
}

const filled = (colour: string): string =>
  `<c:spPr><a:solidFill><a:srgbClr val="${colour}"/></a:solidFill></c:spPr>`;
const inked = (colour: string): string =>
  `<c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr val="${colour}"/></a:solidFill></a:ln></c:spPr>`;
const unlined = (): string => '<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>';
const text = (): string =>
  `<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="900"><a:solidFill><a:srgbClr val="${INK}"/></a:solidFill></a:defRPr></a:pPr><a:endParaRPr lang="nl-NL"/></a:p></c:txPr>`;

/** The start of the content types of Office documents. */
const OFFICE_TYPE = 'application/vnd.openxmlformats-officedocument';

/** The start of the content types of the parts of a workbook. */
export const SPREADSHEET_TYPE = `${OFFICE_TYPE}.spreadsheetml`;

/** The content types of parts, by the last word of the type of the relationship to them. */
export const CONTENT = {
  worksheet: `${SPREADSHEET_TYPE}.worksheet+xml`,
  styles: `${SPREADSHEET_TYPE}.styles+xml`,
  comments: `${SPREADSHEET_TYPE}.comments+xml`,
  table: `${SPREADSHEET_TYPE}.table+xml`,
  drawing: `${OFFICE_TYPE}.drawing+xml`,
  chart: `${OFFICE_TYPE}.drawingml.chart+xml`,
} as const;
