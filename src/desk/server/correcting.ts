import type { RowDocument } from '../../api/documents.ts';
import { rowDocument } from '../../api/make-documents.ts';
import type { RunTable } from '../../api/run-table.ts';
import { addressColumn, columnLetters } from '../../core/cell.ts';
import { onPage, t } from '../../core/language.ts';
import type { CellCorrection } from '../../import/correct/corrected-workbook.ts';
import type { CorrectedDocument, RowDetail } from '../contract/documents.ts';
import type { ReadBodyOf } from '../contract/routes.ts';
import { ACTION, isActionHeader, ownCorrections, type Place, placeKey } from './checked-rows.ts';
import type { Desk } from './desk.ts';
import { checkAgain, draftTable, toTableRow } from './draft-table.ts';
import type { StoredDraft } from './drafts.ts';
import { openConflicts, solvedLike } from './mass-corrections.ts';
import { NotFound } from './refusal.ts';
import { conflictOf, requestsOf } from './row-detail.ts';
import { cellNumbers } from './typed-numbers.ts';

const cellKey = ({ sheet, row, column }: Place & { readonly column: number }): string =>
  `${row}\0${column}\0${sheet}`;

/** Takes corrections and decisions, and checks their rows at once. */
export async function correct(
  desk: Desk,
  before: StoredDraft,
  given: ReadBodyOf<'correct'>,
): Promise<CorrectedDocument> {
  const table = await draftTable(desk, before);
  const [first] = given.corrections;
  const solved = first === undefined ? undefined : await issueAt(table, first);
  const inFile = await asInFile(desk, before, given);
  const corrections = replaced(before.corrections, inFile, cellKey, (one) => one.kept);
  const draft = desk.drafts.change(before.id, {
    corrections: await withActionHeaders(desk, before, corrections),
    decisions: replaced(before.decisions, given.decisions, placeKey, ({ decide, ...place }) =>
      decide === null ? null : { ...place, decide },
    ),
    stale: true,
  });
  const touched = [
    ...new Map([...given.corrections, ...given.decisions].map((one) => [placeKey(one), one])).values(),
  ];
  const rows = await checkAgain(desk, draft, table, touched);
  const offer =
    first === undefined || first.text === null || solved === undefined
      ? null
      : await sameOf(table, draft, { ...first, text: first.text, ...solved }, rows);
  return {
    rows: rows.map(toTableRow(draft)),
    counts: await table.counts(),
    corrections: ownCorrections(draft).length,
    same: offer,
    conflicts: given.decisions.some(({ decide }) => decide !== null)
      ? (await openConflicts(table, draft)).length
      : 0,
  };
}

/** Corrections, with numbers as the file writes them; null for one that is taken back. */
async function asInFile(desk: Desk, draft: StoredDraft, { corrections }: ReadBodyOf<'correct'>) {
  const sheets = new Set(corrections.flatMap(({ sheet, text }) => (text === null ? [] : [sheet])));
  const typed = new Map<string, Awaited<ReturnType<typeof cellNumbers>>>();
  for (const sheet of sheets) typed.set(sheet, await cellNumbers(desk, draft, sheet, 'toFile'));
  return corrections.map(({ text, ...place }) => {
    const read = typed.get(place.sheet);
    const isBack = text === null || read === undefined;
    return { ...place, kept: isBack ? null : { ...place, text: read(place.column, text) } };
  });
}

/**
 * Corrections with a header over those that say what is to be done with a row, on sheets that have no
 * `#action`; without it where none of them is left.
 */
async function withActionHeaders(
  desk: Desk,
  before: StoredDraft,
  corrections: readonly CellCorrection[],
): Promise<CellCorrection[]> {
  const checks = await desk.checksOf(before);
  const all = corrections.filter((one) => !isActionHeader(one));
  for (const sheet of new Set(all.map((one) => one.sheet))) {
    const action = (await checks.cells(sheet, [], before.corrections))?.action ?? null;
    if (action === null || action.own) continue;
    const { column, headerRow } = action;
    if (all.some((one) => one.sheet === sheet && one.column === column))
      all.push({ sheet, row: headerRow, column, text: ACTION });
  }
  return all;
}

