/**
 * The order in which Excel wants a worksheet's members (ECMA-376, CT_Worksheet); another order is damage to
 * it.
 */
export const WORKSHEET_ORDER =
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF picture oleObjects controls webPublishItems tableParts extLst'.split(
    ' ',
  );

/** The names of the members of a root, in order. */
export function membersOf(xml: string): string[] {
  const members: string[] = [];
  let depth = 0;
  for (const [, end, name = '', , empty] of xml.matchAll(/<(\/?)([\w:]+)((?:"[^"]*"|[^>"])*?)(\/?)>/g)) {
    if (end === '/') depth--;
    else {
      if (depth === 1) members.push(name);
      if (empty !== '/') depth++;
    }
  }
  return members;
}

const order = (text: string): readonly string[] => text.split(' ');
const AXIS =
  'c:axId c:scaling c:delete c:axPos c:majorGridlines c:minorGridlines c:title c:numFmt c:majorTickMark c:minorTickMark c:tickLblPos c:spPr c:txPr c:crossAx c:crosses c:crossesAt';

/**
 * The order in which Excel wants the members of a drawing's and a chart's elements (ECMA-376 part 1, 20.5 and
 * 21.2).
 */
const CHART_ORDERS: Readonly<Record<string, readonly string[]>> = {
  'xdr:twoCellAnchor': order('xdr:from xdr:to xdr:graphicFrame xdr:clientData'),
  'xdr:graphicFrame': order('xdr:nvGraphicFramePr xdr:xfrm a:graphic'),
  'xdr:from': order('xdr:col xdr:colOff xdr:row xdr:rowOff'),
  'c:chartSpace': order('c:date1904 c:lang c:roundedCorners c:style c:chart c:spPr c:txPr c:printSettings'),
  'c:chart': order(
    'c:title c:autoTitleDeleted c:view3D c:floor c:plotArea c:legend c:plotVisOnly c:dispBlanksAs',
  ),
  'c:title': order('c:tx c:layout c:overlay c:spPr c:txPr'),
  'c:plotArea': order('c:layout c:barChart c:catAx c:valAx c:spPr'),
  'c:barChart': order('c:barDir c:grouping c:varyColors c:ser c:dLbls c:gapWidth c:overlap c:axId'),
  'c:ser': order('c:idx c:order c:tx c:spPr c:invertIfNegative c:dPt c:dLbls c:cat c:val'),
  'c:dLbls': order(
    'c:numFmt c:spPr c:txPr c:dLblPos c:showLegendKey c:showVal c:showCatName c:showSerName c:showPercent c:showBubbleSize',
  ),
  'c:catAx': order(`${AXIS} c:auto c:lblAlgn c:lblOffset c:noMultiLvlLbl`),
  'c:valAx': order(`${AXIS} c:crossBetween c:majorUnit`),
  'c:numRef': order('c:f c:numCache'),
  'c:strRef': order('c:f c:strCache'),
  'c:numCache': order('c:formatCode c:ptCount c:pt'),
  'c:strCache': order('c:ptCount c:pt'),
};

/** What is not in the order that Excel wants in a drawing or chart: none where nothing is amiss. */
export function chartFaults(xml: string): string[] {
  const open: { readonly name: string; at: number }[] = [];
  const faults: string[] = [];
  for (const [, end, name = '', , empty] of xml.matchAll(/<(\/?)([\w:]+)((?:"[^"]*"|[^>"])*?)(\/?)>/g)) {
    if (end === '/') {
      if (open.pop()?.name !== name) faults.push(`</${name}> ends nothing`);
      continue;
    }
    const parent = open.at(-1);
    const wanted = CHART_ORDERS[parent?.name ?? ''];
    if (parent !== undefined && wanted !== undefined) {
      const at = wanted.indexOf(name);
      if (at < parent.at) faults.push(`${name} in ${parent.name}`);
      parent.at = at;
    }
    if (empty !== '/') open.push({ name, at: 0 });
  }
  return faults;
}

/** Relationships of a package that lead nowhere, and parts without a type. */
export function packageFaults(parts: ReadonlyMap<string, string>): string[] {
  const types = parts.get('[Content_Types].xml') ?? '';
  const faults: string[] = [];
  for (const [name, xml] of parts) {
    if (!/\.(rels|vml)$|Types/.test(name) && !types.includes(`"/${name}"`))
      faults.push(`${name} has no type`);
    if (!name.endsWith('.rels')) continue;
    const folder = name.replace(/_rels\/[^/]*$/, '');
    for (const [, target = ''] of xml.matchAll(/Target="([^"]+)"/g)) {
      const place = new URL(target, `file:///${folder}`).pathname.slice(1);
      if (!parts.has(place)) faults.push(`${name} leads to ${place}`);
    }
  }
  return faults;
}
