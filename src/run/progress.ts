/** How far a stage is; `total` is null while unknown. */
export interface Progress {
  readonly stage: 'reading' | 'sending' | 'writing';
  readonly done: number;
  readonly total: number | null;
  /** Rows that were sent and not answered, and until when it is looked whether they arrived. */
  readonly doubt?: { readonly rows: number; readonly until: Date };
}
