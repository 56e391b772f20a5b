import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { composed, type Language, t, withFlag } from '../../core/language.ts';
import type { BaselineStamp } from '../../files/baseline-sheet.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import { resourceNamed } from '../../import/map/sheet-by-headers.ts';
import { postedSheets } from '../../import/results/posted-sheets.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { eachRow } from '../../ledger/ledger.ts';
import { findLateDoubles } from '../../records/doubts.ts';
import { referredId } from '../../records/references.ts';
import { sentRow } from '../../records/sent-before.ts';
import { findNewValues, type UndoneRecord, type UndoRow, type UndoTools } from '../../records/undo.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { refuseUnsendable, unknownRun } from '../../run/runs.ts';
import type { Resource } from '../../schema/resource.ts';
import { createHistories, type NotUndone } from './history.ts';
import { restoreFields } from './restore-fields.ts';

/** A run to take back, and the language of its notes. */
interface UndoRequest {
  readonly run: string;
  readonly language: Language;
}

/** What takes a run back. */
export interface PlannedUndo {
  /** The rows of each sheet, to be imported. */
  readonly sheets: readonly { readonly resource: Resource; readonly rows: readonly UndoRow[] }[];
  readonly cannot: readonly NotUndone[];
  /** What the run left, as the baseline of the workbook. */
  readonly stamp: BaselineStamp;
  /** What was posted, as a hidden sheet; none where nothing can be. */
  readonly posted: readonly ResultSheet[];
  /** The file that the run imported. */
  readonly file: string | undefined;
}

/**
 * Plans what takes a run back when it is imported: old values, deletes of what was created, opposite amounts;
 * what others changed since is a conflict there. Nothing is sent. Throws StopError with EXIT.usage for a run
 * that is not known, is being sent, or is of another service; with EXIT.file where nothing can be taken back.
 */
export async function planUndo(context: Context, request: UndoRequest): Promise<PlannedUndo> {
  const { run } = request;
  await refuseRun(context, run);
  const { rows, cannot } = await collect(context, request);
  if (rows.length === 0) throw nothingToUndo(run, cannot);
  const sheets = context.resources
    .map((resource) => ({ resource, rows: rows.filter((row) => row.resource.name === resource.name) }))
    .filter((one) => one.rows.length > 0);
  const names = sheets.map(({ resource }) => ({ resource: resource.name }));
  return {
    ...{ sheets, cannot },
    stamp: { service: context.serviceKey, at: new Date(context.time.now()).toISOString(), undoes: run },
    posted: postedSheets(context, run, names),
    file: (await context.ledger.findRun(run))?.file,
  };
}

async function refuseRun(context: Context, run: string): Promise<void> {
  const record = await context.ledger.findRun(run);
  if (record === undefined) throw await unknownRun(context, run);
  refuseUnsendable(context, record);
  if (record.state === 'applying' && !context.exclusive) throw beingSent(run);
}

async function collect(
  context: Context,
  { run, language }: UndoRequest,
): Promise<{ readonly rows: readonly UndoRow[]; readonly cannot: readonly NotUndone[] }> {
  const histories = createHistories();
  for await (const result of eachRow(context.ledger, run)) histories.add(result);
  const tools: UndoTools = {
    ...{ run, language, resources: context.resources },
    restore: restoreFields,
    now: wallClock(context.time.now()),
    findId: (value) => referredId(context, value),
    newValues: (...of) => findNewValues(context, ...of),
  };
  const rows: UndoRow[] = [];
  const cannot: NotUndone[] = [...histories.notUndone];
  const add = ({ sheet, row }: Pick<NotUndone, 'sheet' | 'row'>, undone: UndoneRecord): void => {
    if (undone.row !== null) rows.push(undone.row);
    for (const why of undone.cannot) cannot.push({ sheet, row, why });
  };
  for (const resource of context.resources) {
    const of = { ...context, resource };
    const find = kindOf(resource).doubles?.(of);
    for (const { posting, text } of find === undefined ? [] : await findLateDoubles(of, find, run)) {
      const { sheet = resource.sheet, row = 0 } = (await sentRow(of, posting))?.planned ?? {};
      cannot.push({ sheet, row, why: text });
    }
  }
  for (const history of histories.records()) {
    const resource = resourceNamed(context, history.resource);
    add(history, (await kindOf(resource).undo?.(resource, history, tools)) ?? notUndone(resource));
  }
  for (const { planned } of histories.posted) {
    const resource = resourceNamed(context, planned.resource);
    add(planned, (await kindOf(resource).undoPosted?.(resource, planned, tools)) ?? notUndone(resource));
  }
  return { rows, cannot };
}

/** A document stays on its event, a file on this machine. */
function notUndone({ command }: Resource): UndoneRecord {
  const why = t(
    `what ${command} did can’t be taken back from here`,
    `wat ${command} deed is van hieruit niet terug te draaien`,
  );
  return { row: null, cannot: command === undefined ? [] : [why] };
}

const beingSent = (run: string): StopError =>
  usageStop(
    t(`Run ${run} is being sent.`, `Run ${run} wordt verstuurd.`),
    t('Undo it when it is done.', 'Draai hem terug als hij klaar is.'),
  );

function nothingToUndo(run: string, [first]: readonly NotUndone[]): StopError {
  const place = first === undefined ? '' : ` (${first.sheet} ${first.row})`;
  const message = composed(first === undefined ? [] : [first.why], (...all) =>
    t(
      `Run ${run} changed nothing that can be taken back${place}${all.map(({ en }) => `: ${en}`).join('')}.`,
      `Run ${run} heeft niets gewijzigd dat terug te draaien is${place}${all.map(({ nl }) => `: ${nl}`).join('')}.`,
    ),
  );
  const next = withFlag(
    t('The run shows what became of every row.', 'De run laat zien wat er van elke rij geworden is.'),
    `catersheet runs ${run}`,
  );
  return new StopError(EXIT.file, message, { next });
}
