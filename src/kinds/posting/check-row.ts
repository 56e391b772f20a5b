import { type Issue, issueAt } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { Step } from '../../core/plan.ts';
import { addressOf, markAddress, missingColumn } from '../../import/map/map-row.ts';
import { isStray } from '../../import/map/not-records.ts';
import type { Product, StockRow } from './product.ts';

/** A row of which nothing is checked: marked skip, or one of another table that stands below the sheet's own. */
export function asksNothing(row: StockRow): boolean {
  return row.action === 'skip' || isStray(row);
}

/** Puts on a row what its sheet can't do, and what a mutation needs and the row lacks (interface 2.6). */
export function checkRow(row: StockRow): void {
  checkAction(row);
  checkRequired(row);
}

/** Puts on a row what its sheet can't do. */
export function checkAction(row: StockRow): void {
  if (row.action === 'update' || row.action === 'delete') {
    const address = markAddress(row.mapping, '#action', row.row);
    const hint = t(
      'rows of this sheet can only be created; correct a mutation with another one',
      'rijen van dit werkblad kunnen alleen aangemaakt worden; herstel een mutatie met een andere',
    );
    const finding = { code: 'action-not-possible', found: row.action, hint } as const;
    row.issues.push(issueAt(finding, { field: '#action', address }));
  }
}

/** Puts on a row what a mutation needs and the row lacks (interface 2.6). */
export function checkRequired(row: StockRow): void {
  const { resource } = row.mapping;
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.create === 'required' && name !== resource.product && !answered(row, name))
      row.issues.push(absent(row, name));
  }
}

/** Has a value, or an issue that says why not. */
export function answered({ values, issues }: StockRow, name: string): boolean {
  return values[name] != null || issues.some(({ field, severity }) => field === name && severity === 'error');
}

function absent({ mapping, row }: StockRow, field: string): Issue {
  const address = addressOf(mapping, field, row);
  if (address !== null) {
    const hint = t('required to create', 'verplicht om aan te maken');
    return issueAt({ code: 'required-missing', found: '', hint }, { field, address });
  }
  return issueAt(missingColumn(mapping, field), { field, address });
}

/** The members of a mutation that a row gives, with the product's id or what stands for it. */
export function mutationBody(row: StockRow, product: Product): Step['body'] {
  const { resource } = row.mapping;
  const amounts: readonly string[] = resource.amounts.flatMap((amount) =>
    'counted' in amount ? [amount.counted] : [],
  );
  const sent = Object.keys(resource.fields).filter(
    (name) =>
      resource.fields[name]?.create !== 'none' && name !== resource.product && !amounts.includes(name),
  );
  const given = sent.flatMap((name) => {
    const value = row.values[name];
    return value == null ? [] : [[name, value] as const];
  });
  const id = 'id' in product ? product.id : product.reference;
  return { [resource.product]: id, ...Object.fromEntries(given) };
}
