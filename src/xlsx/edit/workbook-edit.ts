import { rootPrefix, XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { attributeValue, decodeReferences } from '../xml/xml-text.ts';
import { escapeText, escapeXml } from '../xml/xml-write.ts';
import { type CellRange, FILTER_NAME, filterName, rangeFormula } from './auto-filter.ts';

const SHEETS = nameCode('sheets');
const SHEET = nameCode('sheet');
const SHEET_ID = nameCode('sheetId');
const NAME = nameCode('name');
const VIEW = nameCode('workbookView');
const ACTIVE = nameCode('activeTab');
const FIRST = nameCode('firstSheet');
const DEFINED = nameCode('definedName');
const LOCAL = nameCode('localSheetId');
const NAMES = nameCode('definedNames');
const LINKS = nameCode('externalReferences');
const GROUPS = nameCode('functionGroups');

/** A sheet's filter as it is now; `isNew` when the workbook has no name for it, which Excel wants of one. */
export interface ChangedFilter {
  readonly range: CellRange;
  readonly isNew: boolean;
}

/** What changes in a workbook part. */
export interface WorkbookChanges {
  /** A sheet to put first; null when none is added. */
  readonly first: { readonly name: string; readonly relationship: string; readonly office: string } | null;
  /** Filters that changed, by the name of their sheet. */
  readonly filters: ReadonlyMap<string, ChangedFilter>;
  /** A sheet that gets another name; null when none does. */
  readonly renamed: { readonly from: string; readonly to: string } | null;
}

/**
 * The workbook part with a sheet put first: what names sheets by their place names them by their new place.
 */
export function editWorkbook(bytes: Buffer, changes: WorkbookChanges): Buffer {
  return new WorkbookEdit(bytes, changes).edit();
}

class WorkbookEdit {
  private readonly copy: XmlCopy;
  private readonly changes: WorkbookChanges;
  private readonly names: readonly string[];
  private readonly freeId: number;
  /** Of every sheet, by how many its place is moved. */
  private readonly shift: number;
  /** Filters that have no name yet. */
  private readonly unnamed: Map<string, CellRange>;
  private prefix = '';
  private inName = false;
  /** The range that the name that is open is to have. */
  private range: CellRange | undefined;
  private part = 0;

  constructor(bytes: Buffer, changes: WorkbookChanges) {
    const { names, freeId } = survey(bytes);
    this.names = names;
    this.freeId = freeId;
    this.changes = changes;
    this.shift = changes.first === null ? 0 : 1;
    this.unnamed = new Map(
      [...changes.filters].flatMap(([name, { range, isNew }]) => (isNew ? [[name, range]] : [])),
    );
    this.copy = new XmlCopy(bytes.length + 1);
    this.copy.feed(bytes);
  }

  edit(): Buffer {
    const { copy } = this;
    for (let token = copy.next(); token !== NEED; token = copy.next()) {
      const { depth, selfClosing } = copy.scanner;
      if (token === CLOSE) this.close(depth + 1);
      else if (token === OPEN) this.open(selfClosing ? depth + 1 : depth);
      else if (this.inName) this.nameText();
    }
    return Buffer.concat(copy.take(true));
  }

  private open(level: number): void {
    const { copy, changes, prefix } = this;
    const { scanner } = copy;
    const { code } = scanner;
    if (level === 1) this.prefix = rootPrefix(scanner, copy.before);
    if (level === 2) this.openPart(code);
    if (code === SHEETS && changes.first !== null) {
      const { name, relationship, office } = changes.first;
      copy.insertBehind(
        `<${prefix}sheet xmlns:r="${office}" name="${escapeXml(name)}" sheetId="${this.freeId}" r:id="${relationship}"/>`,
      );
    } else if (code === VIEW) this.openView();
    else if (code === SHEET && attributeValue(scanner, NAME) === changes.renamed?.from)
      copy.changeTag({ name: changes.renamed?.to ?? null });
    else if (code === DEFINED) this.openName();
  }

  /** Names stand behind the sheets and what they link to. */
  private openPart(code: number): void {
    if (this.part === SHEETS || this.part === LINKS) {
      if (code !== NAMES && code !== LINKS && code !== GROUPS) this.addNames();
    }
    if (code === NAMES && this.copy.scanner.selfClosing) {
      const names = this.namesXml();
      if (names !== '')
        this.copy.replace(`<${this.prefix}definedNames>${names}</${this.prefix}definedNames>`);
    }
    this.part = code === GROUPS ? LINKS : code;
  }

  private openView(): void {
    const { copy, shift } = this;
    const active = Number(attributeValue(copy.scanner, ACTIVE) ?? 0);
    const shown = Number(attributeValue(copy.scanner, FIRST) ?? 0);
    const first = shown > 0 ? { firstSheet: String(shown + 1) } : {};
    if (shift > 0) copy.changeTag({ activeTab: String(active + 1), ...first });
  }

  private openName(): void {
    const { scanner } = this.copy;
    this.inName = !scanner.selfClosing;
    const local = attributeValue(scanner, LOCAL);
    if (local === undefined) return;
    const sheet = this.names[Number(local)];
    const filter =
      attributeValue(scanner, NAME) === FILTER_NAME ? this.changes.filters.get(sheet ?? '') : undefined;
    if (filter !== undefined && sheet !== undefined && this.inName) {
      this.range = filter.range;
      this.unnamed.delete(sheet);
    }
    if (this.shift > 0) this.copy.changeTag({ localSheetId: String(Number(local) + this.shift) });
  }

  private nameText(): void {
    const { copy, range } = this;
    const { renamed } = this.changes;
    const { scanner } = copy;
    const text = decodeReferences(scanner.bytes.toString('utf8', scanner.start, scanner.end));
    const moved = range === undefined ? text : rangeFormula(text.slice(0, text.lastIndexOf('!')), range);
    const named = renamed === null ? moved : withSheet(moved, renamed.from, renamed.to);
    if (named !== text) copy.replace(escapeText(named));
  }

  private close(level: number): void {
    this.range = undefined;
    this.inName = false;
    if (level === 2 && this.part === NAMES) {
      const names = this.namesXml();
      if (names !== '') this.copy.insertBefore(names);
    } else if (level === 1 && this.part !== NAMES) this.addNames();
  }

  /** In their place, for a workbook that has none. */
  private addNames(): void {
    const names = this.namesXml();
    if (names !== '')
      this.copy.insertBefore(`<${this.prefix}definedNames>${names}</${this.prefix}definedNames>`);
  }

  /** Names for the filters that have none, once. */
  private namesXml(): string {
    const xml = [...this.unnamed].flatMap(([sheet, range]) => {
      const at = this.names.indexOf(sheet);
      return at < 0 ? [] : [filterName(sheet, at + this.shift, range, this.prefix)];
    });
    this.unnamed.clear();
    return xml.join('');
  }
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
