import { type CommandSheet, commandSheetIn } from '../../src/api/command-sheets.ts';
import { documentOf } from '../../src/api/import-workbook.ts';
import type { ImportDocument, ImportWorkbookOptions } from '../../src/index.ts';
import { withSession } from '../../src/session/open-session.ts';
import { type Cell, openWorld } from '../promises/world.ts';
import type { KnobChanges } from '../second-service/knobs.ts';

/** The cells of a row, by header. */
export type Row = Readonly<Record<string, Cell>>;
type More = Partial<ImportWorkbookOptions>;

/** What became of each row: its status, and the fields and codes of its issues. */
export const ends = ({ rows }: Pick<ImportDocument, 'rows'>): string[] =>
  rows.map(({ status, issues = [] }) =>
    [status, ...issues.map(({ field, code }) => `${field} ${code}`)].join(' '),
  );

/** A world of tests on the rows of one kind, all of them imported with one ledger unless another is named. */
export function openKind(as: string, knobs: KnobChanges = {}) {
  const world = openWorld({ company: 'lookups', ...knobs });
  const own = { ...world.machine(), doubt: 60 };
  const csv = (rows: readonly Row[]): string => {
    const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return world.sheet([header, ...rows.map((row) => header.map((name) => row[name] ?? null))]);
  };
  return {
    ...world,
    ...{ own, csv },
    send: (rows: readonly Row[], more: More = {}) => world.importWorkbook(csv(rows), { ...own, as, ...more }),
    plan: (rows: readonly Row[], more: More = {}) => world.planImport(csv(rows), { ...own, as, ...more }),
    /** Carries out a sheet of a command of its own. */
    command: (of: CommandSheet['of'], rows: readonly Row[], folder?: string, more: object = {}) => {
      const options = { ...own, ...more };
      const sheet = { of, file: csv(rows), ...(folder === undefined ? {} : { folder }) };
      const { time, service } = world;
      return withSession(
        options,
        'wait',
        async (session) => documentOf(session, await commandSheetIn(session, sheet, options), options),
        { time, connect: service.connect },
      );
    },
    apply: (run: string) => {
      const { allRows, ...rest } = own;
      return world.applyPlan(run, { ...rest, allRows });
    },
    /** How often an endpoint was asked since the last time that this was. */
    asked: (endpoint?: string) => {
      const names = world.service.journal.requests
        .splice(0)
        .flatMap((one) => (endpoint === undefined || one.endpoint === endpoint ? one.endpoint : []));
      return names.length;
    },
  };
}
