export { applyPlan, type ImportPlan, type ImportWorkbookOptions, importWorkbook, planImport } from './api.ts';
export { EXIT, type ExitCode, StopError } from './errors.ts';
export type { Progress } from './pipeline/context.ts';
export type { HeaderTable } from './pipeline/map/header-names.ts';
export type {
  ImportDocument,
  IssueDocument,
  RowDocument,
  SheetDocument,
} from './pipeline/results/import-document.ts';
export { endpoints, lookups } from './resources/endpoints.ts';
export { resources } from './resources/registry.ts';
export type { Cell, Row } from './schema/cell.ts';
export { defineEndpoint, type Endpoint } from './schema/endpoint.ts';
export { boolean, datetime, decimal, type Field, type Fields, integer, text } from './schema/field.ts';
export { defineResource, type Resource } from './schema/resource.ts';
export { startSandbox } from './start-sandbox.ts';
export { type ReadOptions, readWorkbook, type Sheet, type Workbook } from './workbook/read-workbook.ts';
