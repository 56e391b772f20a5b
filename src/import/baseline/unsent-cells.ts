import { cellAddress } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { type Finding, issueAt } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { plainText } from '../../files/shown-rows.ts';
import { addressOf, type MappedRow } from '../../records/mapped-row.ts';
import type { Baseline } from '../../records/planning.ts';

/** Tells which cells of columns that are only shown were changed; a record's are in the headers' order. */
export function unsentCells(headers: readonly string[]): Baseline['unsent'] {
  const placeOf = new Map(headers.map((header, at) => [header, at]));
  if (placeOf.size === 0) return null;
  return (row, { shown }, strict) => {
    if (shown === undefined || row.action === 'skip' || row.action === 'delete') return;
    for (const { header, cell, instead } of row.told ?? []) {
      const was = shown[placeOf.get(header) ?? -1];
      const text = cellText(cell);
      if (was === undefined || isSame(was, text)) continue;
      const found = `${was} → ${text}`.trim();
      const finding: Finding = { code: 'cell-not-sent', found, hint: wayOut(row, instead) };
      const place = { field: header, address: cellAddress(cell.column, row.row) };
      row.issues.push(issueAt(finding, place, strict));
    }
  };
}

function wayOut(row: MappedRow, instead: string | null): Bilingual {
  if (instead === null) return t('only the service fills it in', 'alleen de dienst vult hem in');
  const address = addressOf(row.mapping, instead, row.row);
  const where = address === null ? instead : `${instead}, ${address}`;
  return t(`fill in ${where}`, `vul ${where} in`);
}

/** Programs keep 15 digits of a number. */
function isSame(was: string, is: string): boolean {
  if (was === is || plainText(was) === plainText(is)) return true;
  const [a, b] = [was, is].map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  return Math.abs((a ?? 0) - (b ?? 0)) <= 1e-12 * Math.abs(a ?? 0);
}
