import { builtInFormat, type NumberKind, numberKind } from '../number-formats.ts';
import { CLOSE, nameCode, OPEN } from '../xml/xml-scanner.ts';
import { attributeNumber, attributeValue, decodeEscapes } from '../xml/xml-text.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { scanPart, type WorkbookPackage } from './package.ts';

/** What the style of a cell says about its value. */
export interface CellStyle {
  /** The code of the number format; undefined for General. */
  readonly format: string | undefined;
  readonly kind: NumberKind;
}

/** The style of a cell without one. */
export const GENERAL: CellStyle = { format: undefined, kind: 'number' };

const NUM_FMT = nameCode('numFmt');
const CELL_XFS = nameCode('cellXfs');
const DXFS = nameCode('dxfs');
const XF = nameCode('xf');
const NUM_FMT_ID = nameCode('numFmtId');
const FORMAT_CODE = nameCode('formatCode');

/** The cell styles by index. Throws DamagedPart. */
export async function readStyles(source: WorkbookPackage, entry: ZipEntry): Promise<CellStyle[]> {
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  // Formats and cell formats also occur in other lists.
  let list = 0;
  await scanPart(source, entry, (scanner, token) => {
    if (token === OPEN && scanner.depth === 2 && !scanner.selfClosing && list === 0) list = scanner.code;
    else if (token === CLOSE && scanner.depth === 1) list = 0;
    else if (token === OPEN && scanner.code === XF && list === CELL_XFS)
      formatIds.push(attributeNumber(scanner, NUM_FMT_ID));
    else if (token === OPEN && scanner.code === NUM_FMT && list !== DXFS) {
      codes.set(
        attributeNumber(scanner, NUM_FMT_ID),
        decodeEscapes(attributeValue(scanner, FORMAT_CODE) ?? ''),
      );
    }
  });
  const styles = new Map<number, CellStyle>();
  return formatIds.map((id) => {
    const style = styles.get(id) ?? styleOf(codes.get(id) ?? builtInFormat(id));
    styles.set(id, style);
    return style;
  });
}

function styleOf(code: string | undefined): CellStyle {
  if (code === undefined || code === '' || /^general$/i.test(code)) return GENERAL;
  return { format: code, kind: numberKind(code) };
}
