/** The order in which Excel wants a worksheet's members (ECMA-376, CT_Worksheet); another order is damage to it. */
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
