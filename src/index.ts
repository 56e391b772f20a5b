export {
  refreshEventIds,
  sendOrders,
} from './api/calls.ts';
export { checkService } from './api/check-service.ts';
export {
  fetchInvoices,
  refreshEvents,
  uploadDocuments,
} from './api/command-sheets.ts';
export type {
  CallsDocument,
  ChangeDocument,
  CheckDocument,
  ComesToDocument,
  ImportDocument,
  IssueDocument,
  PruneDocument,
  RecordDocument,
  RowDocument,
  RunDocument,
  SheetDocument,
  TemplateDocument,
} from './api/documents.ts';
export {
  exportFinance,
  exportRecords,
} from './api/export.ts';
export {
  applyPlan,
  type ImportPlan,
  type ImportWorkbookOptions,
  importWorkbook,
  planImport,
} from './api/import-workbook.ts';
export { interfaceDocument } from './api/interface-document.ts';
export { pruneRuns } from './api/prune-runs.ts';
export { readRecord } from './api/read-record.ts';
export { readSheets } from './api/read-sheets.ts';
export { readWorkbook } from './api/read-workbook.ts';
export { listRuns, readRun } from './api/runs.ts';
export { startSandbox } from './api/start-sandbox.ts';
export { undoRun } from './api/undo-run.ts';
export { withdrawRun } from './api/withdraw-run.ts';
export { writeTemplate } from './api/write-template.ts';
export type { Cell, Row } from './core/cell.ts';
export { EXIT, type ExitCode, StopError } from './core/errors.ts';
export type { ExportDocument } from './export/export-records.ts';
export type { UndoDocument } from './export/undo-run.ts';
export type { FinanceDocument } from './finance/export-finance.ts';
export type { HeaderTable } from './import/map/header-names.ts';
export type { SheetChoice } from './import/map/sheet-choices.ts';
export type {
  ColumnReadDocument,
  FieldDocument,
  SheetKindDocument,
  SheetReadDocument,
  SheetsDocument,
  TopRowDocument,
} from './import/sheets-document.ts';
export type { OptionsOf, ProgramOptions } from './options/options.ts';
export type { ExportedResource } from './records/listing.ts';
export { endpoints, lookups, resources } from './resources/registry.ts';
export type { Progress } from './run/progress.ts';
export { defineEndpoint, type Endpoint } from './schema/endpoint.ts';
export { boolean, datetime, decimal, type Field, type Fields, integer, money, text } from './schema/field.ts';
export type { Resource } from './schema/resource.ts';
export { defineResource } from './schema/resource.ts';
export type { ReadOptions, Sheet, Workbook } from './workbook/read-workbook.ts';
