import { t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { Values } from '../../core/value.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { findSentAgain, lateText, rememberResend, type SentAgain } from '../../records/late-doubles.ts';
import { type ContextOf, NOTHING_READ } from '../../records/planning.ts';
import { sentRow } from '../../records/sent-before.ts';
import { cannot, type UndoneRecord, type UndoTools } from '../../records/undo.ts';
import type { Resource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';

/** A late double to take away, and where the row stands that was sent again. */
interface UndoneDouble {
  readonly place: Pick<PlannedRow, 'sheet' | 'row'>;
  readonly undone: UndoneRecord;
}

/** The late doubles of the creates that a run sent again: those still there, each a row of its own. */
export async function undoDoubles(
  context: ContextOf<Resource>,
  tools: UndoTools,
): Promise<readonly UndoneDouble[]> {
  const { resource } = context;
  const rows: UndoneDouble[] = [];
  for (const again of await findSentAgain(context)) {
    const { posting, body } = again;
    const sent = posting.run === tools.run ? await sentRow(context, posting) : undefined;
    if (sent === undefined) continue;
    const { planned } = sent;
    const gone: number[] = [];
    for (const id of again.late) {
      if (await isGone(context, { planned, body, id })) gone.push(id);
      else rows.push({ place: planned, undone: await undoneDouble(resource, again, { planned, id }, tools) });
    }
    const late = again.late.filter((id) => !gone.includes(id));
    if (gone.length > 0) await rememberResend(context, again, late);
  }
  return rows;
}

/** Whether a record is there no more; what can't be read may be there. */
async function isGone(
  context: ContextOf<Resource>,
  { planned, body, id }: { readonly planned: PlannedRow; readonly body: Values; readonly id: number },
): Promise<boolean> {
  const { resource } = context;
  const { readBack } = kindOf(resource).guard({ ...context, resource, run: '', summary: NOTHING_READ });
  const [step] = planned.steps;
  if (readBack === undefined || step === undefined) return false;
  try {
    return (await readBack({ step, planned, id, body }, false)).length === 0;
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
}

async function undoneDouble(
  resource: Resource,
  { posting, body }: SentAgain,
  { planned: { sheet, row }, id }: { readonly planned: PlannedRow; readonly id: number },
  tools: UndoTools,
): Promise<UndoneRecord> {
  const made = {
    resource: resource.name,
    sheet,
    row,
    id,
    external: null,
    label: null,
    before: null,
  } as const;
  const history = { ...made, existed: false, last: 'made' as const, sent: { ...body }, changes: new Map() };
  const undone = (await kindOf(resource).undo?.(resource, history, tools)) ?? cannot();
  const words = t(
    `came late beside ${posting.id}: keep this row alone to delete the double only`,
    `kwam laat naast ${posting.id}: houd alleen deze rij over om alleen de dubbele te verwijderen`,
  );
  if (undone.row === null) return cannot(lateText(resource, posting, id));
  const cells = { ...undone.row.cells, '#message': words[tools.language] };
  return { ...undone, row: { ...undone.row, cells } };
}
