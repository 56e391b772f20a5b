import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { exportedNamed, exportIn, financeIn } from '../../src/api/export.ts';
import { applyIn, documentOf, exclusiveFor, importIn } from '../../src/api/import-workbook.ts';
import { undoIn } from '../../src/api/undo-run.ts';
import { importLines } from '../../src/cli/view/import-lines.ts';
import type { RowResult } from '../../src/core/plan.ts';
import { showLines } from '../../src/core/standard-streams.ts';
import { type UndoDocument, undoDocument } from '../../src/export/undo-run.ts';
import type { FinanceDocument } from '../../src/finance/export-finance.ts';
import type {
  ExportDocument,
  ImportDocument,
  ImportWorkbookOptions,
  OptionsOf,
  RowDocument,
} from '../../src/index.ts';
import { type World, withSession } from '../../src/session/open-session.ts';
import { planIn } from './plan-in.ts';

/** A plan, with each of its rows. */
export interface PlannedRows {
  readonly run: string;
  readonly rows: readonly RowDocument[];
}

/** What the library's functions do, in a world of the test's own. */
export function programAt(world: World) {
  return {
    importWorkbook: (file: string, options: ImportWorkbookOptions): Promise<ImportDocument> =>
      withSession(
        options,
        exclusiveFor(options),
        async (session) => documentOf(session, await importIn(session, file, options), options),
        world,
      ),
    /** The same, and what a terminal shows of it. */
    tellImport: (file: string, options: ImportWorkbookOptions) =>
      withSession(
        options,
        exclusiveFor(options),
        async (session) => {
          const { settings } = session;
          const { rows, ...end } = await importIn(session, file, options);
          const all: RowResult[] = [];
          for await (const row of rows) all.push(row);
          const ended = () => ({ ...end, rows: Readable.from(all) });
          const lines = await importLines(ended(), settings.lang, {}, false);
          const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
          showLines('stdout', lines);
          const told = written.mock.calls.map(([text]) => String(text)).join('');
          written.mockRestore();
          return { told, document: await documentOf(session, ended(), options) };
        },
        world,
      ),
    planImport: (file: string, options: ImportWorkbookOptions): Promise<PlannedRows> =>
      withSession(
        options,
        'try',
        async (session) => {
          const { run, rows } = await planIn(session, file, options);
          const all: RowDocument[] = [];
          for await (const row of rows()) all.push(row);
          return { run, rows: all };
        },
        world,
      ),
    applyPlan: (run: string, options: OptionsOf<'applyPlan'>): Promise<ImportDocument> =>
      withSession(
        options,
        'wait',
        async (session) => {
          const end = await applyIn(session, run, options, { tell: () => {} });
          if (end === null) throw new Error('it was not confirmed');
          return documentOf(session, end, options);
        },
        world,
      ),
    undoRun: (run: string, options: OptionsOf<'undoRun'>): Promise<UndoDocument> =>
      withSession(
        options,
        'try',
        async (session) => undoDocument(await undoIn(session, run, options), session.settings.lang),
        world,
      ),
    exportFinance: (options: OptionsOf<'exportFinance'>): Promise<FinanceDocument> =>
      withSession(options, undefined, (session) => financeIn(session, options), world),
    exportRecords: (what: string, options: OptionsOf<'exportRecords'>): Promise<ExportDocument> =>
      withSession(
        options,
        undefined,
        async (session) => (await exportIn(session, [exportedNamed(what)], options)).document,
        world,
      ),
  };
}
