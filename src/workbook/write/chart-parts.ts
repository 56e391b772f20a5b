import { cellAddress } from '../../schema/cell.ts';
import { DECLARATION, escapeText } from '../rewrite/xml-write.ts';
import { sheetReference } from './ranges.ts';
import type { ChartCells, WrittenChart } from './written-page.ts';

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const BAR = '1F6F54';
const INK = '595959';
const GRID = 'E3E7EB';

/** So many bars can each have their amount written beside them. */
const LABELLED = 13;

/** The drawing that puts a chart, its first relationship, over the cells of a sheet. */
export function drawingPart({ over, title }: WrittenChart): string {
  const corner = (tag: string, column: number, row: number): string =>
    `<xdr:${tag}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${tag}>`;
  const { column, row, columns, rows } = over;
  return [
    `${DECLARATION}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main">`,
    `<xdr:twoCellAnchor>${corner('from', column - 1, row - 1)}${corner('to', column - 1 + columns, row - 1 + rows)}`,
    `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1" descr="${escapeText(title).replaceAll('"', '&quot;')}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>`,
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>',
    `<a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" xmlns:r="${OFFICE}" r:id="rId1"/></a:graphicData></a:graphic>`,
    '</xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>',
  ].join('');
}

/** A bar chart of one series of cells of the sheet of that name (ECMA-376 part 1, 21.2). */
export function chartPart({ title, bars, categories, amounts }: WrittenChart, sheet: string): string {
  const lying = bars === 'lying';
  const name = `<c:tx><c:v>${escapeText(amounts.name)}</c:v></c:tx>`;
  return [
    `${DECLARATION}<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}">`,
    '<c:roundedCorners val="0"/><c:chart>',
    `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1200" b="1"/></a:pPr><a:r><a:rPr lang="nl-NL" sz="1200" b="1"/><a:t>${escapeText(title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`,
    '<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>',
    `<c:barChart><c:barDir val="${lying ? 'bar' : 'col'}"/><c:grouping val="clustered"/><c:varyColors val="0"/>`,
    `<c:ser><c:idx val="0"/><c:order val="0"/>${name}${filled(BAR)}<c:invertIfNegative val="0"/>${labels(amounts)}`,
    `<c:cat>${cells(categories, sheet)}</c:cat><c:val>${cells(amounts, sheet)}</c:val></c:ser>`,
    '<c:gapWidth val="60"/><c:axId val="111111111"/><c:axId val="222222222"/></c:barChart>',
    `<c:catAx><c:axId val="111111111"/><c:scaling><c:orientation val="${lying ? 'maxMin' : 'minMax'}"/></c:scaling><c:delete val="0"/><c:axPos val="${lying ? 'l' : 'b'}"/>`,
    `<c:numFmt formatCode="${quoted(categories.format)}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>${inked(GRID)}${text()}`,
    '<c:crossAx val="222222222"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/></c:catAx>',
    `<c:valAx><c:axId val="222222222"/><c:scaling><c:orientation val="minMax"/>${fromZero(amounts)}</c:scaling><c:delete val="0"/><c:axPos val="${lying ? 'b' : 'l'}"/><c:majorGridlines>${inked(GRID)}</c:majorGridlines>`,
    `<c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>${unlined()}${text()}`,
    `<c:crossAx val="111111111"/><c:crosses val="${lying ? 'max' : 'autoZero'}"/><c:crossBetween val="between"/></c:valAx>`,
    '</c:plotArea><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>',
    `<c:spPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill><a:ln><a:noFill/></a:ln></c:spPr></c:chartSpace>`,
  ].join('');
}

/** The cells with what they hold: texts where one of them is a text. */
function cells({ column, firstRow, values, format }: ChartCells, sheet: string): string {
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

/** Bars that don't begin at zero look further apart than they are. */
const fromZero = ({ values }: ChartCells): string =>
  values.every((value) => Number(value) >= 0) ? '<c:min val="0"/>' : '';

const fixed = (column: number, row: number): string =>
  cellAddress(column, row).replace(/^(\D+)(\d+)$/, '$$$1$$$2');

function labels({ values }: ChartCells): string {
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
const quoted = (format: string): string => escapeText(format).replaceAll('"', '&quot;');