/** A list with some of it replaced, added, or for null removed. */
function replaced<Kept, Given>(
  kept: readonly Kept[],
  given: readonly Given[],
  keyOf: (one: Kept | Given) => string,
  toKept: (one: Given) => Kept | null,
): Kept[] {
  const all = new Map(kept.map((one) => [keyOf(one), one]));
  for (const one of given) {
    const now = toKept(one);
    if (now === null) all.delete(keyOf(one));
    else all.set(keyOf(one), now);
  }
  return [...all.values()];
}

/** The first problem of a cell that stops its row, else the first of any kind. */
async function issueAt(
  table: RunTable,
  { sheet, row, column }: CellCorrection | (Place & { readonly column: number }),
): Promise<{ readonly code: string; readonly found: string } | undefined> {
  const shown = await table.document(sheet, row);
  const own = (shown?.issues ?? []).filter(({ cell }) => cell !== null && addressColumn(cell) === column);
  return own.find(({ severity }) => severity === 'error') ?? own[0];
}

/** What is offered for other cells with the problem that a correction solved. */
async function sameOf(
  table: RunTable,
  draft: StoredDraft,
  solved: CellCorrection & { readonly code: string; readonly found: string },
  rows: readonly RowDocument[],
): Promise<CorrectedDocument['same']> {
  const { sheet, row, column, code, found, text } = solved;
  const now = rows.find((one) => one.sheet === sheet && one.row === row);
  const isLeft = (now?.issues ?? []).some(
    (one) => one.code === code && one.cell !== null && addressColumn(one.cell) === column,
  );
  if (isLeft) return null;
  const corrected = new Set(draft.corrections.map(cellKey));
  const others = (await table.withFound({ sheet, column, code, found })).filter(
    (one) => !corrected.has(cellKey({ sheet, row: one.row, column })),
  );
  return others.length === 0 ? null : { sheet, column, code, found, count: others.length, text };
}

/** A row of a draft with its cells, their problems, and what was corrected. */
export async function draftRow(desk: Desk, draft: StoredDraft, { sheet, row }: Place): Promise<RowDetail> {
  const table = await draftTable(desk, draft);
  const [shown, found] = [await table.document(sheet, row), await table.find(sheet, row)];
  if (shown === undefined || found === undefined) throw new NotFound(t('row', 'rij'));
  const checks = await desk.checksOf(draft);
  const raw = await checks.cells(sheet, [row], draft.corrections);
  const texts = new Map(raw?.rows[0]?.cells.map(({ column, text }) => [column, text]));
  const columns = [...(raw?.columns ?? [])];
  const action = raw?.action ?? null;
  if (action !== null && columns.every(({ column }) => column !== action.column))
    columns.push({
      ...{ column: action.column, letters: columnLetters(action.column), header: ACTION, field: ACTION },
      ...{ list: true, number: false },
    });
  const own = new Map(
    draft.corrections.flatMap((one) =>
      one.sheet === sheet && one.row === row ? [[one.column, one.text]] : [],
    ),
  );
  const shownIn = await cellNumbers(desk, draft, sheet, 'toPage');
  const cells: RowDetail['cells'] = [];
  for (const { column, letters, header, field, list } of columns) {
    const issues = (shown.issues ?? []).filter(({ cell }) => cell !== null && addressColumn(cell) === column);
    const before = own.has(column) ? shownIn(column, texts.get(column) ?? '') : null;
    const [first] = issues;
    const solved = before === null ? undefined : table.replacedIssue({ sheet, row, column });
    cells.push({
      ...{ column, letters, header, field, before, list },
      text: shownIn(column, own.get(column) ?? texts.get(column) ?? ''),
      issues: issues.map(({ code, severity, message, expected }) => ({ code, severity, message, expected })),
      same:
        first === undefined
          ? 0
          : (await table.withFound({ sheet, column, code: first.code, found: first.found })).length,
      solved: solved === undefined ? null : { ...solved, count: solvedLike(table, draft, solved) },
    });
  }
  return {
    row: toTableRow(draft)(shown),
    ...{ cells, actions: [...(action?.words ?? [])] },
    // Once decided it is no conflict any more: what it was about stays, to be decided otherwise.
    conflict: conflictOf(
      shown.conflict === undefined ? rowDocument(found, true, desk.language, onPage) : shown,
      found.planned.resource,
      desk.language,
    ),
    requests: requestsOf(found),
    doubtful: false,
  };
}
