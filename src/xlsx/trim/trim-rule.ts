import type { Around } from './around.ts';
import { moveFormula } from './move-formula.ts';
import { firstRows, moveRanges } from './move-ranges.ts';
import type { XmlElement } from './xml-tree.ts';

const FORMULAS: ReadonlySet<string> = new Set(['formula', 'formula1', 'formula2', 'f']);

/** A rule for ranges of cells: conditional formats, checks, in either edition. Answers whether it still says something. */
export function trimRule(rule: XmlElement, around: Around): boolean {
  const { rows, sheet, moves, onLostList } = around;
  const extended = rule.elements('sqref')[0];
  const ranges = extended?.text ?? rule.attribute('sqref') ?? '';
  const relative = firstRows(ranges, rows);
  const left = moveRanges(ranges, rows);
  if (relative === undefined || left === undefined) return !rows.moves;
  if (left !== ranges) {
    if (extended === undefined) rule.set('sqref', left);
    else extended.text = left;
  }
  const moved = (formula: string) => moveFormula(formula, { sheet, relative }, moves);
  const isCheck = rule.local === 'dataValidation';
  const isList = rule.attribute('type') === 'list';
  const holds = (holder: XmlElement): boolean => {
    for (const element of holder.all()) {
      const inAttribute = element.local === 'cfvo' && element.attribute('type') === 'formula';
      const formula =
        FORMULAS.has(element.local) && element.elements().length === 0 ? element.text : undefined;
      const value = inAttribute ? element.attribute('val') : formula;
      if (value === undefined || value === '') continue;
      const { text, lost, broken } = moved(value);
      // A list that lacks choices refuses what was right; any other rule goes by what is left.
      if (isList ? lost : broken) return false;
      if (text === value) continue;
      if (inAttribute) element.set('val', text);
      else element.text = text;
    }
    return true;
  };
  if (!isCheck) return rule.keep((one) => one.local !== 'cfRule' || holds(one)) > (extended ? 1 : 0);
  if (holds(rule)) return true;
  if (isList) onLostList();
  return false;
}
