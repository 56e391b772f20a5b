import { cellAddress } from '../../core/cell.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Values } from '../../core/value.ts';
import { shownIn, textsOf } from '../../files/baseline-sheet.ts';
import { differingCells, signatureLength, signatureOf } from '../../files/shown-rows.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { listedText } from '../map/sheet-notes.ts';

/** Most cells named, and most rows of a sheet; the rest is counted. */
const [MOST_CELLS, MOST_ROWS] = [20, 5];

/**
 * Names the cells that were changed, and the rows that were added or removed, on sheets that only the service
 * fills in. `shown` is what the hidden sheet tells of them, by name; an untouched one is not read.
 */
export async function shownSheetNotes(
  shown: ReadonlyMap<string, readonly Values[]>,
  sheets: readonly Sheet[],
): Promise<Bilingual[]> {
  const cells: string[] = [];
  const notes: Bilingual[] = [];
  const sums = shown.get('')?.[0] ?? {};
  for (const [name, told] of shown) {
    const own = sheets.filter((sheet) => sheet.name.replace(/ \(\d+\)$/, '') === name);
    if (own.every((sheet) => sheet.sum !== undefined && sums[sheet.name] === sheet.sum)) continue;
    const { changed, added, removed } = await changesOn(own, told);
    cells.push(...changed);
    if (added.length + removed > 0) notes.push(rowsNote(name, added, removed));
  }
  const more = cells.length - MOST_CELLS;
  if (more > 0) notes.unshift(t(`and ${more} more such cells`, `en nog ${more} zulke cellen`));
  return [...cells.slice(0, MOST_CELLS).map(cellNote), ...notes];
}

const cellNote = (cell: string): Bilingual =>
  t(
    `${cell} was changed since the export; nothing of it is sent, only the service fills it in`,
    `${cell} is sinds de export gewijzigd; daarvan wordt niets verstuurd, alleen het systeem vult het in`,
  );

function rowsNote(sheet: string, added: readonly number[], removed: number): Bilingual {
  const list = listedText(added.slice(0, MOST_ROWS), added.length);
  const [en, nl] = added.length === 0 ? ['', ''] : [` (${list.en})`, ` (${list.nl})`];
  return t(
    `${sheet}: rows since the export: ${added.length} added${en}, ${removed} removed; nothing of it is sent, only the service fills this sheet in`,
    `${sheet}: rijen sinds de export: ${added.length} toegevoegd${nl}, ${removed} verwijderd; daarvan wordt niets verstuurd, alleen het systeem vult dit werkblad in`,
  );
}

/** What was changed on a list's sheets; nothing where their headers are no longer those that were told. */
async function changesOn(sheets: readonly Sheet[], [head, ...rest]: readonly Values[]) {
  const headers = shownIn(head?.headers) ?? [];
  const length = signatureLength(headers.length);
  const written = rest.map(({ rows }) => rows).join('');
  const count = written.length / length;
  const writtenAt = (at: number): string => written.slice(at * length, (at + 1) * length);
  const changes = { changed: [] as string[], added: [] as number[], removed: 0 };
  const others: { place: string; row: number; at: number; columns: number[]; own: string }[] = [];
  const missing = new Map<string, Set<number>>();
  const miss = (at: number): void =>
    void missing.set(writtenAt(at), (missing.get(writtenAt(at)) ?? new Set()).add(at));
  let at = 0;
  for (const { name, rows } of sheets) {
    let columns: number[] | undefined;
    for await (const row of rows) {
      const texts = textsOf(row);
      if (columns === undefined) {
        columns = headers.map((header) => texts.indexOf(header) + 1);
        if (columns.includes(0)) return changes;
      } else if (texts.some((text) => text !== '')) {
        const own = signatureOf(columns.map((column) => texts[column - 1] ?? ''));
        if (own !== writtenAt(at)) others.push({ place: name, row: row.number, at, columns, own });
        if (own !== writtenAt(at) && at < count) miss(at);
        at++;
      }
    }
  }
  while (at < count) miss(at++);
  // A row that stands elsewhere now is the same.
  const left = others.filter(({ own }) => {
    const [place] = missing.get(own) ?? [];
    return place === undefined || missing.get(own)?.delete(place) !== true;
  });
  for (const one of left) {
    const was = writtenAt(one.at);
    if (missing.get(was)?.delete(one.at) !== true) changes.added.push(one.row);
    else
      for (const cell of differingCells(one.own, was))
        changes.changed.push(`${one.place} ${cellAddress(one.columns[cell] ?? 1, one.row)} ${headers[cell]}`);
  }
  for (const places of missing.values()) changes.removed += places.size;
  return changes;
}
