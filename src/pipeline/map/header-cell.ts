/** One header cell: the text as typed, and the resource's field or the program's mark it stands for. */
export interface HeaderCell {
  readonly column: number;
  readonly header: string;
  readonly field?: string;
  readonly mark?: string;
}
