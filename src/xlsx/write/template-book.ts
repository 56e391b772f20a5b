import type { WrittenColumn, WrittenSheet } from './written-book.ts';

/** What the spreadsheet program accepts in a cell. */
export interface CellCheck {
  /** `any` only shows the message. */
  readonly type: 'whole' | 'decimal' | 'date' | 'time' | 'list' | 'any';
  /** The choices of a `list`, or the name of a list of the workbook. */
  readonly list?: readonly string[] | { readonly name: string };
  /** Other contents are refused (`stop`), or asked about (`warning`). */
  readonly style: 'stop' | 'warning';
  /** The message of a selected cell. */
  readonly prompt: string;
  /** The message for other contents. */
  readonly error: string;
}

/** The role of a column, which colours its header. */
export type ColumnRole = 'required' | 'key' | 'mark' | 'optional';

/** A column to fill in, of fixed width. */
export interface TemplateColumn extends Omit<WrittenColumn, 'role'> {
  readonly role: ColumnRole;
  /** Its texts are long and wrap. */
  readonly wraps: boolean;
  readonly check: CellCheck;
}

/** A sheet to fill in. */
export interface TemplateSheet extends Pick<WrittenSheet, 'name' | 'table'> {
  readonly columns: readonly TemplateColumn[];
}

/** A term with its explanation; `role` shows the term as a header of that role. */
export interface GuideLine {
  readonly term: string;
  readonly text: string;
  readonly role?: ColumnRole;
}

/** The sheet that explains how to fill in the others. */
export interface GuideSheet {
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly { readonly heading: string; readonly lines: readonly GuideLine[] }[];
  /** A table of texts. */
  readonly table: {
    readonly heading: string;
    readonly headers: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}

/** A workbook to fill in. */
export interface TemplateBook {
  readonly title: string;
  readonly guide: GuideSheet;
  readonly sheets: readonly TemplateSheet[];
  /** The hidden sheet with the lists, if there are any. */
  readonly listSheet: string;
  /** Choices under a name for cell checks. */
  readonly lists: readonly {
    readonly name: string;
    readonly title: string;
    readonly values: readonly string[];
  }[];
  /** `Page &P of &N`, in the workbook's language. */
  readonly pageText: string;
  readonly made: Date;
}
