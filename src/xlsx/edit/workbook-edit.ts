import { CLOSE, NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { attributeValue, decodeReferences } from '../xml/xml-text.ts';
import { rootPrefix } from './root-prefix.ts';
import { XmlCopy } from './xml-copy.ts';
import { escapeText, escapeXml } from './xml-write.ts';

const SHEETS = nameCode('sheets');
const SHEET = nameCode('sheet');
const SHEET_ID = nameCode('sheetId');
const NAME = nameCode('name');
const VIEW = nameCode('workbookView');
const ACTIVE = nameCode('activeTab');
const FIRST = nameCode('firstSheet');
const DEFINED = nameCode('definedName');
const LOCAL = nameCode('localSheetId');

/** What changes in a workbook part. */
export interface WorkbookChanges {
  /** A sheet to put first; null when none is added. */
  readonly first: { readonly name: string; readonly relationship: string; readonly office: string } | null;
  /** Filters that grew, by the name of their sheet: the range's last column as it is now, in letters. */
  readonly filters: ReadonlyMap<string, string>;
  /** A sheet that gets another name; null when none does. */
  readonly renamed: { readonly from: string; readonly to: string } | null;
}

/** The workbook part with a sheet put first: what names sheets by their place names them by their new place. */
export function editWorkbook(bytes: Buffer, { first, filters, renamed }: WorkbookChanges): Buffer {
  const { names, freeId } = survey(bytes);
  const shift = first === null ? 0 : 1;
  const copy = new XmlCopy(bytes.length + 1);
  let prefix = '';
  let grows: string | undefined;
  let inName = false;
  copy.feed(bytes);
  for (let token = copy.next(); token !== NEED; token = copy.next()) {
    const { scanner } = copy;
    if (token === CLOSE) {
      grows = undefined;
      inName = false;
    } else if (token !== OPEN) {
      if (!inName) continue;
      const text = decodeReferences(scanner.bytes.toString('utf8', scanner.start, scanner.end));
      const wider = grows === undefined ? text : text.replace(/\$[A-Z]{1,3}(\$\d+)$/, `$$${grows}$1`);
      const named = renamed === null ? wider : withSheet(wider, renamed.from, renamed.to);
      if (named !== text) copy.replace(escapeText(named));
    } else {
      if (prefix === '' && scanner.depth === 1) prefix = rootPrefix(scanner, copy.before);
      const { code } = scanner;
      if (code === SHEETS && first !== null)
        copy.insertBehind(
          `<${prefix}sheet xmlns:r="${first.office}" name="${escapeXml(first.name)}" sheetId="${freeId}" r:id="${first.relationship}"/>`,
        );
      else if (code === VIEW) {
        const active = Number(attributeValue(scanner, ACTIVE) ?? 0);
        const shown = Number(attributeValue(scanner, FIRST) ?? 0);
        if (shift > 0)
          copy.changeTag({
            activeTab: String(active + 1),
            ...(shown > 0 ? { firstSheet: String(shown + 1) } : {}),
          });
      } else if (code === SHEET && renamed !== null && attributeValue(scanner, NAME) === renamed.from)
        copy.changeTag({ name: renamed.to });
      else if (code === DEFINED) {
        inName = !scanner.selfClosing;
        const local = attributeValue(scanner, LOCAL);
        if (local === undefined) continue;
        const sheet = names[Number(local)];
        if (
          attributeValue(scanner, NAME) === '_xlnm._FilterDatabase' &&
          sheet !== undefined &&
          !scanner.selfClosing
        )
          grows = filters.get(sheet);
        if (shift > 0) copy.changeTag({ localSheetId: String(Number(local) + shift) });
      }
    }
  }
  return Buffer.concat(copy.take(true));
}

/** The names of all sheets, charts included, in their places, and an id that none of them has. */
export function survey(bytes: Buffer): { readonly names: readonly string[]; readonly freeId: number } {
  const scanner = new XmlScanner(bytes.length + 1);
  const names: string[] = [];
  let freeId = 1;
  scanner.feed(bytes);
  for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
    if (token !== OPEN || scanner.code !== SHEET) continue;
    names.push(attributeValue(scanner, NAME) ?? '');
    freeId = Math.max(freeId, Number(attributeValue(scanner, SHEET_ID) ?? 0) + 1);
  }
  return { names, freeId };
}

/** A formula that names a sheet, with another name for it. */
function withSheet(formula: string, from: string, to: string): string {
  const quoted = from.replaceAll("'", "''").replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = new RegExp(`'${quoted}'!|(?<![\\p{L}\\p{N}_.'\\]])${quoted}!`, 'gu');
  return formula.replace(named, () => `'${to.replaceAll("'", "''")}'!`);
}
