/** What a cell of a column may hold, as the spreadsheet program checks it while it is filled in. */
export interface CellCheck {
  /** `list` is a choice from `list`; `any` only shows the message. */
  readonly type: 'whole' | 'decimal' | 'date' | 'time' | 'list' | 'any';
  /** Texts to choose from, or the name of a list of the workbook. */
  readonly list?: readonly string[] | { readonly name: string };
  /** Whether other contents are refused, or may stand there after a question. */
  readonly style: 'stop' | 'warning';
  /** What is said while the cell is selected. */
  readonly prompt: string;
  /** What is said of other contents. */
  readonly error: string;
}

/** How a column's header stands out. */
export type ColumnRole = 'required' | 'key' | 'mark' | 'optional';

/** One column of a sheet to fill in. */
export interface TemplateColumn {
  readonly header: string;
  readonly role: ColumnRole;
  /** The number format of its cells. */
  readonly format: string;
  /** In characters. */
  readonly width: number;
  /** Long text, which wraps. */
  readonly wraps: boolean;
  /** The lines of the note on the header. */
  readonly note: readonly string[];
  readonly check: CellCheck;
}

/** One sheet to fill in. */
export interface TemplateSheet {
  readonly name: string;
  /** The name of its table: letters, digits and underscores. */
  readonly table: string;
  readonly columns: readonly TemplateColumn[];
}

/** Values to choose from, under a name that cell checks use. */
interface TemplateList {
  readonly name: string;
  readonly title: string;
  readonly values: readonly string[];
}

/** A part of the guide: a heading, and lines of a term with its explanation. */
interface GuideSection {
  readonly heading: string;
  readonly lines: readonly GuideLine[];
}

/** One line of the guide; `role` shows the term as the header of such a column. */
export interface GuideLine {
  readonly term: string;
  readonly text: string;
  readonly role?: ColumnRole;
}

/** A table in the guide, all text. */
export interface GuideTable {
  readonly heading: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The sheet that says how the others are filled in. */
export interface GuideSheet {
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly GuideSection[];
  readonly table: GuideTable;
}

/** A workbook to fill in, as plain data. */
export interface TemplateBook {
  readonly title: string;
  readonly guide: GuideSheet;
  readonly sheets: readonly TemplateSheet[];
  /** The hidden sheet that holds the lists, and its lists; none when there are no lists. */
  readonly listSheet: string;
  readonly lists: readonly TemplateList[];
  /** `Page &P of &N`, in the workbook's language. */
  readonly pageText: string;
  readonly made: Date;
}
