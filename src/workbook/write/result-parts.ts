import { DECLARATION, escapeXml } from '../rewrite/xml-write.ts';
import { contentTypesPart, MAIN, OFFICE, relationships, SPREADSHEET, type Target } from './book-parts.ts';

/** A sheet of a new result as its workbook lists it. */
export interface ListedSheet {
  readonly name: string;
  /** How it is hidden; null for one that is seen. */
  readonly state: 'hidden' | 'veryHidden' | null;
  /** Notes hang on it. */
  readonly notes: boolean;
}

/** The parts that tell what is in a new result, by name; sheets are numbered from 1 in their order, and it opens on the one at `active` (from 0). */
export function resultParts(sheets: readonly ListedSheet[], active: number): Map<string, string> {
  const types = sheets.flatMap(({ notes }, at): [string, string][] => [
    [`xl/worksheets/sheet${at + 1}.xml`, `${SPREADSHEET}.worksheet+xml`],
    ...(notes ? [[`xl/comments${at + 1}.xml`, `${SPREADSHEET}.comments+xml`] as [string, string]] : []),
  ]);
  const targets = sheets.map((_, at): Target => ['worksheet', `worksheets/sheet${at + 1}.xml`]);
  return new Map([
    ['[Content_Types].xml', contentTypesPart(types)],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookPart(sheets, active)],
    ['xl/_rels/workbook.xml.rels', relationships([...targets, ['styles', 'styles.xml']])],
  ]);
}

function workbookPart(sheets: readonly ListedSheet[], active: number): string {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escapeXml(name)}" sheetId="${at + 1}"${state === null ? '' : ` state="${state}"`} r:id="rId${at + 1}"/>`,
  );
  return [
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">`,
    `<bookViews><workbookView activeTab="${active}"/></bookViews>`,
    `<sheets>${listed.join('')}</sheets></workbook>`,
  ].join('');
}
