import { issueAt } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { addressOf } from '../../import/map/map-row.ts';
import type { EarlierRow } from '../../import/map/record-twice.ts';
import { type Product, productName } from '../posting/product.ts';
import type { CountRow } from './counted.ts';

/** The first row that counts each product, over all sheets of a run. */
export type CountedProducts = Map<string, EarlierRow & { readonly mapped: CountRow }>;

/** Which of two counts is right can't be told, so neither is sent: both rows get an issue that names the other. */
export function noteCounted(row: CountRow, product: Product, counted: CountedProducts): void {
  const name = 'id' in product ? `id:${product.id}` : JSON.stringify(product.reference);
  const first = counted.get(name);
  if (first === undefined) {
    counted.set(name, { sheet: row.mapping.sheet, row: row.row, mapped: row });
    return;
  }
  report(row, first);
  if (!first.mapped.issues.some(({ code }) => code === 'counted-twice'))
    report(first.mapped, { sheet: row.mapping.sheet, row: row.row });
}

function report(row: CountRow, other: EarlierRow): void {
  const hint = t(`row ${other.row} of ${other.sheet}`, `rij ${other.row} van ${other.sheet}`);
  const named = productName(row);
  const field = named?.field ?? row.mapping.resource.product;
  const finding = { code: 'counted-twice', found: String(named?.value ?? ''), hint } as const;
  row.issues.push(issueAt(finding, { field, address: addressOf(row.mapping, field, row.row) }));
}
