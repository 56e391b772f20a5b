import { nameCode } from '../xml/xml-scanner.ts';

/** Codes of elements of a worksheet. */
export const ELEMENT = {
  sheetPr: nameCode('sheetPr'),
  sheetData: nameCode('sheetData'),
  row: nameCode('row'),
  cell: nameCode('c'),
  cols: nameCode('cols'),
  col: nameCode('col'),
  dimension: nameCode('dimension'),
  autoFilter: nameCode('autoFilter'),
  legacyDrawing: nameCode('legacyDrawing'),
} as const;

/** Codes of attributes. */
export const ATTRIBUTE = {
  place: nameCode('r'),
  format: nameCode('s'),
  height: nameCode('ht'),
  customHeight: nameCode('customHeight'),
  customFormat: nameCode('customFormat'),
  min: nameCode('min'),
  max: nameCode('max'),
  style: nameCode('style'),
  ref: nameCode('ref'),
  hidden: nameCode('hidden'),
} as const;

/** Elements that may stand between rows and filter. */
export const BEFORE_FILTER: ReadonlySet<number> = new Set(
  ['sheetData', 'sheetCalcPr', 'sheetProtection', 'protectedRanges', 'scenarios', 'autoFilter'].map(nameCode),
);

/** Elements that may stand behind the drawing of notes. */
export const BEHIND_DRAWING: ReadonlySet<number> = new Set(
  [
    'legacyDrawingHF',
    'drawingHF',
    'picture',
    'oleObjects',
    'controls',
    'webPublishItems',
    'tableParts',
    'extLst',
  ].map(nameCode),
);
