/** The namespace of workbooks and worksheets. */
export const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
/** The namespace of relationships in a document, and the start of their types. */
export const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** The namespace of relationships parts. */
export const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The start of the content types of Office documents. */
export const OFFICE_TYPE = 'application/vnd.openxmlformats-officedocument';
/** The start of the content types of the parts of a workbook. */
export const SPREADSHEET_TYPE = `${OFFICE_TYPE}.spreadsheetml`;
