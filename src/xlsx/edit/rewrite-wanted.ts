import { rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { Bilingual } from '../../core/value.ts';
import type { NumberedOutcome, ResultSheet } from '../../files/result-sheet.ts';
import { asideOf, writeAside } from '../../files/write-aside.ts';
import { RowMap } from '../trim/row-map.ts';
import { trimBook } from '../trim/trim-book.ts';
import { rewriteWorkbook } from './rewrite-workbook.ts';

/** A sheet, and which of its rows are wanted. */
interface Wanted {
  readonly sheet: ResultSheet;
  readonly count: number;
  readonly rows: RowMap;
}

/**
 * Writes a workbook with the wanted rows of its sheets alone, and their outcomes beside them, to a stream, which is left open: first a copy of it without the
 * others, in a file beside the target, then that with outcomes. A sheet without any is not in it, unless none has any. Answers what could not be kept.
 * Throws DamagedPart for a workbook that is not put together as workbooks are.
 */
export async function rewriteWanted(
  stream: Writable,
  file: string,
  target: string,
  sheets: readonly ResultSheet[],
): Promise<Bilingual[]> {
  const all: Wanted[] = [];
  for (const sheet of sheets) all.push(...(await wantedRows(sheet)));
  const some = all.filter(({ count }) => count > 0);
  const chosen = some.length === 0 ? all : some;
  const rows = new Map(chosen.map((one) => [one.sheet.name, one.rows]));
  const unwanted = new Set(all.flatMap(({ sheet: { name } }) => (rows.has(name) ? [] : [name])));
  const aside = asideOf(target);
  let notes: Bilingual[] = [];
  try {
    await writeAside(aside, async (copy) => {
      notes = await trimBook(copy, file, { rows, unwanted });
    });
    const moved = chosen.map(movedSheet);
    return [
      ...notes,
      ...(await rewriteWorkbook(stream, aside, target, { sheets: moved, summary: undefined })),
    ];
  } finally {
    await rm(aside, { force: true });
  }
}

async function wantedRows(sheet: ResultSheet): Promise<Wanted[]> {
  const { only, outcomes, headerRow } = sheet;
  if (only === undefined || outcomes === undefined || headerRow === null) return [];
  const kept: number[] = [];
  for await (const outcome of outcomes) if (only.wants(outcome)) kept.push(outcome.row);
  kept.sort((one, other) => one - other);
  return [{ sheet, count: kept.length, rows: new RowMap(headerRow, kept, only.lastRow) }];
}

function movedSheet({ sheet, rows }: Wanted): ResultSheet {
  const { outcomes, only } = sheet;
  if (outcomes === undefined || only === undefined) return sheet;
  async function* moved(): AsyncGenerator<NumberedOutcome> {
    for await (const outcome of outcomes ?? [])
      if (only?.wants(outcome)) yield { ...outcome, row: rows.of(outcome.row) };
  }
  return { ...sheet, outcomes: { [Symbol.asyncIterator]: moved } };
}
