import { type Moves, moveFormula } from './move-formula.ts';
import { SLICERS } from './trim-extensions.ts';
import { XmlElement } from './xml-tree.ts';

/** What becomes of a sheet that a workbook lists: it is there to be seen, as it was, hidden, or not at all. */
export type SheetFate = 'shown' | 'same' | 'hidden' | 'gone';

/** What of the plan for a workbook its own part shows. */
interface WorkbookPlan {
  readonly fates: readonly SheetFate[];
  /** The sheet that it opens on, by its old place. */
  readonly opens: number;
  readonly moves: Moves;
  readonly slicers: number | undefined;
}

/** Names of Excel's own that mean nothing without their rows. */
const ROW_NAMES = /^_xlnm\.(?:_FilterDatabase|Print_Area|Print_Titles|Criteria|Extract)$/i;
/** What stands behind the settings of calculation in a workbook part. */
const BEHIND_SETTINGS: ReadonlySet<string> = new Set(
  'oleSize customWorkbookViews pivotCaches smartTagPr smartTagTypes webPublishing fileRecoveryPr webPublishObjects extLst'.split(
    ' ',
  ),
);

/** Takes sheets out of a workbook part, and slicers where they went, hides other sheets, and brings its names up to date. */
export function trimWorkbookPart(root: XmlElement, plan: WorkbookPlan): void {
  const { fates, opens, moves, slicers } = plan;
  const places: number[] = [];
  for (const [at, fate] of fates.entries())
    places[at] = fate === 'gone' ? -1 : fates.slice(0, at).filter((one) => one !== 'gone').length;
  const sheets = root.elements('sheets').flatMap((list) => list.elements());
  const opened = sheets[opens]?.attribute('sheetId');
  for (const list of root.elements('sheets')) list.keep((sheet) => fates[sheets.indexOf(sheet)] !== 'gone');
  for (const [at, sheet] of sheets.entries()) {
    if (fates[at] === 'hidden') sheet.set('state', 'hidden');
    if (fates[at] === 'shown') sheet.set('state', null);
  }
  for (const view of root.elements('bookViews').flatMap((views) => views.elements())) {
    view.set('activeTab', String(places[opens] ?? 0));
    view.set('firstSheet', null);
  }
  for (const view of root.elements('customWorkbookViews').flatMap((views) => views.elements()))
    if (opened !== undefined) view.set('activeSheetId', opened);
  root.keep(
    (member) => member.local !== 'definedNames' || member.keep((name) => trimName(name, places, moves)) > 0,
  );
  if (slicers !== undefined) root.keep((member) => member.local !== 'extLst' || withoutSlicers(member));
  recalculate(root);
}

const withoutSlicers = (list: XmlElement): boolean =>
  list.keep((extension) => extension.keep(({ local }) => !SLICERS.has(local)) > 0) > 0;

function trimName(name: XmlElement, places: readonly number[], moves: Moves): boolean {
  const local = name.attribute('localSheetId');
  if (local !== undefined) {
    const place = places[Number(local)] ?? -1;
    if (place < 0) return false;
    name.set('localSheetId', String(place));
  }
  const { text, broken } = moveFormula(name.text, { sheet: '', relative: 'name' }, moves);
  if (broken && ROW_NAMES.test(name.attribute('name') ?? '')) return false;
  if (text !== name.text) name.text = text;
  return true;
}

/** The order of calculations went, and formulas without a result have to get one, so that all are worked out when the file is opened. */
function recalculate(root: XmlElement): void {
  const [settings] = root.elements('calcPr');
  if (settings !== undefined) {
    settings.set('fullCalcOnLoad', '1');
    return;
  }
  const prefix = root.name.slice(0, root.name.indexOf(':') + 1);
  const fresh = new XmlElement(`${prefix}calcPr`, ' fullCalcOnLoad="1"');
  const behind = root.children.findIndex(
    (child) => typeof child !== 'string' && BEHIND_SETTINGS.has(child.local),
  );
  root.children.splice(behind < 0 ? root.children.length : behind, 0, fresh);
}
