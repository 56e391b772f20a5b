import { oneSheet, type Parts, relationships, sheetXml, workbookXml, writeZip } from './make-workbook.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const DRAWING =
  'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The rows of records: their headers stand in row 3, a total in the last row but one, and a remark in the last. */
export const HEADER_ROW = 3;
const RECORDS = [4, 5, 6, 7, 8, 9] as const;

const text = (at: string, value: string, style = 0): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (at: string, value: number | string, style = 0, formula = ''): string =>
  `<c r="${at}" s="${style}">${formula}<v>${value}</v></c>`;

/** Cells of one record: its own formula, one shared over all rows, a share of the whole, one that names the row before it, an array of its own. */
function record(row: number, isBad: boolean): string {
  const shared = row === 4 ? '<f t="shared" ref="D4:D9" si="0">C4*2</f>' : '<f t="shared" si="0"/>';
  return `<row r="${row}" spans="1:9"${row === 5 ? ' hidden="1"' : ''} ht="2${row}" customHeight="1">${[
    number(`A${row}`, 600_000 + row),
    text(`B${row}`, `Soep ${row}`, 1),
    isBad ? text(`C${row}`, 'duur', 2) : number(`C${row}`, row, 2),
    number(`D${row}`, row * 2, 2, shared),
    number(`E${row}`, `0.${row}`, 3, `<f>C${row}/SUM(C$4:C$9)</f>`),
    number(`F${row}`, 1, 0, row === 4 ? '' : `<f>F${row - 1}</f>`),
    number(`G${row}`, row, 0, `<f t="array" ref="G${row}">MAX(C${row}*{1})</f>`),
    `<c r="H${row}"><f>C${row}+ROW()</f></c>`,
  ].join('')}</row>`;
}

const HEADERS = [
  'ExternalID',
  'OmschrijvingIntern',
  'Verkoopprijs',
  'Dubbel',
  'Deel',
  'ProductTypeID',
  'Reeks',
  'Plaats',
];

const pakketten = (bad: readonly number[]): string =>
  sheetXml(
    [
      `<row r="1">${text('A1', 'Voorjaar')}${number('C1', 39, 2, '<f>SUM(C4:C9)</f>')}</row>`,
      `<row r="3">${HEADERS.map((header, at) => text(`${'ABCDEFGH'[at]}3`, header, 4)).join('')}</row>`,
      ...RECORDS.map((row) => record(row, bad.includes(row))),
      `<row r="10">${text('A10', 'Totaal')}${number('C10', 39, 2, '<f>SUM(C4:C9)</f>')}</row>`,
      `<row r="11">${text('A11', 'Met dank aan de keuken')}</row>`,
      '<row r="20"><c r="B20" s="1"/></row>',
    ].join(''),
  )
    .replace(
      '<sheetData>',
      '<dimension ref="A1:H20"/><sheetViews><sheetView tabSelected="1" workbookViewId="0" topLeftCell="A1"><pane ySplit="3" topLeftCell="A8" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="B9" sqref="B9:C9"/></sheetView></sheetViews><cols><col min="2" max="2" width="31" customWidth="1"/></cols><sheetData>',
    )
    .replace(
      '</worksheet>',
      [
        '<mergeCells count="3"><mergeCell ref="A1:B1"/><mergeCell ref="A5:A6"/><mergeCell ref="A11:C11"/></mergeCells>',
        '<conditionalFormatting sqref="C4:C9"><cfRule type="expression" dxfId="0" priority="1"><formula>$C4&gt;AVERAGE($C$4:$C$9)</formula></cfRule></conditionalFormatting>',
        '<conditionalFormatting sqref="A10:C10"><cfRule type="expression" dxfId="0" priority="2"><formula>TRUE</formula></cfRule></conditionalFormatting>',
        '<dataValidations count="4">',
        '<dataValidation type="list" sqref="B4:B500"><formula1>Keuzes!$A$1:$A$3</formula1></dataValidation>',
        '<dataValidation type="decimal" operator="greaterThan" sqref="C4:C9 C10"><formula1>$A4/1000000</formula1></dataValidation>',
        '<dataValidation type="list" sqref="F4:F9"><formula1>$F$4:$F$9</formula1></dataValidation>',
        '<dataValidation type="list" sqref="G4"><formula1>"ja,nee"</formula1></dataValidation>',
        '</dataValidations>',
        '<hyperlinks><hyperlink ref="B7" location="Pakketten!A9"/><hyperlink ref="B4" r:id="rId9" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></hyperlinks>',
        '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
        '<rowBreaks count="1" manualBreakCount="1"><brk id="6" max="16383" man="1"/></rowBreaks>',
        '<ignoredErrors><ignoredError sqref="A4:A9" numberStoredAsText="1"/></ignoredErrors>',
        '<drawing xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/>',
        '<legacyDrawing xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId2"/>',
        '<tableParts count="1"><tablePart xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId4"/></tableParts>',
        '<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:sparklineGroup><x14:sparklines>',
        ...RECORDS.map(
          (row) =>
            `<x14:sparkline><xm:f>Pakketten!C${row}:D${row}</xm:f><xm:sqref>I${row}</xm:sqref></x14:sparkline>`,
        ),
        '</x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst></worksheet>',
      ].join(''),
    );

