import type { Writable } from 'node:stream';
import { BASELINE_SHEET } from '../../files/baseline-sheet.ts';
import { DEFAULT_LIMITS } from '../../files/limits.ts';
import { POSTED_SHEET } from '../../files/posted-sheet.ts';
import type { ResultSheet, ResultSummary } from '../../files/result-sheet.ts';
import { ResultPart } from '../edit/result-part.ts';
import { rewriterOf } from '../edit/sheet-work.ts';
import { RewriteStyles } from '../edit/styles-part.ts';
import { summaryPart } from '../edit/summary-part.ts';
import { sheetName } from '../excel-text.ts';
import { emptyStyles } from '../style-sheet.ts';
import { MAIN_NAMESPACE } from '../xml/xml-write.ts';
import { ZipWriter, zipRecord } from '../zip/write-zip.ts';
import { CONTENT, listingParts, type WorkbookSheet } from './book-parts.ts';

/** What a new result is made of. */
interface ResultBook {
  readonly sheets: readonly ResultSheet[];
  readonly summary: ResultSummary | undefined;
  readonly made: Date;
}

/** Places in the directory of the zip: the parts that list others come first. */
const FIRST = 0;
const SHEETS = 1;

/** Writes a result as a new XLSX to a stream, which stays open, a batch of rows in memory. */
export async function writeResultBook(
  stream: Writable,
  { sheets, summary, made }: ResultBook,
): Promise<void> {
  const zip = new ZipWriter(stream);
  const put = (name: string, content: Buffer | string, place = SHEETS) =>
    zip.add(zipRecord(made, name), [Buffer.from(content)], place);
  const styles = new RewriteStyles(emptyStyles(MAIN_NAMESPACE));
  const before = summary === undefined ? 0 : 1;
  const shown = Math.max(
    0,
    sheets.findIndex(({ hidden }) => !hidden),
  );
  // The sheets of the user keep their names, the summary does not.
  const taken = new Set<string>();
  const listed: WorkbookSheet[] = [];
  for (const [at, sheet] of sheets.entries()) {
    const number = at + 1 + before;
    const rows = new ResultPart(sheet, styles, at === shown).chunks();
    // Its rows are corrected already.
    const added = await rewriterOf({ ...sheet, corrected: undefined }, styles, DEFAULT_LIMITS.tokenBytes);
    const chunks = added?.rewriter.rewrite(rows) ?? rows;
    await zip.add(zipRecord(made, `xl/worksheets/sheet${number}.xml`), chunks, SHEETS);
    // Excel refuses a workbook without a visible sheet.
    const hidden = sheet.name === BASELINE_SHEET || sheet.name === POSTED_SHEET ? 'veryHidden' : 'hidden';
    const state = at === shown || !sheet.hidden ? null : hidden;
    listed.push({ name: sheetName(sheet.name, taken), state });
  }
  // The first sheet, but written after the outcomes of all others.
  if (summary !== undefined) {
    await put('xl/worksheets/sheet1.xml', summaryPart(summary, styles, MAIN_NAMESPACE));
    listed.unshift({ name: sheetName(summary.name, taken), state: null });
  }
  await put('xl/styles.xml', styles.finish());
  for (const [name, text] of resultParts(listed, shown + before)) await put(name, text, FIRST);
  await zip.finish();
}

/** The parts that list others, by name; the workbook opens on sheet `active` (from 0). */
function resultParts(sheets: readonly WorkbookSheet[], active: number): Map<string, string> {
  const types = sheets.map((_, at): [string, string] => [
    `xl/worksheets/sheet${at + 1}.xml`,
    CONTENT.worksheet,
  ]);
  return listingParts(sheets, types, `<workbookView activeTab="${active}"/>`, []);
}
