import { ALL_ROWS, type RowsWish } from './row-source.ts';

const SORTS = ['row', 'status', 'record', 'changes'] as const;

/** A choice of rows as words of an address; what is left open stands nowhere. */
export function wishQuery(wish: RowsWish): Readonly<Record<string, string>> {
  const { status, work, warned, corrected, sheet, search, issue, sort, descending } = wish;
  return {
    ...(status.length === 0 ? {} : { status: status.join(',') }),
    ...(work ? { work: '1' } : {}),
    ...(warned ? { warned: '1' } : {}),
    ...(corrected ? { corrected: '1' } : {}),
    ...(sheet === null ? {} : { sheet }),
    ...(search === '' ? {} : { search }),
    ...(issue === null ? {} : { issue: JSON.stringify(issueParts(issue)) }),
    ...(sort === 'row' ? {} : { sort }),
    ...(descending ? { descending: '1' } : {}),
  };
}

/** The choice of rows that an address names. */
export function wishOf(query: Readonly<Record<string, string>>): RowsWish {
  return {
    status: query.status?.split(',').filter(Boolean) ?? [],
    work: query.work === '1',
    warned: query.warned === '1',
    corrected: query.corrected === '1',
    sheet: query.sheet ?? null,
    search: (query.search ?? '').slice(0, 200),
    issue: issueOf(query.issue),
    sort: SORTS.find((one) => one === query.sort) ?? 'row',
    descending: query.descending === '1',
  };
}

type Issue = NonNullable<RowsWish['issue']>;

/** What tells a problem from all others. */
export const issueParts = ({ sheet, code, field, cause }: Issue) => [sheet, code, field, cause];

function issueOf(text: string | undefined): RowsWish['issue'] {
  try {
    const [sheet, code, field, cause] = JSON.parse(text ?? '') as unknown[];
    if (typeof sheet !== 'string' || typeof code !== 'string') return null;
    const textOf = (part: unknown): string | null => (typeof part === 'string' ? part : null);
    return { sheet, code, field: textOf(field), cause: textOf(cause) };
  } catch {
    return null;
  }
}

/** Whether rows are left out. */
export function isFiltered(wish: RowsWish): boolean {
  const { sort, descending } = wish;
  return JSON.stringify({ ...wish }) !== JSON.stringify({ ...ALL_ROWS, sort, descending });
}
