import { type Bilingual, t } from '../core/language.ts';
import { isWanted, type ResultSheet, type ShownOutcome } from '../files/result-sheet.ts';

/**
 * Whether the rows of a sheet that need nothing are hidden. Not where all would be: a sheet without visible rows would
 * look as if it had lost them.
 */
export async function hidesRows({ onlyProblems, outcomes }: ResultSheet): Promise<boolean> {
  if (onlyProblems !== true || outcomes === undefined) return false;
  for await (const outcome of outcomes) if (isWanted(outcome)) return true;
  return false;
}

/** Whether a row that was hidden or not is so in the result: never one that needs work. */
export function isHidden(before: boolean, outcome: ShownOutcome | undefined, hides: boolean): boolean {
  if (outcome === undefined) return before;
  if (isWanted(outcome)) return false;
  // A total has no status.
  return before || (hides && (outcome.cells[0] ?? '') !== '');
}

/** Rows that are listed; others are counted. */
const LISTED = 5;

/** Rows that were hidden and are shown, as they are wanted: the first ones, and how many. */
export class ShownAgain {
  private readonly first: number[] = [];
  private count = 0;

  add(row: number): void {
    this.count++;
    if (this.first.length < LISTED) this.first.push(row);
  }

  /** The notes on what is seen of a sheet, of which rows are hidden or not. */
  notes({ name, onlyProblems }: Pick<ResultSheet, 'name' | 'onlyProblems'>, hides: boolean): Bilingual[] {
    const all = t(
      `sheet ${name}: no row needs work, so none is hidden`,
      `werkblad ${name}: geen rij vraagt nog werk, dus er is geen rij verborgen`,
    );
    if (this.count === 0) return onlyProblems === true && !hides ? [all] : [];
    const more = this.count - this.first.length;
    const rows = this.first.join(', ');
    const [en, nl] = more > 0 ? [` and ${more} more`, ` en nog ${more}`] : ['', ''];
    const one = this.count === 1;
    return [
      t(
        `sheet ${name}: ${one ? 'row' : 'rows'} ${rows}${en} ${one ? 'was hidden and is shown now, as it needs' : 'were hidden and are shown now, as they need'} work`,
        `werkblad ${name}: ${one ? 'rij' : 'rijen'} ${rows}${nl} ${one ? 'was verborgen en is nu te zien, want die vraagt' : 'waren verborgen en zijn nu te zien, want die vragen'} werk`,
      ),
    ];
  }
}
