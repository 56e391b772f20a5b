/** The namespace of workbooks and worksheets. */
export const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
/** The namespace of relationships in a document, and the start of their types. */
export const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** The namespace of relationships parts. */
export const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The start of the content types of Office documents. */
const OFFICE_TYPE = 'application/vnd.openxmlformats-officedocument';
/** The start of the content types of the parts of a workbook. */
export const SPREADSHEET_TYPE = `${OFFICE_TYPE}.spreadsheetml`;

/** The content types of parts, by the last word of the type of the relationship to them. */
export const CONTENT = {
  worksheet: `${SPREADSHEET_TYPE}.worksheet+xml`,
  styles: `${SPREADSHEET_TYPE}.styles+xml`,
  comments: `${SPREADSHEET_TYPE}.comments+xml`,
  table: `${SPREADSHEET_TYPE}.table+xml`,
  drawing: `${OFFICE_TYPE}.drawing+xml`,
  chart: `${OFFICE_TYPE}.drawingml.chart+xml`,
} as const;
