/**
 * Of the options that a test's imports share, those that every function of the library takes: where the
 * service is, and the ledger.
 */
export function serviceOnly<T extends object>(options: T): Omit<T, 'out' | 'allRows'> {
  const { out: _, allRows: __, ...rest } = options as T & { out?: unknown; allRows?: unknown };
  return rest as Omit<T, 'out' | 'allRows'>;
}
