import type { Around } from './around.ts';
import { listsControls } from './form-controls.ts';
import { moveFormula } from './move-formula.ts';
import { rowsOf } from './move-ranges.ts';
import type { RowMap } from './row-map.ts';
import { trimExtensions } from './trim-extensions.ts';
import { trimRule } from './trim-rule.ts';
import { counted, moveAnchors, trimRef, trimSqref } from './xml-ranges.ts';
import type { XmlElement } from './xml-tree.ts';

/** Of what stands nowhere any more when rows move, or says what rows no longer show. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  'scenarios rowBreaks cellWatches smartTags customSheetViews sortState'.split(' '),
);

/** Brings a member of a worksheet beside its rows up to date; answers whether it is still there. */
export function trimAround(member: XmlElement, around: Around): boolean {
  const { rows } = around;
  if (listsControls(member)) return false;
  if (member.local === 'sheetViews') trimViews(member, around);
  else if (member.local === 'hyperlinks')
    return member.keep((link) => trimRef(link, rows) && moveLocation(link, around)) > 0;
  else if (member.local === 'conditionalFormatting') return trimRule(member, around);
  else if (member.local === 'dataValidations') return counted(member, (rule) => trimRule(rule, around));
  else if (member.local === 'extLst') trimExtensions(member, around);
  else if (member.local === 'tableParts')
    return counted(member, (part) => !around.dropped.has(part.attribute('id') ?? ''));
  else if (rows.moves) return trimMoved(member, rows);
  return true;
}

/** What only changes where rows move. */
function trimMoved(member: XmlElement, rows: RowMap): boolean {
  if (LEFT_OUT.has(member.local)) return false;
  if (member.local === 'dimension') return trimRef(member, rows);
  if (member.local === 'sheetPr') member.set('filterMode', null);
  if (member.local === 'autoFilter') {
    // What it hid is to be seen.
    member.children = [];
    return trimRef(member, rows);
  }
  if (member.local === 'mergeCells')
    return counted(member, (merge) => trimRef(merge, rows) && isMerge(merge));
  if (member.local === 'protectedRanges' || member.local === 'ignoredErrors')
    return member.keep((one) => trimSqref(one, rows)) > 0;
  if (member.local === 'AlternateContent' || member.local === 'oleObjects') moveAnchors(member, rows);
  return true;
}

const isMerge = (merge: XmlElement): boolean => {
  const [from, to] = (merge.attribute('ref') ?? '').split(':');
  return to !== undefined && from !== to;
};

function trimViews(views: XmlElement, { rows, selected }: Around): void {
  for (const view of views.elements()) {
    if (selected !== undefined) view.set('tabSelected', selected ? '1' : null);
    if (!rows.moves) continue;
    const stand = (element: XmlElement, name: string): string | undefined => {
      const address = element.attribute(name);
      const [row] = rowsOf(address ?? '') ?? [];
      if (address === undefined || row === undefined) return undefined;
      const moved = address.replace(/\d+$/, String(rows.place(row)));
      element.set(name, moved);
      return moved;
    };
    stand(view, 'topLeftCell');
    for (const pane of view.elements()) {
      if (pane.local === 'pane') stand(pane, 'topLeftCell');
      if (pane.local !== 'selection') continue;
      const cell = stand(pane, 'activeCell');
      pane.set('activeCellId', null);
      pane.set('sqref', cell ?? 'A1');
    }
    view.keep(({ local }) => local !== 'pivotSelection');
  }
}

/** A link within the workbook leads to where its cell is now. */
function moveLocation(link: XmlElement, { sheet, moves }: Around): boolean {
  const location = link.attribute('location');
  if (location === undefined) return true;
  const { text, broken } = moveFormula(location, { sheet, relative: 'cell' }, moves);
  if (!broken && text !== location) link.set('location', text);
  return true;
}
