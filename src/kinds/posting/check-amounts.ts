import { issueAt } from '../../core/issue.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import type { PostingResource } from '../../schema/resource.ts';
import { answered } from './check-row.ts';

/** One of the two amounts is required, both are allowed (interface 2.6). */
export function checkAmounts(row: MappedRow<PostingResource>): void {
  const columns = row.mapping.resource.amounts.map(({ sent }) => sent);
  if (columns.some((name) => answered(row, name))) return;
  const there = columns.filter((name) => row.mapping.columnOf.has(name));
  for (const field of there.length === 0 ? columns.slice(0, 1) : there) {
    const finding = { code: 'amount-missing', found: '', hint: columns.join(' / ') } as const;
    row.issues.push(issueAt(finding, { field, address: addressOf(row.mapping, field, row.row) }));
  }
}
