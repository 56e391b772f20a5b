import { MOST } from '../../files/limits.ts';
import { Counter } from '../damage.ts';
import { builtInFormat, type NumberKind, numberKind } from '../number-formats.ts';
import { nameCodes, OPEN } from '../xml/xml-scanner.ts';
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

const ELEMENT = nameCodes('numFmt', 'cellXfs', 'dxf', 'xf');

/** The cell styles by index. Throws DamagedPart. */
export async function readStyles(source: WorkbookPackage, entry: ZipEntry): Promise<CellStyle[]> {
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  const cellFormats = new Counter(MOST.cellFormats, 'cell formats', 'celopmaken');
  const numberFormats = new Counter(MOST.cellFormats, 'number formats', 'getalnotaties');
  await scanPart(source, entry, (scanner, token) => {
    if (token !== OPEN) return;
    // Formats and cell formats also occur in other lists.
    const list = scanner.inside(scanner.selfClosing ? 0 : 1);
    if (scanner.code === ELEMENT.xf && list === ELEMENT.cellXfs) {
      cellFormats.add();
      formatIds.push(attributeNumber(scanner, 'numFmtId'));
    } else if (scanner.code === ELEMENT.numFmt && list !== ELEMENT.dxf) {
      numberFormats.add();
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
