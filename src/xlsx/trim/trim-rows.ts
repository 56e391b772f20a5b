import { columnLetters } from '../../core/cell.ts';
import { cellColumn, rowNumber } from '../edit/row-tags.ts';
import { ATTRIBUTE } from '../edit/sheet-codes.ts';
import type { XmlCopy } from '../edit/xml-copy.ts';
import { escapeText, escapeXml } from '../edit/xml-write.ts';
import { CDATA, nameCode, TEXT } from '../xml/xml-scanner.ts';
import { attributeValue, tokenText } from '../xml/xml-text.ts';
import { shiftFormula } from './formula.ts';
import { type Moves, moveFormula } from './move-formula.ts';
import { moveRange } from './move-ranges.ts';
import { numberInside, passRow } from './passed-rows.ts';
import type { RowMap } from './row-map.ts';

const FORMULA = nameCode('f');
const VALUE = nameCode('v');
const INLINE = nameCode('is');
const KIND = nameCode('t');
const INDEX = nameCode('si');
const METADATA = nameCode('cm');

/** A formula that is being read. */
interface Reading {
  readonly kind: string;
  readonly ref: string;
  readonly index: string;
  text: string;
}

/** The formula that several cells share, as it reads in the first of them. */
interface Shared {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** Leaves rows out of a sheet's data as it is copied, and moves the others up with their formulas. Throws DamagedPart. */
export class RowTrimmer {
  /** The prefix of the sheet's tags, with its colon. */
  prefix = '';
  /** Formulas that counted on rows left out, and stand there as their results. */
  frozen = 0;
  private readonly copy: XmlCopy;
  private readonly sheet: string;
  private readonly rows: RowMap;
  private readonly moves: Moves;
  private readonly shared = new Map<string, Shared>();
  private row = 0;
  private leaving = false;
  private column = 0;
  private reading: Reading | undefined;
  /** Of the open cell: it holds a result; it is to hold one; what its tag says of its formula, where that is not written yet. */
  private valued = false;
  private bare = false;
  private held: string | undefined;

  constructor(copy: XmlCopy, sheet: string, rows: RowMap, moves: Moves) {
    this.copy = copy;
    this.sheet = sheet;
    this.rows = rows;
    this.moves = moves;
  }

  /** The scanner stands behind `<row>`. */
  openRow(): void {
    const { copy, rows } = this;
    const { scanner } = copy;
    this.row = rowNumber(scanner) || numberInside(scanner) || this.row + 1;
    this.column = 0;
    const number = rows.of(this.row);
    this.leaving = number === 0;
    if (this.leaving) {
      copy.drop();
      if (scanner.selfClosing) copy.keep();
      else passRow(scanner, this.prefix);
      return;
    }
    if (!rows.moves) return;
    // What is to be corrected must be seen.
    const seen = rows.isAbove(this.row) ? {} : { hidden: null, collapsed: null };
    copy.changeTag({ r: String(number), ...seen });
  }

  /** The scanner stands behind `</row>`. */
  closeRow(): void {
    if (this.leaving) this.copy.keep();
    this.leaving = false;
  }

  /** The scanner stands behind `<c>`. */
  openCell(): void {
    const { copy, rows } = this;
    this.column = cellColumn(copy.scanner) || this.column + 1;
    this.valued = false;
    this.bare = false;
    if (this.leaving) return;
    const { scanner } = copy;
    const metadata = attributeValue(scanner, METADATA);
    // Only a formula that stays may be one that spills.
    const spill = metadata === undefined ? {} : { cm: null };
    const address = rows.moves ? { r: `${columnLetters(this.column)}${rows.of(this.row)}` } : {};
    copy.changeTag({ ...address, ...spill });
    if (metadata === undefined || scanner.selfClosing) return;
    copy.holdTag();
    this.held = ` cm="${escapeXml(metadata)}"`;
  }

  /** The scanner stands behind `</c>`. */
  closeCell(): void {
    this.endTag();
    // Left empty, the row would look complete and be sent without it; this formula has no stored result again.
    if (this.bare && !this.valued) this.copy.insertBefore(`<${this.prefix}f>NA()</${this.prefix}f>`);
  }

  /** The scanner stands behind the tag of something in a cell. */
  openInCell(): void {
    const { copy } = this;
    const { scanner } = copy;
    const { code } = scanner;
    if (code === VALUE || code === INLINE) this.valued = true;
    if (code === FORMULA) {
      this.reading = {
        kind: attributeValue(scanner, KIND) ?? '',
        ref: attributeValue(scanner, ATTRIBUTE.ref) ?? '',
        index: attributeValue(scanner, INDEX) ?? '',
        text: '',
      };
      if (!this.leaving) copy.drop();
      if (scanner.selfClosing) this.closeInCell();
    } else this.endTag();
  }

  /** The scanner stands on a text in a cell. */
  text(token: number): void {
    if (this.reading !== undefined && (token === TEXT || token === CDATA))
      this.reading.text += tokenText(this.copy.scanner, token === CDATA);
  }

  /** The scanner stands behind the end of something in a cell. */
  closeInCell(): void {
    const { copy, reading, leaving } = this;
    this.reading = undefined;
    if (reading === undefined) return;
    const formula = this.ownFormula(reading);
    if (leaving) return;
    const moved = this.moved(reading, formula);
    copy.keep();
    if (this.held !== undefined) copy.sink.text(moved === '' ? '>' : `${this.held}>`);
    this.held = undefined;
    copy.sink.text(moved);
  }

  private endTag(): void {
    if (this.held !== undefined) this.copy.endTag();
    this.held = undefined;
  }

  /** The formula as it reads in this cell; of those that share one only the first has it. */
  private ownFormula({ kind, index, text }: Reading): string {
    const { row, column } = this;
    if (kind !== 'shared') return text;
    const first = this.shared.get(index);
    if (first === undefined || text !== '') {
      this.shared.set(index, { text, row, column });
      return text;
    }
    return shiftFormula(first.text, row - first.row, column - first.column);
  }

  /** The formula of a cell that stays, as XML; nothing where its result takes its place. */
  private moved({ kind, ref }: Reading, formula: string): string {
    const { rows, row, prefix } = this;
    const moved = moveFormula(formula, { sheet: this.sheet, relative: 'cell' }, this.moves);
    // All that it counts on must be there with the same values, also above the headers: others count on it in their turn.
    const kept = !moved.lost && !moved.placed && formula !== '' && kind !== 'dataTable';
    const range = moveRange(ref, rows) ?? ref;
    const several = kind === 'array' && !isSingle(ref);
    const spills = several && rows.moves && !(rows.isAbove(row) && range === ref);
    if (kept && !spills) {
      const array = kind === 'array' ? ` t="array" ref="${escapeXml(range)}"` : '';
      return `<${prefix}f${array}>${escapeText(moved.text)}</${prefix}f>`;
    }
    this.frozen++;
    this.bare = true;
    return '';
  }
}

const isSingle = (ref: string): boolean => {
  const [from, to = from] = ref.split(':');
  return from === to;
};
