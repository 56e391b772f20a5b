import type { CellRange } from '../../files/sheet.ts';
import { rangeFormula } from '../cell-range.ts';
import {
  attributeNumber,
  attributeValue,
  CLOSE,
  decodeReferences,
  nameCodes,
  OPEN,
} from '../xml/xml-scanner.ts';
import { escapeText, escapeXml, XmlCopy } from '../xml/xml-write.ts';

const PART = nameCodes('sheets');
const CHILD = nameCodes('sheet', 'workbookView', 'definedName', 'calcPr');

/** The defined name in which Excel keeps the range of the filter of a sheet. */
const FILTER_NAME = '_xlnm._FilterDatabase';

/** What changes in a workbook part. */
export interface WorkbookChanges {
  /** A new first sheet; null for none. */
  readonly first: { readonly name: string; readonly relationship: string; readonly office: string } | null;
  /** The same, hidden behind all others. */
  readonly last?: WorkbookChanges['first'];
  /** The ranges of filters that grew, by sheet. */
  readonly filters: ReadonlyMap<string, CellRange>;
  /** Values that formulas take were changed: all is calculated anew when the workbook is opened. */
  readonly recalculated?: boolean;
}

/** The changed workbook part; a new first sheet moves what names sheets by place. */
export function editWorkbook(bytes: Buffer, changes: WorkbookChanges): Buffer {
  return new WorkbookEdit(bytes, changes).edit();
}

class WorkbookEdit {
  private readonly copy: XmlCopy;
  private readonly changes: WorkbookChanges;
  private readonly names: readonly string[];
  private readonly freeId: number;
  /** How many places each sheet moves. */
  private readonly shift: number;
  private inName = false;
  /** The new range of the open name. */
  private range: CellRange | undefined;
  private part = 0;

  constructor(bytes: Buffer, changes: WorkbookChanges) {
    const { names, freeId } = surveyWorkbook(bytes);
    this.names = names;
    this.freeId = freeId;
    this.changes = changes;
    this.shift = changes.first === null ? 0 : 1;
    this.copy = XmlCopy.of(bytes);
  }

  edit(): Buffer {
    const { copy } = this;
    for (const token of copy.tokens()) {
      if (token === CLOSE) this.close(copy.scanner.level);
      else if (token === OPEN) this.open(copy.scanner.level);
      else if (this.inName) this.nameText();
    }
    return Buffer.concat(copy.take(true));
  }

  private open(level: number): void {
    const { copy, changes } = this;
    const { scanner } = copy;
    const { code } = scanner;
    if (level === 2) this.part = code;
    if (code === PART.sheets && changes.first !== null) {
      const { name, relationship, office } = changes.first;
      copy.insertBehind(
        `<${copy.prefix}sheet xmlns:r="${office}" name="${escapeXml(name)}" sheetId="${this.freeId}" r:id="${relationship}"/>`,
      );
    } else if (code === CHILD.workbookView) this.openView();
    else if (code === CHILD.definedName) this.openName();
    else if (code === CHILD.calcPr && changes.recalculated === true) copy.changeTag({ fullCalcOnLoad: '1' });
  }

  private openView(): void {
    const { copy, shift } = this;
    const active = attributeNumber(copy.scanner, 'activeTab');
    const shown = attributeNumber(copy.scanner, 'firstSheet');
    const first = shown > 0 ? { firstSheet: String(shown + 1) } : {};
    if (shift > 0) copy.changeTag({ activeTab: String(active + 1), ...first });
  }

  private openName(): void {
    const { scanner } = this.copy;
    this.inName = !scanner.selfClosing;
    const local = attributeValue(scanner, 'localSheetId');
    if (local === undefined) return;
    const sheet = this.names[Number(local)];
    const filter =
      attributeValue(scanner, 'name') === FILTER_NAME ? this.changes.filters.get(sheet ?? '') : undefined;
    if (this.inName) this.range = filter;
    if (this.shift > 0) this.copy.changeTag({ localSheetId: String(Number(local) + this.shift) });
  }

  private nameText(): void {
    const { copy, range } = this;
    const { scanner } = copy;
    if (range === undefined) return;
    const text = decodeReferences(scanner.bytes.toString('utf8', scanner.start, scanner.end));
    copy.replace(escapeText(rangeFormula(text.slice(0, text.lastIndexOf('!')), range)));
  }

  private close(level: number): void {
    this.range = undefined;
    this.inName = false;
    if (level === 2 && this.part === PART.sheets) this.addLast();
  }

  private addLast(): void {
    const { copy, changes, freeId, shift } = this;
    if (changes.last == null) return;
    const { name, relationship, office } = changes.last;
    copy.insertBefore(
      `<${copy.prefix}sheet xmlns:r="${office}" name="${escapeXml(name)}" sheetId="${freeId + shift}" state="veryHidden" r:id="${relationship}"/>`,
    );
  }
}

/** The names of all sheets, charts included, in order, and a free sheet id. */
export function surveyWorkbook(bytes: Buffer) {
  const copy = XmlCopy.of(bytes);
  const { scanner } = copy;
  const names: string[] = [];
  let freeId = 1;
  for (const token of copy.tokens()) {
    if (token !== OPEN || scanner.code !== CHILD.sheet) continue;
    names.push(attributeValue(scanner, 'name') ?? '');
    freeId = Math.max(freeId, attributeNumber(scanner, 'sheetId') + 1);
  }
  return { names, freeId };
}
