/** A write that found nothing to write to would be lost without a word. */
export function written({ changes }: { readonly changes: number }, what: string): void {
  if (changes === 0) throw new Error(`the ledger knows no ${what}`);
}
