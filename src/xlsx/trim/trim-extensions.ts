import type { Around } from './around.ts';
import { moveFormula } from './move-formula.ts';
import { moveRanges } from './move-ranges.ts';
import { trimRule } from './trim-rule.ts';
import { counted } from './xml-ranges.ts';
import type { XmlElement } from './xml-tree.ts';

/** Lists of slicers and timelines, of a sheet and of a workbook. */
export const SLICERS: ReadonlySet<string> = new Set(
  'slicerList timelineRefs slicerCaches timelineCacheRefs'.split(' '),
);

/** What newer editions of Excel say of a sheet. */
export function trimExtensions(list: XmlElement, around: Around): void {
  const { rows, sheet, moves } = around;
  for (const extension of list.elements()) {
    extension.keep((holder) => {
      if (holder.local === 'conditionalFormattings') return counted(holder, (rule) => trimRule(rule, around));
      if (holder.local === 'dataValidations') return counted(holder, (rule) => trimRule(rule, around));
      if (holder.local === 'sparklineGroups')
        return holder.keep((group) => trimSparklines(group, around)) > 0;
      if (SLICERS.has(holder.local)) return !around.unsliced;
      if (!rows.moves) return true;
      if (holder.local === 'ignoredErrors' || holder.local === 'protectedRanges')
        return holder.keep((one) => moveText(one.elements('sqref')[0], (text) => moveRanges(text, rows))) > 0;
      return true;
    });
  }
  // An extension that holds nothing is none.
  list.keep((extension) => extension.elements().length > 0);

  function trimSparklines(group: XmlElement, { rows: own }: Around): boolean {
    const formula = (text: string) => {
      const moved = moveFormula(text, { sheet, relative: 'cell' }, moves);
      return moved.broken ? undefined : moved.text;
    };
    for (const dates of group.elements('f'))
      if (!moveText(dates, formula)) group.keep((one) => one !== dates);
    const lines = group.elements('sparklines')[0];
    return (
      lines !== undefined &&
      lines.keep(
        (line) =>
          moveText(line.elements('sqref')[0], (text) => moveRanges(text, own)) &&
          moveText(line.elements('f')[0], formula),
      ) > 0
    );
  }
}

function moveText(element: XmlElement | undefined, move: (text: string) => string | undefined): boolean {
  if (element === undefined) return true;
  const moved = move(element.text);
  if (moved !== undefined && moved !== element.text) element.text = moved;
  return moved !== undefined;
}
