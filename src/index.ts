export { type ExportFinanceOptions, exportFinance } from './api/export-finance.ts';
export { type ExportDocument, type ExportRecordsOptions, exportRecords } from './api/export-records.ts';
export type { ImportWorkbookOptions } from './api/import-request.ts';
export { interfaceDocument } from './api/interface-document.ts';
export {
  type FetchInvoicesOptions,
  fetchInvoices,
  refreshEvents,
  type SheetOptions,
  type UploadDocumentsOptions,
  uploadDocuments,
} from './api/own-sheets.ts';
export { type OrdersDocument, type SendOrdersOptions, sendOrders } from './api/send-orders.ts';
export { type UndoOptions, undoRun } from './api/undo-run.ts';
export {
  applyPlan,
  type ImportPlan,
  importWorkbook,
  planImport,
} from './api.ts';
export type { Cell, Row } from './core/cell.ts';
export { EXIT, type ExitCode, StopError } from './core/errors.ts';
export type { FinanceDocument } from './finance/export-finance.ts';
export type {
  ImportDocument,
  IssueDocument,
  RowDocument,
  SheetDocument,
} from './import/import-document.ts';
export type { HeaderTable } from './import/map/header-names.ts';
export type { UndoDocument } from './import/undo/undo-document.ts';
export type { ExportedResource } from './listing/lister.ts';
export { endpoints, lookups } from './resources/endpoints.ts';
export { resources } from './resources/registry.ts';
export type { Progress } from './run/context.ts';
export { defineResource } from './schema/define-resource.ts';
export { defineEndpoint, type Endpoint } from './schema/endpoint.ts';
export { boolean, datetime, decimal, type Field, type Fields, integer, text } from './schema/field.ts';
export type { Resource } from './schema/resource.ts';
export { startSandbox } from './start-sandbox.ts';
export { type ReadOptions, readWorkbook, type Sheet, type Workbook } from './workbook/read-workbook.ts';
