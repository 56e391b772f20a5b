import { builtInFormat, type NumberKind, numberKind } from '../number-formats.ts';
import { CLOSE, nameCodes, OPEN } from '../xml/xml-scanner.ts';
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

const ELEMENT = nameCodes('numFmt', 'cellXfs', 'dxfs', 'xf');

/** The cell styles by index. Throws DamagedPart. */
export async function readStyles(source: WorkbookPackage, entry: ZipEntry): Promise<CellStyle[]> {
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  // Formats and cell formats also occur in other lists.
  let list = 0;
  await scanPart(source, entry, (scanner, token) => {
    if (token === OPEN && scanner.depth === 2 && !scanner.selfClosing && list === 0) list = scanner.code;
    else if (token === CLOSE && scanner.depth === 1) list = 0;
    else if (token === OPEN && scanner.code === ELEMENT.xf && list === ELEMENT.cellXfs)
      formatIds.push(attributeNumber(scanner, 'numFmtId'));
    else if (token === OPEN && scanner.code === ELEMENT.numFmt && list !== ELEMENT.dxfs) {
      codes.set(
        attributeNumber(scanner, 'numFmtId'),
        decodeEscapes(attributeValue(scanner, 'formatCode') ?? ''),
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