const corner = (name: string, row: number): string =>
  `<xdr:${name}><xdr:col>9</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
const picture = (row: number): string =>
  `<xdr:twoCellAnchor>${corner('from', row - 1)}${corner('to', row - 1)}<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${row}" name="Foto ${row}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:embed="rId2"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:twoCellAnchor>`;
const CHART_FRAME = `<xdr:twoCellAnchor>${corner('from', 8)}${corner('to', 18)}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Grafiek"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`;
const CHART =
  '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>Pakketten!$C$4:$C$9</c:f></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart></c:chartSpace>';

const note = (row: number): string =>
  `<v:shape id="_x0000_s10${row}" type="#_x0000_t202" style="visibility:hidden"><x:ClientData ObjectType="Note"><x:Anchor>2, 15, ${row - 2}, 10, 4, 15, ${row + 2}, 4</x:Anchor><x:Row>${row - 1}</x:Row><x:Column>1</x:Column></x:ClientData></v:shape>`;
const NOTED = [4, 7, 9];
const tableColumns = HEADERS.map(
  (header, at) =>
    `<tableColumn id="${at + 1}" name="${header}"${header === 'Verkoopprijs' ? ' totalsRowFunction="sum"' : ''}/>`,
);

const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="&quot;€&quot;\\ #,##0.00"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF00B0F0"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="0" fillId="2" borderId="0" xfId="0" applyFill="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="9" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs count="1"><dxf><font><b/></font></dxf></dxfs></styleSheet>`;

const sheetsWith = (
  bad: readonly number[],
): readonly (readonly [name: string, xml: string, more?: string])[] => [
  ['Overzicht', sheetXml(`<row r="1">${number('A1', 39, 0, '<f>SUM(Pakketten!C4:C9)</f>')}</row>`)],
  ['Pakketten', pakketten(bad)],
  ['Recepten', sheetXml(`<row r="1">${text('A1', 'ExternalID')}</row><row r="2">${number('A2', 1)}</row>`)],
  [
    'Keuzes',
    sheetXml(
      `${['Soep 4', 'Soep 7', 'Soep 9'].map((soup, at) => `<row r="${at + 1}">${text(`A${at + 1}`, soup)}${number(`B${at + 1}`, at + 4, 0, `<f>Pakketten!C${at + 4}</f>`)}</row>`).join('')}`,
    ),
    ' state="hidden"',
  ],
  ['Notities', sheetXml(`<row r="1">${text('A1', 'bellen')}</row>`)],
];

const SHEETS = ['Overzicht', 'Pakketten', 'Recepten', 'Keuzes', 'Notities'];
const OVERRIDES = [
  ['xl/workbook.xml', `${TYPES}.sheet.main+xml`],
  ...SHEETS.map((_, at) => [`xl/worksheets/sheet${at + 1}.xml`, `${TYPES}.worksheet+xml`]),
  ['xl/styles.xml', `${TYPES}.styles+xml`],
  ['xl/comments1.xml', `${TYPES}.comments+xml`],
  ['xl/tables/table1.xml', `${TYPES}.table+xml`],
  ['xl/calcChain.xml', `${TYPES}.calcChain+xml`],
  ['xl/drawings/drawing1.xml', 'application/vnd.openxmlformats-officedocument.drawing+xml'],
  ['xl/charts/chart1.xml', 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml'],
];

/** A workbook of records with whatever names their rows, beside sheets that count on each other; the rows that are `bad` have no number for a price, and `more` replaces parts. */
export async function problemBook(
  file: string,
  { bad = [], more = {} }: { readonly bad?: readonly number[]; readonly more?: Parts } = {},
): Promise<string> {
  const sheets = sheetsWith(bad);
  const parts = oneSheet('', {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>${OVERRIDES.map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`).join('')}</Types>`,
    'xl/workbook.xml': workbookXml(
      `<bookViews><workbookView activeTab="0"/></bookViews><sheets>${sheets.map(([name, , state = ''], at) => `<sheet name="${name}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`).join('')}</sheets><definedNames><definedName name="_xlnm.Print_Area" localSheetId="1">Pakketten!$A$1:$H$10</definedName><definedName name="_xlnm.Print_Titles" localSheetId="1">Pakketten!$3:$3</definedName><definedName name="_xlnm.Print_Area" localSheetId="4">Notities!$A$1</definedName><definedName name="Prijzen">Pakketten!$C$4:$C$9</definedName></definedNames><calcPr calcId="171027"/>`,
    ),
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['rId20', 'styles', 'styles.xml'],
      ['rId21', 'calcChain', 'calcChain.xml'],
    ]),
    ...Object.fromEntries(sheets.map(([, xml], at) => [`xl/worksheets/sheet${at + 1}.xml`, xml])),
    'xl/styles.xml': STYLES,
    'xl/calcChain.xml': `<calcChain xmlns="${MAIN}"><c r="D4" i="2"/></calcChain>`,
    'xl/worksheets/_rels/sheet2.xml.rels': relationships([
      ['rId1', 'drawing', '../drawings/drawing1.xml'],
      ['rId2', 'vmlDrawing', '../drawings/vmlDrawing1.vml'],
      ['rId3', 'comments', '../comments1.xml'],
      ['rId4', 'table', '../tables/table1.xml'],
      ['rId9', 'hyperlink', 'https://voorbeeld.example/'],
    ]).replace(/(Target="https:[^"]*")/, '$1 TargetMode="External"'),
    'xl/drawings/drawing1.xml': `<xdr:wsDr ${DRAWING}>${CHART_FRAME}${picture(4)}${picture(9)}</xdr:wsDr>`,
    'xl/drawings/_rels/drawing1.xml.rels': relationships([
      ['rId1', 'chart', '../charts/chart1.xml'],
      ['rId2', 'image', '../media/image1.png'],
    ]),
    'xl/media/image1.png': PICTURE,
    'xl/charts/chart1.xml': CHART,
    'xl/drawings/vmlDrawing1.vml': `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>${NOTED.map(note).join('')}</xml>`,
    'xl/comments1.xml': `<comments xmlns="${MAIN}"><authors><author>kok</author></authors><commentList>${NOTED.map((row) => `<comment ref="B${row}" authorId="0"><text><t>noot ${row}</t></text></comment>`).join('')}</commentList></comments>`,
    'xl/tables/table1.xml': `<table xmlns="${MAIN}" id="1" name="Lijst" displayName="Lijst" ref="A3:H10" totalsRowCount="1"><autoFilter ref="A3:H9"><filterColumn colId="2"><filters><filter val="4"/><filter val="6"/><filter val="7"/><filter val="8"/><filter val="9"/></filters></filterColumn></autoFilter><tableColumns count="${HEADERS.length}">${tableColumns.join('')}</tableColumns><tableStyleInfo name="TableStyleLight1" showRowStripes="1"/></table>`,
    ...more,
  });
  return await writeZip(file, parts);
}
