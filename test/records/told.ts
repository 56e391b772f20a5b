import type { RowDocument } from '../../src/index.ts';

/** What became of each row: its status, and its issues with their cells. */
export const told = (rows: readonly RowDocument[]): string[] =>
  rows.map(({ status, issues = [] }) =>
    [status, ...issues.map(({ cell, code }) => `${cell} ${code}`)].join(', '),
  );

/** All that is said of rows. */
export const wordsOf = (rows: readonly RowDocument[]): string =>
  rows
    .flatMap(({ message, issues = [] }) => [message ?? '', ...issues.map((issue) => issue.message)])
    .join('\n');
